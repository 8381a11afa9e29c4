import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { type ApiEvent, stateOf } from '#shared/http/request-state.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';

/**
 * The organization's setup, read once per request. It is begun early, and may fail before it is awaited: that must not
 * be an unhandled rejection.
 */
export function setupOf(
  event: ApiEvent,
  orgId: string,
  { organizations }: Pick<Deps, 'organizations'>,
): Promise<Setup> {
  const state = stateOf(event);
  if (!state.setup) {
    state.setup = organizations.setup(orgId);
    state.setup.catch(() => undefined);
  }
  return state.setup;
}

/** The organization alone; taken from the setup where the route reads that. */
export async function organizationOf(
  event: ApiEvent,
  orgId: string,
  deps: Pick<Deps, 'organizations'>,
): Promise<Organization | undefined> {
  const state = stateOf(event);
  if (state.route.prefetch) return (await setupOf(event, orgId, deps)).organization;
  state.organization ??= deps.organizations.byId(orgId);
  return state.organization;
}

/** Starts reading what is needed once the key is verified: on the live stage the organization's KYC state, too. */
export function readAhead(event: ApiEvent, orgId: string, deps: Pick<Deps, 'organizations' | 'config'>): void {
  if (stateOf(event).route.prefetch) void setupOf(event, orgId, deps);
  else if (deps.config.stage === 'live') void organizationOf(event, orgId, deps).catch(() => undefined);
}
