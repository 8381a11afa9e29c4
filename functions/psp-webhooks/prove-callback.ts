import { wrongSignature } from '#functions/psp-webhooks/routed.ts';
import type { VerifiedCallback } from '#functions/psp-webhooks/verified-callback.ts';
import { attemptFor } from '#shared/domain/payments/callback.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { type SentThrough, sentThrough } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type CallbackReading, type InboundCallback, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { openAsSent } from '#shared/services/payments/open-as-sent.service.ts';

type Routed = Pick<VerifiedCallback, 'payment' | 'connection' | 'deadline'>;

/** Verifies the sender. Replaced credentials are tried as well: their account still reports what was paid with them. */
export async function proveCallback(
  callback: InboundCallback,
  { subject }: CallbackReading,
  routed: Routed,
  deps: Pick<Deps, 'psp'>,
): Promise<VerifiedCallback> {
  for (const through of speakers(routed, subject)) {
    const session = await stillThere(openAsSent(routed.connection, through, routed.deadline, deps));
    if (session && (await session.verifies(callback))) return { ...routed, through, session };
  }
  throw wrongSignature();
}

/**
 * Purged credentials verify nothing. Credentials that fail to open are our fault, so the provider is made to send
 * again.
 */
async function stillThere(opening: Promise<PspSession>): Promise<PspSession | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/**
 * First the credentials of the attempt that seems meant, then those of the others, then the connection's current ones.
 */
function speakers({ payment, connection }: Routed, subject: CallbackReading['subject']): readonly SentThrough[] {
  const there = payment.attempts.filter((attempt) => attempt.connection_id === connection.id).reverse();
  const meant = meantBy(subject, payment, connection.id);
  const all = [...(meant ? [meant] : []), ...there].map(throughOf).concat(sentThrough(connection));
  return [...new Map(all.map((through) => [through.credentials_mark, through])).values()];
}

function meantBy(subject: CallbackReading['subject'], payment: Payment, connectionId: string): Attempt | undefined {
  if (subject.kind === 'ignored') return undefined;
  if (subject.kind === 'payment')
    return attemptFor(payment, { connection_id: connectionId }, [subject.reference, subject.ours]);
  const ofRefund = payment.refunds.find(
    ({ id, psp_reference }) => id === subject.ours || psp_reference === subject.reference,
  )?.attempt_id;
  return payment.attempts.find(
    ({ id, psp_reference }) =>
      id === ofRefund || (psp_reference !== null && psp_reference === subject.paymentReference),
  );
}

const throughOf = ({ connection_id, provider, credentials_mark, generation }: Attempt): SentThrough => ({
  connection_id,
  provider,
  ...(credentials_mark !== undefined && { credentials_mark }),
  ...(generation !== undefined && { generation }),
});
