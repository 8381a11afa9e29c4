import type { MiddlewareObj } from '@middy/core';
import { SESSION_COOKIE } from '#shared/domain/accounts/sign-in.model.ts';
import { isAllowedOrigin } from '#shared/domain/reference/origin.rules.ts';
import { identifyKey, type KeyNeeds, keyIn, strayKey } from '#shared/http/by-key.ts';
import { identifySession, type SessionNeeds } from '#shared/http/by-session.ts';
import { cookiesOf } from '#shared/http/cookies.ts';
import {
  type ApiEvent,
  type ApiResult,
  header,
  type RequestState,
  sourceIp,
  stateOf,
} from '#shared/http/request-state.ts';
import { accessOf, type Route } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';

type Needs = KeyNeeds & SessionNeeds;

/**
 * Authenticates by a key in either form or by the session's cookie, and counts the request. If a key is sent, only the
 * key counts.
 */
export const authenticate = (deps: Needs): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const state = stateOf(event);
    if (accessOf(state.route) === 'anyone') return admitAnyone(event, state, deps);
    const given = takesKeys(state.route) ? keyIn(event) : undefined;
    const known = given ? await identifyKey(given, event, state, deps) : await identifySession(event, state, deps);
    if (known) return;
    await countStranger(event, state, deps);
    throw (given && strayKey(given, deps)) ?? refusal(event, state.route, given !== undefined);
  },
});

const takesKeys = (route: Route): boolean =>
  'scope' in route || route.access === 'public' || (route.access === 'member' && route.keys === true);

/** Without a valid credential the source address is counted, so that guessing keys is limited too. */
async function countStranger(event: ApiEvent, state: RequestState, { rates }: Needs): Promise<void> {
  const counted = await rates.countAddress(sourceIp(event), 'reads', state.at);
  state.rate = counted.rate;
  if (counted.full) throw new AppError('rate_limited', 'Too many requests from this address.', counted.full);
}

function refusal(event: ApiEvent, route: Route, keyGiven: boolean): AppError {
  if (takesKeys(route) && (keyGiven || cookiesOf(event)[SESSION_COOKIE] === undefined)) {
    return new AppError(
      'invalid_api_key',
      'The API key is missing, unknown or revoked. Send it as X-Service-Key or as a Bearer token.',
    );
  }
  return new AppError(
    'invalid_session',
    'Nobody is signed in, or the session is over. Sign in first; API keys do not open this.',
  );
}

/** Refuses foreign pages: requests that sign a browser in or send mail come from our own pages, or from programs. */
async function admitAnyone(event: ApiEvent, state: RequestState, { rates, config }: Needs): Promise<void> {
  const counted = await rates.countAddress(sourceIp(event), state.route.rate, state.at);
  state.rate = counted.rate;
  if (counted.full) state.full = counted.full;
  if (comesFromForeignPage(event, state.route, config))
    throw new AppError('bad_origin', 'From a browser this must be called from a page of the dashboard.');
  state.credential = { id: 'anyone', orgId: '', kind: 'anyone', scopes: [] };
}

/** A link from another site carries no Origin; the browser's Sec-Fetch-Site tells where it came from. */
function comesFromForeignPage(event: ApiEvent, { method }: Route, { origins }: Needs['config']): boolean {
  const origin = header(event, 'origin');
  if (origin === undefined) return header(event, 'sec-fetch-site') === 'cross-site';
  return method !== 'GET' && !isAllowedOrigin(origin, origins);
}
