import { invalidSignature, type WebhookTarget } from '#functions/psp-webhooks/resolve-webhook-target.ts';
import { findReportedAttempt } from '#shared/domain/payments/callback.rules.ts';
import { capturesOf, chargeOf } from '#shared/domain/payments/capture.rules.ts';
import { attemptConnectionOf } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AttemptConnection } from '#shared/domain/payments/verdict.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, type InboundCallback, PspRefused, type UnverifiedEvent } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { callbackToken, isToken } from '#shared/services/payments/charge-order.service.ts';
import { openWithOriginalCredentials } from '#shared/services/payments/psp-session.service.ts';

/**
 * A callback whose sender is verified, with its payment and an open session for calls to the PSP. `attemptConnection`:
 * the credentials that verified it.
 */
export type VerifiedWebhook = WebhookTarget & {
  readonly attemptConnection: AttemptConnection;
  readonly session: PspSession;
  readonly deadline: Deadline;
};

type VerifyDeps = Pick<Deps, 'psp' | 'rates' | 'config' | 'clock'>;

/** Replaced credentials are accepted too: their account still reports payments made with them. */
export async function verifyWebhook(
  callback: InboundCallback,
  event: UnverifiedEvent,
  target: WebhookTarget,
  deadline: Deadline,
  deps: VerifyDeps,
): Promise<VerifiedWebhook> {
  for (const attemptConnection of candidateCredentials(target, event.subject)) {
    const session = await undefinedIfPurged(
      openWithOriginalCredentials(target.connection, attemptConnection, deadline, deps),
    );
    if (!session || !(await session.verifyCallback(callback))) continue;
    if (session.isUnsigned(callback)) await countLookup(callback, event, target, session, deps);
    return { ...target, attemptConnection, session, deadline };
  }
  throw invalidSignature();
}

/**
 * Each callback leads to a call with the merchant's key, and an unsigned one may come from anybody. One with our token,
 * which only the PSP knows, always counts. Any other one is looked up once in a while: the response makes the PSP send it
 * again. Where a secret shows who sends it, only a repeat of the same event has to wait.
 */
async function countLookup(
  { query }: InboundCallback,
  { eventId }: UnverifiedEvent,
  { payment, connection }: WebhookTarget,
  { adapter }: PspSession,
  { rates, config, clock }: VerifyDeps,
): Promise<void> {
  const ids = { org_id: payment.org_id, connection_id: connection.id, payment_id: payment.id };
  if (isToken(query.t ?? '', callbackToken(ids), config)) return;
  const subject = adapter.unsignedCallbacks ? payment.id : `${payment.id} ${eventId}`;
  const { exceeded } = await rates.countCallback(subject, clock.now());
  if (exceeded)
    throw new AppError('rate_limited', 'This payment was looked up a moment ago. Send the event again later.', {
      retryAfter: exceeded.retryAfter,
    });
}

/**
 * Purged credentials are skipped. Any other failure to open credentials is our fault, so the provider must send again.
 */
async function undefinedIfPurged(opening: Promise<PspSession>): Promise<PspSession | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'not_found') return undefined;
    throw error;
  }
}

/**
 * The credentials of the attempt that the event is about, then the other attempts', then the connection's current ones.
 */
function candidateCredentials(
  { payment, connection }: WebhookTarget,
  subject: UnverifiedEvent['subject'],
): readonly AttemptConnection[] {
  const atConnection = payment.attempts.filter((attempt) => attempt.connection_id === connection.id).reverse();
  const subjectAttempt = attemptOf(subject, payment, connection.id);
  const attempts = subjectAttempt ? [subjectAttempt, ...atConnection] : atConnection;
  const all = attempts.map(credentialsOf).concat(attemptConnectionOf(connection));
  return [...new Map(all.map((attemptConnection) => [attemptConnection.credentials_mark, attemptConnection])).values()];
}

function attemptOf(subject: UnverifiedEvent['subject'], payment: Payment, connectionId: string): Attempt | undefined {
  if (subject.kind === 'ignored') return undefined;
  if (subject.kind === 'payment')
    return (
      chargeOf(payment, subject.reference) ??
      findReportedAttempt(payment, { connection_id: connectionId }, [subject.reference, subject.ourId])
    );
  const transfers = [...payment.refunds, ...capturesOf(payment)];
  const namedId =
    subject.kind === 'dispute'
      ? undefined
      : transfers.find(
          ({ id, psp_reference }) =>
            id === subject.ourId || (psp_reference !== null && psp_reference === subject.reference),
        )?.attempt_id;
  return payment.attempts.find(({ id }) => id === namedId) ?? chargeOf(payment, subject.paymentReference);
}

const credentialsOf = ({ connection_id, provider, credentials_mark, generation }: Attempt): AttemptConnection => ({
  connection_id,
  provider,
  ...(credentials_mark !== undefined && { credentials_mark }),
  ...(generation !== undefined && { generation }),
});
