import {
  beginRelease,
  clearRelease,
  markReleased,
  recordReleaseCall,
} from '#shared/domain/payments/authorization.machine.ts';
import { canCancel, notCancelable } from '#shared/domain/payments/capability.rules.ts';
import { authorizedAttempt, pendingCaptures } from '#shared/domain/payments/capture.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { applyAuthorization } from '#shared/domain/payments/reported-authorization.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { PspAuthorization } from '#shared/ports/capture.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, PspNotSent, PspRefused } from '#shared/ports/psp.port.ts';
import { classifyLookup } from '#shared/services/payments/classify-outcome.service.ts';
import { chargeRef, openSession } from '#shared/services/payments/psp-session.service.ts';
import { outcomeUnknown } from '#shared/services/payments/query-attempt.service.ts';

export type AuthorizationDeps = Pick<Deps, 'payments' | 'psp' | 'clock' | 'log' | 'connections'>;

/**
 * What the PSP says about a release. `open`: it has released nothing, and says so. `not_sent`: it did not get the call.
 */
type ReleaseAnswer =
  | { readonly kind: 'released'; readonly by: 'cancel' | 'expire' }
  | { readonly kind: 'reported'; readonly report: PspAuthorization }
  | { readonly kind: 'accepted' | 'open' | 'unknown' | 'not_sent' };

/** Asks the PSP to release an authorization, and what has become of it where it refuses. */
async function askForRelease(
  payment: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: AuthorizationDeps,
): Promise<ReleaseAnswer> {
  try {
    const session = await openSession(payment, attempt, deadline, deps);
    const charge = { ...chargeRef(payment, attempt), mayCapture: false };
    const outcome = await session.cancel(charge).catch((error: unknown) => {
      if (error instanceof PspRefused && (error.kind === 'state' || error.kind === 'not_found')) return undefined;
      throw error;
    });
    if (outcome?.kind === 'accepted') return { kind: 'accepted' };
    // Somebody may have captured a part of it at the PSP.
    const mayBeCaptured = outcome?.kind !== 'canceled' || session.adapter.manualCapture?.multi === true;
    const report = mayBeCaptured ? await session.fetchAuthorization(charge) : undefined;
    if (report) return { kind: 'reported', report };
    if (outcome?.kind === 'canceled') return { kind: 'released', by: outcome.expired ? 'expire' : 'cancel' };
    const verdict = await classifyLookup(async () => outcome ?? session.fetch(charge), deps.log);
    if (verdict.kind === 'canceled') return { kind: 'released', by: verdict.expired ? 'expire' : 'cancel' };
    if (verdict.kind === 'failed') return { kind: 'released', by: 'expire' };
    return { kind: verdict.kind === 'unknown' ? 'unknown' : 'open' };
  } catch (error) {
    const wasSent = !(error instanceof PspNotSent || error instanceof PspRefused);
    deps.log.warn('release_without_answer', { payment_id: payment.id, reason: String(error), was_sent: wasSent });
    return { kind: wasSent ? 'unknown' : 'not_sent' };
  }
}

type Released = { readonly payment: Payment; readonly answer: ReleaseAnswer };

/** Releases an authorization that is marked to be released. Repeats are safe: what is released stays so. */
export async function releaseAuthorization(
  before: Payment,
  attemptId: string,
  deadline: Deadline,
  deps: AuthorizationDeps,
): Promise<Released> {
  const attempt = before.attempts.find(({ id, release }) => id === attemptId && release && !release.done);
  if (!attempt) return { payment: before, answer: { kind: 'open' } };
  const answer = await askForRelease(before, attempt, deadline, deps);
  const payment = await deps.payments.change(before, (p) => {
    const at = deps.clock.now();
    const asked = recordReleaseCall(p, attemptId, at) ?? p;
    return applyAnswer(asked, attemptId, answer, at) ?? (asked === p ? undefined : asked);
  });
  return { payment, answer };
}

function applyAnswer(payment: Payment, attemptId: string, answer: ReleaseAnswer, at: Date): Payment | undefined {
  if (answer.kind === 'released') return markReleased(payment, attemptId, answer.by, at);
  const settled = answer.kind === 'reported' ? applyAuthorization(payment, attemptId, answer.report, at) : undefined;
  const attempt = payment.attempts.find(({ id }) => id === attemptId);
  // The merchant's wish ends with the PSP's refusal. Any other authorization is asked for again, until it lapses.
  const isRefused = isOpen(answer) && attempt?.release?.reason === 'cancel';
  return isRefused ? (clearRelease(settled ?? payment, attemptId) ?? settled) : settled;
}

const isOpen = (answer: ReleaseAnswer): boolean =>
  answer.kind === 'open' ||
  answer.kind === 'not_sent' ||
  (answer.kind === 'reported' && answer.report.state === 'open');

/**
 * Cancels an authorized payment: what is not captured is given back. A payment of which something was captured has
 * succeeded then.
 */
export async function cancelAuthorized(
  payment: Payment,
  deadline: Deadline,
  deps: AuthorizationDeps,
): Promise<Payment> {
  const { org_id, connection_id } = payment;
  const connection = connection_id === null ? undefined : await deps.connections.get(org_id, connection_id);
  if (!canCancel(connection)) throw notCancelable(connection, payment);
  const marked = await deps.payments.change(payment, (p) => beginRelease(p, 'cancel', deps.clock.now()));
  const attempt = authorizedAttempt(marked);
  if (!attempt) return marked;
  const { payment: released, answer } = await releaseAuthorization(marked, attempt.id, deadline, deps);
  if (released.status === 'canceled' || (released.released_amount ?? 0) > 0 || answer.kind === 'accepted')
    return released;
  if (answer.kind === 'unknown') throw outcomeUnknown();
  if (answer.kind === 'not_sent')
    throw new AppError('provider_error', 'The provider could not be reached to cancel this payment. Try again.');
  throw released.status === 'authorized' ? noVoid(released) : notCancelable(connection, released);
}

function noVoid({ provider, capturable_until }: Payment): AppError {
  const until = capturable_until ? `lapses at ${capturable_until}` : 'lapses by itself';
  return new AppError(
    'payment_not_cancelable',
    `${provider} does not release this authorization. Capture the payment and refund it, or wait: it ${until}.`,
  );
}

/** Releases authorizations that a payment may not keep, and that nobody has asked the PSP to release yet. */
export async function releaseUnwanted(before: Payment, deadline: Deadline, deps: AuthorizationDeps): Promise<Payment> {
  let payment = before;
  for (const attempt of before.attempts)
    if (isReleaseUnsent(attempt)) payment = (await releaseAuthorization(payment, attempt.id, deadline, deps)).payment;
  return payment;
}

/** A cancel is sent by its own request, and an expiry by the timer. */
const isReleaseUnsent = ({ status, release }: Attempt): boolean =>
  status === 'authorized' &&
  release !== undefined &&
  release.asked_at === undefined &&
  release.reason !== 'cancel' &&
  release.reason !== 'expire';

/** Reads what the PSP knows of a charge, and applies it. The payment as it was if the PSP has no such look-up. */
export async function lookUpAuthorization(
  payment: Payment,
  attemptId: string,
  deadline: Deadline,
  deps: AuthorizationDeps,
): Promise<Payment> {
  const attempt = payment.attempts.find(({ id }) => id === attemptId);
  if (!attempt || attempt.psp_reference === null) return payment;
  try {
    const session = await openSession(payment, attempt, deadline, deps);
    const report = await session.fetchAuthorization({ ...chargeRef(payment, attempt), mayCapture: false });
    if (!report) return payment;
    return await deps.payments.change(payment, (p) => applyAuthorization(p, attemptId, report, deps.clock.now()));
  } catch (error) {
    if (error instanceof AppError) throw error;
    deps.log.warn('authorization_not_read', { payment_id: payment.id, reason: String(error) });
    return payment;
  }
}

/**
 * The time of the authorization is over. The PSP may have extended it; otherwise it is released there, so that it holds
 * no money of the customer any longer.
 */
export async function endAuthorization(
  before: Payment,
  attempt: Attempt,
  deadline: Deadline,
  deps: AuthorizationDeps,
): Promise<Payment> {
  const payment = await lookUpAuthorization(before, attempt.id, deadline, deps);
  const { capturable_until: until } = payment;
  const now = deps.clock.now();
  if (payment.status !== 'authorized' || (until && until > now.toISOString())) return payment;
  const marked = await deps.payments.change(payment, (p) =>
    authorizedAttempt(p)?.id === attempt.id && pendingCaptures(p).length === 0
      ? beginRelease(p, 'expire', now)
      : undefined,
  );
  return (await releaseAuthorization(marked, attempt.id, deadline, deps)).payment;
}
