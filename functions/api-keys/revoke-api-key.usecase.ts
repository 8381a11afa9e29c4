import { AppError } from '#shared/kernel/errors.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A retry after a crash may find the key revoked by its own first run: that is success. */
export async function revokeApiKey({ id }: { readonly id: string }, caller: Caller, { keys }: Pick<Deps, 'keys'>) {
  const revoked = isId('key', id) && ((await keys.revoke(caller.orgId, id)) || caller.operation.resumed);
  if (!revoked) throw new AppError('not_found', 'There is no such API key.');
  return { id, deleted: true as const };
}
