import type { MiddlewareObj } from '@middy/core';
import { parseKey } from '#shared/domain/accounts/api-key.model.ts';
import { isSignInToken, SESSION_COOKIE } from '#shared/domain/accounts/sign-in.model.ts';
import { isAllowedOrigin } from '#shared/domain/reference/allowed-origin.rules.ts';
import {
  type ApiEvent,
  type ApiResult,
  cookiesOf,
  header,
  prefetch,
  type RequestState,
  sourceIp,
  stateOf,
} from '#shared/http/request.ts';
import type { Route } from '#shared/http/route.ts';
import { authenticateSession, type SessionDeps } from '#shared/http/session-auth.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { hasTag, sha256Hex } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RateCount, Stranger } from '#shared/ports/rate-counts.port.ts';

type KeyDeps = Pick<Deps, 'keys' | 'rates' | 'config' | 'organizations'>;
type AuthDeps = KeyDeps & SessionDeps;

/** An API key as the request sent it. */
type RequestKey = { readonly text: string; readonly form: 'service' | 'bearer' };

/**
 * Authenticates with an API key (either header) or the session cookie, and counts the request for the rate limit. If a
 * key is sent, the cookie is ignored.
 */
export const authenticate = (deps: AuthDeps): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const state = stateOf(event);
    if (state.route.access === 'anyone') return admitAnyone(event, state, deps);
    const key = acceptsKeys(state.route) ? requestKeyOf(event) : undefined;
    if (!key) assertNotRefused(event, state, deps);
    const isAuthenticated = key
      ? await authenticateKey(key, event, state, deps)
      : await authenticateSession(event, state, deps);
    if (isAuthenticated) return;
    await countUnauthenticated(event, state, deps);
    throw (key && wrongStageError(key, deps)) ?? unauthenticated(event, state.route, key !== undefined);
  },
});

const acceptsKeys = (route: Route): boolean =>
  route.access === 'scope' || route.access === 'public' || (route.access === 'member' && route.keys === true);

/** A request without a valid credential counts against its IP address, which also limits guessing keys. */
async function countUnauthenticated(event: ApiEvent, state: RequestState, { rates, config }: AuthDeps): Promise<void> {
  const counted = await rates.countStranger(strangerOf(event, sourceIp(event), state.route, config), state.at);
  state.rate = counted.rate;
  if (counted.exceeded) throw strangerError(counted.exceeded);
}

export const strangerError = (exceeded: { readonly retryAfter: number }): AppError =>
  new AppError('rate_limited', 'Too many requests from this address.', exceeded);

type Sent = Pick<ApiEvent, 'headers' | 'cookies'>;

/** Credentials may be older than the current version of the secret. */
const hasFormerTag = (text: string, { rotations }: AuthDeps['config']): boolean =>
  rotations?.hashSecret?.others.some(({ secret }) => hasTag(text, secret)) ?? false;

const hasOurTag = (text: string, config: AuthDeps['config']): boolean =>
  hasTag(text, config.hashSecret) || hasFormerTag(text, config);

/** A credential counts as none if it cannot be valid, as can be told without the store. */
function strangerOf(event: Sent, address: string, route: Route, config: AuthDeps['config']): Stranger {
  const key = acceptsKeys(route) ? requestKeyOf(event) : undefined;
  if (key) {
    const isForged = parseKey(key.text)?.stage !== config.stage || !hasOurTag(key.text, config);
    return { address, credential: isForged ? undefined : key.text };
  }
  const cookie = cookiesOf(event)[SESSION_COOKIE];
  if (cookie === undefined || !isSignInToken(cookie)) return { address, credential: undefined };
  // Without a tag it is a session of an earlier release, or made up: only the store knows.
  return hasOurTag(cookie, config)
    ? { address, credential: cookie }
    : { address, credential: undefined, isGuess: true };
}

/**
 * What a request would be refused for as before, as its sender has no valid credential and has used up the limit;
 * undefined if only the chain can tell. Without the body and without the store, so that floods cost little.
 */
export function refusalOf(
  event: Sent,
  address: string,
  route: Route,
  at: Date,
  { rates, config }: Pick<AuthDeps, 'rates' | 'config'>,
): RateCount | undefined {
  return route.access === 'anyone' ? undefined : rates.refusalOf(strangerOf(event, address, route, config), at);
}

/** Floods of made-up cookies end here: the store is not asked for each of them. */
function assertNotRefused(event: ApiEvent, state: RequestState, deps: AuthDeps): void {
  const refused = refusalOf(event, sourceIp(event), state.route, state.at, deps);
  if (!refused?.exceeded) return;
  state.rate = refused.rate;
  throw strangerError(refused.exceeded);
}

function unauthenticated(event: ApiEvent, route: Route, keySent: boolean): AppError {
  if (acceptsKeys(route) && (keySent || cookiesOf(event)[SESSION_COOKIE] === undefined)) {
    return new AppError(
      'invalid_api_key',
      'The API key is missing, unknown or revoked. Send it as X-Service-Key or as a Bearer token.',
    );
  }
  return new AppError(
    'invalid_session',
    'There is no session, or it has ended. Sign in first; this endpoint takes no API keys.',
  );
}

/** Requests that sign a browser in or send mail must come from the dashboard's own pages, or from programs. */
async function admitAnyone(event: ApiEvent, state: RequestState, { rates, config }: AuthDeps): Promise<void> {
  const counted = await rates.countAddress(sourceIp(event), state.route.rate, state.at);
  state.rate = counted.rate;
  if (counted.exceeded) state.exceeded = counted.exceeded;
  if (isFromForeignPage(event, config))
    throw new AppError('bad_origin', 'From a browser this must be called from a page of the dashboard.');
  state.credential = { id: 'anyone', orgId: '', kind: 'anyone', scopes: [] };
}

/**
 * A link from another site carries no Origin; the browser's Sec-Fetch-Site says where it came from. A GET may sign the
 * browser in, so no method is exempt.
 */
function isFromForeignPage(event: ApiEvent, { origins }: AuthDeps['config']): boolean {
  const origin = header(event, 'origin');
  return origin === undefined ? header(event, 'sec-fetch-site') === 'cross-site' : !isAllowedOrigin(origin, origins);
}

/** The key in either form; undefined if there is none. */
function requestKeyOf(event: Sent): RequestKey | undefined {
  const service = header(event, 'x-service-key');
  if (service) return { text: service, form: 'service' };
  const bearer = /^Bearer\s+(\S+)$/i.exec(header(event, 'authorization') ?? '');
  return bearer?.[1] ? { text: bearer[1], form: 'bearer' } : undefined;
}

/**
 * Finds the key and counts the request, in one store call. False for one that is unknown or revoked. A forged key has
 * no valid tag: it reads nothing of the organization that it names.
 */
async function authenticateKey(key: RequestKey, event: ApiEvent, state: RequestState, deps: KeyDeps): Promise<boolean> {
  const parts = parseKey(key.text);
  if (!parts || parts.stage !== deps.config.stage) return false;
  if (!hasTag(key.text, deps.config.hashSecret) && !hasFormerTag(key.text, deps.config)) return false;
  const hash = sha256Hex(key.text);
  prefetch(event, parts.orgId, deps);
  const isAuthenticated =
    parts.kind === 'public'
      ? await authenticatePublicKey(hash, event, state, deps)
      : await authenticateSecretKey(hash, state, deps);
  if (isAuthenticated) assertOrganization(event, state, key.form);
  return isAuthenticated;
}

async function authenticateSecretKey(hash: string, state: RequestState, { keys }: KeyDeps): Promise<boolean> {
  const found = await keys.authenticate(hash, state.route.rate, state.at);
  if (!found) return false;
  const { id, org_id, kind, scopes, agent } = found.key;
  state.credential = { id, orgId: org_id, kind, scopes, ...(agent && { agent }) };
  state.rate = found.rate;
  if (found.exceeded) state.exceeded = found.exceeded;
  return true;
}

/** A public key is public, so its requests are counted by IP address. */
async function authenticatePublicKey(
  hash: string,
  event: ApiEvent,
  state: RequestState,
  { keys, rates }: KeyDeps,
): Promise<boolean> {
  const key = await keys.find(hash, state.at);
  if (!key) return false;
  const counted = await rates.countAddress(`${key.id} ${sourceIp(event)}`, state.route.rate, state.at);
  state.credential = { id: key.id, orgId: key.org_id, kind: 'public', scopes: [] };
  state.rate = counted.rate;
  if (counted.exceeded) state.exceeded = counted.exceeded;
  return true;
}

/** The error for a key of the other stage, if it is one. */
function wrongStageError(key: RequestKey, { config }: KeyDeps): AppError | undefined {
  const parts = parseKey(key.text);
  if (!parts || parts.stage === config.stage) return undefined;
  return new AppError('wrong_stage', `This is a ${parts.stage} key; use it at ${config.otherStageUrl}.`);
}

function assertOrganization(event: ApiEvent, state: RequestState, form: RequestKey['form']): void {
  const orgId = header(event, 'x-org-id');
  if (form === 'service' && !orgId)
    throw new AppError('org_id_required', 'Send the id of the organization in the header X-Org-Id.');
  if (orgId !== undefined && orgId !== state.credential?.orgId)
    throw new AppError('org_mismatch', 'This key belongs to another organization than the one in X-Org-Id.');
}
