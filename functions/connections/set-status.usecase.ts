import { changeConnection } from '#functions/connections/change-connection.ts';
import { needLive } from '#functions/connections/stored-connection.ts';
import { withCalls } from '#functions/connections/with-calls.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { nextVersion } from '#shared/domain/routing/connection.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Input = { readonly id: string; readonly status: Connection['status'] };

/** An inactive connection takes no new payments; those that it has taken go on. */
export async function setStatus(
  { id, status }: Input,
  caller: Caller,
  deps: Pick<Deps, 'connections' | 'totals' | 'clock'>,
) {
  const changed = await changeConnection(
    id,
    'status_changed',
    (stored) => ({ ...nextVersion(needLive(stored), deps.clock.now()), status }),
    caller,
    deps,
  );
  return withCalls(changed, deps);
}
