import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { credentialsOf, type SentThrough } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { sessionOfEither } from '#shared/services/payments/session-of-either.service.ts';

/** Opens the account that a charge or refund was sent to, with the credentials it was sent with. */
export async function openAsSent(
  connection: Connection,
  sent: Pick<SentThrough, 'credentials_mark' | 'generation'>,
  deadline: Deadline,
  { psp }: Pick<Deps, 'psp'>,
): Promise<PspSession> {
  const { own, now } = credentialsOf(connection, sent);
  const open = (sealed_credentials: string) => psp.open({ ...connection, sealed_credentials }, deadline);
  if (now === undefined) {
    if (own === undefined) throw new PspRefused('not_found', 'The connection is gone.');
    return open(own);
  }
  const adapter = psp.adapter(connection.provider);
  if (!adapter) throw new PspRefused('request', 'This provider is not supported yet.');
  return sessionOfEither({
    adapter,
    own: own === undefined ? undefined : await openable(open(own)),
    now: () => open(now),
    isKept: own !== undefined,
  });
}

/** Undefined for credentials that do not open. */
async function openable(opening: Promise<PspSession>): Promise<PspSession | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof PspRefused) return undefined;
    throw error;
  }
}
