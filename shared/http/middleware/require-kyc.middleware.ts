import type { MiddlewareObj } from '@middy/core';
import { refuseUnverified } from '#shared/domain/accounts/kyc.rules.ts';
import { type ApiEvent, type ApiResult, stateOf } from '#shared/http/request-state.ts';
import { organizationOf } from '#shared/http/setup.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'config' | 'organizations'>;

/**
 * A live key opens nothing once its organization's approval is withdrawn. Sessions still work, so that people can fix
 * it.
 */
export const requireKyc = (deps: Needs): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: async ({ event }) => {
    const { credential } = stateOf(event);
    if (deps.config.stage !== 'live' || !credential || !KEYS.has(credential.kind)) return;
    refuseUnverified(await organizationOf(event, credential.orgId, deps));
  },
});

const KEYS: ReadonlySet<string> = new Set(['service', 'secret', 'public']);
