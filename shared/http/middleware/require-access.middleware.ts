import type { MiddlewareObj } from '@middy/core';
import { assertVerified, quarantined } from '#shared/domain/accounts/organization.rules.ts';
import type { RateState } from '#shared/domain/accounts/rate-limits.rules.ts';
import { isAtLeast, isPlatformAtLeast } from '#shared/domain/reference/access.catalog.ts';
import {
  type ApiEvent,
  type ApiResult,
  type Credential,
  organizationOf,
  sourceIp,
  stateOf,
} from '#shared/http/request.ts';
import type { PageOptions, Route } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Checks what the credential may do. A public key has no scopes: it can only call public endpoints. */
export const requireAccess = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const { credential, route } = stateOf(event);
    if (!credential) return;
    assertAccess(route, credential);
    if (credential.agent && route.method !== 'GET' && !route.agents)
      throw new AppError('agent_not_allowed', "An agent's key cannot do this. A member of the organization has to.");
  },
});

function assertAccess(route: Route, { kind, scopes, person }: Credential): void {
  switch (route.access) {
    case 'scope':
      if (!scopes.includes(route.scope))
        throw new AppError('missing_scope', `This ${person ? 'role' : 'key'} lacks the scope ${route.scope}.`);
      return;
    case 'member':
      if (person ? !person.role || !isAtLeast(person.role, route.role) : kind === 'public') {
        throw new AppError('missing_role', `This requires the role ${route.role} or higher in the organization.`);
      }
      return;
    case 'platform':
      if (!person?.platformRole || !isPlatformAtLeast(person.platformRole, route.role))
        throw new AppError('missing_role', `This requires the role ${route.role}.`);
      return;
    case 'public':
    case 'anyone':
    case 'signed_in':
      return;
  }
}

const API_KEYS: ReadonlySet<string> = new Set(['service', 'secret', 'public']);

/**
 * All API keys stop working while the organization is quarantined, live ones also when its KYC approval is withdrawn.
 * Members can still look and revoke keys, and those of an organization without approval can fix that.
 */
export const requireKyc = (deps: Pick<Deps, 'config' | 'organizations'>): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const { credential, route } = stateOf(event);
    if (!credential || credential.orgId === '' || route.access === 'platform') return;
    const isKey = API_KEYS.has(credential.kind);
    if (!isKey && (route.method === 'GET' || route.whileStopped)) return;
    const organization = await organizationOf(event, credential.orgId, deps);
    if (organization?.quarantined_at !== undefined) throw quarantined();
    if (isKey && deps.config.stage === 'live') assertVerified(organization);
  },
});

type Exceeded = { readonly retryAfter: number };

/** Authentication counted the request. It is rejected only here, after the access check. */
export const rateLimit = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => assertBelowLimit(stateOf(event).exceeded),
});

/** What counting has found, for the headers of the response: they need no further read. */
const countedRates = new WeakMap<ApiEvent, RateState>();

export const countedRateOf = (event: ApiEvent): RateState | undefined => countedRates.get(event);

/** Hosted pages need no credential, so requests are counted by IP address. */
export const rateLimitByAddress = (
  { rate }: Pick<PageOptions, 'rate'>,
  { rates, clock }: Pick<Deps, 'rates' | 'clock'>,
): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const counted = await rates.countAddress(sourceIp(event), rate, clock.now());
    countedRates.set(event, counted.rate);
    assertBelowLimit(counted.exceeded);
  },
});

function assertBelowLimit(exceeded: Exceeded | undefined): void {
  if (!exceeded) return;
  throw new AppError('rate_limited', `Too many requests. Try again in ${exceeded.retryAfter} s.`, exceeded);
}
