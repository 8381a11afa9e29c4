import { assertLive, changeConnection, withCallTotals } from '#functions/connections/connection-store.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { markDeleted, nextVersion } from '#shared/domain/routing/connection.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type ById = { readonly id: string };
type Needs = Pick<Deps, 'connections' | 'storedTotals' | 'clock' | 'config' | 'psp'>;

/** Replaces all labels. */
export async function setLabels(
  { id, labels }: ById & { readonly labels: readonly string[] },
  caller: Caller,
  deps: Needs,
) {
  const decide = (stored: Connection | undefined) => ({ ...nextVersion(assertLive(stored), deps.clock.now()), labels });
  return withCallTotals(await changeConnection(id, 'labels_changed', decide, caller, deps), deps);
}

/** An inactive connection gets no new payments; payments that it already has continue. */
export async function setStatus(
  { id, status }: ById & { readonly status: Connection['status'] },
  caller: Caller,
  deps: Needs,
) {
  const decide = (stored: Connection | undefined) => ({ ...nextVersion(assertLive(stored), deps.clock.now()), status });
  return withCallTotals(await changeConnection(id, 'status_changed', decide, caller, deps), deps);
}

/** It gets no new payments. Its earlier payments stay readable, and refundable until the credentials are purged. */
export async function deleteConnection({ id }: ById, caller: Caller, deps: Pick<Deps, 'connections' | 'clock'>) {
  // A retry after a crash succeeds if its own first run deleted the connection.
  const stored = caller.operation.resumed ? await deps.connections.get(caller.orgId, id) : undefined;
  if (stored?.deleted_at === undefined)
    await changeConnection(id, 'deleted', (c) => markDeleted(assertLive(c), deps.clock.now()), caller, deps);
  return { id, deleted: true as const };
}
