import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

const MISSING = 'There is no such connection.';

export const isConnectionId = (id: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(id);

export const isLive = (connection: Connection | undefined): connection is Connection =>
  connection !== undefined && connection.deleted_at === undefined;

/** The connection, or a 404, also for a deleted one. */
export const needLive = (connection: Connection | undefined): Connection =>
  need(isLive(connection) ? connection : undefined, MISSING);

export async function storedConnection(
  { id }: { readonly id: string },
  caller: Caller,
  { connections }: Pick<Deps, 'connections'>,
): Promise<Connection> {
  return needLive(isConnectionId(id) ? await connections.get(caller.orgId, id) : undefined);
}
