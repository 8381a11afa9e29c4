import type { Organization } from '#shared/domain/organization.model.ts';
import { type ApiEvent, stateOf } from '#shared/http/request-state.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

/** The organization's setup, read once a request. Begun early, it may fail before anybody waits for it: that is no crash. */
export function setupOf(event: ApiEvent, orgId: string, { organizations }: Pick<Deps, 'organizations'>): Promise<Setup> {
  const state = stateOf(event);
  if (!state.setup) {
    state.setup = organizations.setup(orgId);
    state.setup.catch(() => undefined);
  }
  return state.setup;
}

/** The organization by itself; where the route's setup is read it is in there, and no other call is made. */
export async function organizationOf(event: ApiEvent, orgId: string, deps: Pick<Deps, 'organizations'>): Promise<Organization | undefined> {
  const state = stateOf(event);
  if (state.route.prefetch) return (await setupOf(event, orgId, deps)).organization;
  state.organization ??= deps.organizations.byId(orgId);
  return state.organization;
}

/** Begins what will be asked for once the key is known to be right: on the live stage whether its organization is verified, too. */
export function readAhead(event: ApiEvent, orgId: string, deps: Pick<Deps, 'organizations' | 'config'>): void {
  if (stateOf(event).route.prefetch) void setupOf(event, orgId, deps);
  else if (deps.config.stage === 'live') void organizationOf(event, orgId, deps).catch(() => undefined);
}
