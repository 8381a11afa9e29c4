import type { Connection } from '#shared/domain/connection.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function storedConnection({ id }: { readonly id: string }, caller: Caller, { connections }: Pick<Deps, 'connections'>): Promise<Connection> {
  const isPossible = /^[A-Za-z0-9_-]{1,64}$/.test(id);
  return need(isPossible ? await connections.get(caller.orgId, id) : undefined, 'There is no such connection.');
}
