import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import {
  advance,
  allows,
  announce,
  currentAttempt,
  isOpen,
  refundMismatchedAmounts,
  replaceAttempt,
  reviewAfterVerdict,
  touched,
  withAttempt,
  withCurrentReview,
} from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, AttemptEnding, Payment } from '#shared/domain/payments/payment.model.ts';
import type { NewAttempt, VerdictOf } from '#shared/domain/payments/verdict.model.ts';
import { derivedId } from '#shared/kernel/ids.ts';

/** Records why we end the attempt, before we call the PSP. An expiry never replaces a merchant's cancel. */
export function recordEnding(payment: Payment, attemptId: string, ending: AttemptEnding): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId);
  return attempt && isOpen(attempt) && attempt.ending !== ending && attempt.ending !== 'cancel'
    ? replaceAttempt(payment, { ...attempt, ending })
    : undefined;
}

/** The PSP refused to end the attempt. If it ends later, that is not our doing. */
export function clearEnding(payment: Payment, attemptId: string): Payment | undefined {
  const attempt = payment.attempts.find((a) => a.id === attemptId && isOpen(a) && a.ending !== undefined);
  if (!attempt) return undefined;
  const { ending: _, ...rest } = attempt;
  return replaceAttempt(payment, rest);
}

/** A PSP reports that its page ended, and not who ended it. Whether we did is stored on the attempt. */
export function endAttempt(
  payment: Payment,
  attempt: Attempt,
  verdict: VerdictOf<'failed' | 'canceled'>,
  at: Date,
  next?: NewAttempt,
): Payment {
  const reference = verdict.reference ?? attempt.psp_reference;
  if (attempt.ending === 'cancel') return cancel(payment, attempt, reference, at);
  if (verdict.kind === 'failed') return fail(payment, attempt, verdict, at, next);
  return attempt.ending === 'expire'
    ? fail(payment, attempt, expiredVerdict(reference), at)
    : cancel(payment, attempt, reference, at);
}

/** The customer did not finish in time, or gave up. */
export const expiredVerdict = (
  reference: string | null,
  reason: 'expired' | 'customer_canceled' = 'expired',
): VerdictOf<'failed'> => ({
  kind: 'failed',
  reference,
  failure: failureOf(declineOf(reason)),
  allowsFailover: false,
});

function fail(payment: Payment, attempt: Attempt, verdict: VerdictOf<'failed'>, at: Date, next?: NewAttempt): Payment {
  const failed: Attempt = {
    ...attempt,
    status: 'failed',
    phase: 'final',
    failure: verdict.failure,
    psp_reference: verdict.reference ?? attempt.psp_reference,
    ...(verdict.call && { call: verdict.call }),
  };
  const updated = replaceAttempt(touched(payment, at), failed);
  const current = currentAttempt(payment)?.id === attempt.id;
  if (!current || !(payment.status === 'processing' || payment.status === 'requires_action')) return updated;
  const settled = { ...updated, review: reviewAfterVerdict(updated) };
  const authentication =
    payment.status === 'processing' && !attempt.handed_out
      ? authenticationSeed(payment, attempt, verdict, at)
      : undefined;
  if (authentication) return withAttempt(replaceAttempt(settled, withoutAbTest(failed)), authentication, at);
  // Once the customer was sent to the PSP's page, a charge at a second PSP could take the money twice.
  if (next && verdict.allowsFailover && payment.status === 'processing' && !attempt.handed_out)
    return withAttempt(settled, next, at);
  const ended = {
    ...advance(settled, 'fail', at),
    failure: verdict.failure,
    psp_reference: failed.psp_reference,
    alternatives: [],
  };
  return announce(ended, 'payment.failed', at);
}

/** The attempt that continues this one is counted in the A/B test instead. */
const withoutAbTest = ({ ab_test: _, ...attempt }: Attempt): Attempt => attempt;

const NEEDS_AUTHENTICATION: ReadonlySet<string> = new Set(['authentication_required', 'authentication_failed']);

/**
 * An off-session charge whose issuer requires authentication (SCA): a second attempt at the same connection involves
 * the customer. The write that ends the first attempt starts it, wherever the verdict came from.
 */
function authenticationSeed(
  { off_session }: Payment,
  attempt: Attempt,
  { failure }: VerdictOf<'failed'>,
  at: Date,
): NewAttempt | undefined {
  const { id, connection_id, provider, credentials_mark, generation, workflow_id, on_session, ab_test } = attempt;
  if (!off_session || on_session || !NEEDS_AUTHENTICATION.has(failure.code)) return undefined;
  const connection = {
    connection_id,
    provider,
    ...(credentials_mark !== undefined && { credentials_mark }),
    ...(generation !== undefined && { generation }),
    ...(workflow_id !== undefined && { workflow_id }),
  };
  return {
    id: derivedId('attempt', at, id, 'on_session'),
    ...connection,
    ...(ab_test && { ab_test }),
    alternatives: [],
    on_session: true,
  };
}

function cancel(payment: Payment, attempt: Attempt, reference: string | null, at: Date): Payment {
  const ended: Attempt = { ...attempt, status: 'canceled', phase: 'final', psp_reference: reference };
  const updated = replaceAttempt(touched(payment, at), ended);
  const current = currentAttempt(payment)?.id === attempt.id;
  if (!current || !allows(payment, 'cancel')) return updated;
  const refunding = refundMismatchedAmounts({ ...updated, review: reviewAfterVerdict(updated) }, 'after_cancel', at);
  return announce(
    { ...advance(withCurrentReview(refunding, at), 'cancel', at), psp_reference: reference, sealed_method: null },
    'payment.canceled',
    at,
  );
}

/** Cancels a payment without calling the PSP. If the PSP took money, it is refunded once. */
export function cancelLocally(payment: Payment, at: Date): Payment {
  const canceled = announce(
    { ...advance(payment, 'cancel', at), review: null, sealed_method: null },
    'payment.canceled',
    at,
  );
  return closeAttempts(refundMismatchedAmounts(canceled, 'after_cancel', at));
}

export const closeAttempts = (payment: Payment): Payment =>
  payment.attempts.reduce(
    (p, a) => (isOpen(a) ? replaceAttempt(p, { ...a, status: 'canceled', phase: 'final' }) : p),
    payment,
  );
