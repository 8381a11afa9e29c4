import { changeConnection } from '#functions/connections/change-connection.ts';
import { needLive } from '#functions/connections/stored-connection.ts';
import { deleteConnection as gone } from '#shared/domain/connection.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Nothing is paid through it any more. Payments that were stay readable, and refundable for 30 days. */
export async function deleteConnection({ id }: { readonly id: string }, caller: Caller, deps: Pick<Deps, 'connections' | 'clock'>) {
  // A retry after a crash may find it gone by its own first try: that is what was asked for.
  const stored = caller.operation.resumed ? await deps.connections.get(caller.orgId, id) : undefined;
  if (stored?.deleted_at === undefined) await changeConnection(id, 'deleted', (c) => gone(needLive(c), deps.clock.now()), caller, deps);
  return { id, deleted: true as const };
}
