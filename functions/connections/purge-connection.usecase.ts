import { purgeCredentials } from '#shared/domain/connection.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'connections' | 'clock'>;

/** Takes the credentials of a connection that was deleted long ago out of the store. */
export async function purgeConnection({ orgId, id }: { readonly orgId: string; readonly id: string }, { connections, clock }: Needs): Promise<void> {
  const connection = await connections.get(orgId, id);
  const purged = connection && purgeCredentials(connection, clock.now());
  // A lost race means that it was made anew, or purged already: the next sweep looks again.
  if (purged) await connections.save(purged);
}
