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
