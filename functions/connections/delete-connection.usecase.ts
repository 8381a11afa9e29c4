import { changeConnection } from '#functions/connections/change-connection.ts';
import { needLive } from '#functions/connections/stored-connection.ts';
import { markDeleted } from '#shared/domain/routing/connection.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** No new payments go through it. Its earlier payments stay readable, and refundable for 30 days. */
export async function deleteConnection(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'connections' | 'clock'>,
) {
  // A retry after a crash may find it deleted by its own first run: that is success.
  const stored = caller.operation.resumed ? await deps.connections.get(caller.orgId, id) : undefined;
  if (stored?.deleted_at === undefined)
    await changeConnection(id, 'deleted', (c) => markDeleted(needLive(c), deps.clock.now()), caller, deps);
  return { id, deleted: true as const };
}
