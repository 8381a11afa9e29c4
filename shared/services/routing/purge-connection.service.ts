import { auditOfPurge } from '#shared/domain/routing/connection-audit.rules.ts';
import { purgeCredentials } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'connections' | 'clock'>;

/** Deletes credentials whose retention is over, after they were replaced or their connection deleted. */
export async function purgeConnection(
  { orgId, id }: { readonly orgId: string; readonly id: string },
  { connections, clock }: Needs,
): Promise<void> {
  const connection = await connections.get(orgId, id);
  const at = clock.now();
  const purged = connection && purgeCredentials(connection, at);
  // A lost race means that the connection was recreated or already purged: the next sweep looks again.
  if (purged) await connections.save(purged, auditOfPurge(connection, purged, at));
}
