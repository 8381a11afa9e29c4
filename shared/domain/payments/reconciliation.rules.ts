import { currentAttempt, isOpen, isUnknown, touched } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { DAY, HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';

/**
 * When the PSP is polled about a call, from its first send: after 1 minute, 5 times every 5 minutes, after 1 hour, then
 * daily.
 */
const FIRST_POLLS = [MINUTE, ...[1, 2, 3, 4, 5].map((n) => MINUTE + n * 5 * MINUTE), 26 * MINUTE + HOUR] as const;

/**
 * Days for which a PSP is polled. A charge it has accepted may take two or three weeks where the money comes by bank.
 */
const POLL_DAYS = 7;
const SLOW_POLL_DAYS: Readonly<Record<string, number>> = { sepa_debit: 21, bank_transfer: 14 };

const pollDaysFor = ({ method }: Payment, { phase }: Attempt): number =>
  phase === 'accepted' ? (SLOW_POLL_DAYS[method] ?? POLL_DAYS) : POLL_DAYS;

/** Whether the timer has stopped polling: it leaves the charge to a person, or will once another review has ended. */
export const isPollingOver = (payment: Payment, attempt: Attempt): boolean =>
  areAllPollsDone(attempt.asks, pollDaysFor(payment, attempt));

const areAllPollsDone = (polls: number | undefined, days: number): boolean => (polls ?? 0) >= FIRST_POLLS.length + days;

/** How long a customer may take on a PSP's page if the PSP reports no expiry. */
const CUSTOMER_ACTION_LIFETIME = 24 * HOUR;

/**
 * The relay passes events on within a second; after this time the sweeper does it. The oldest waiting event counts: by
 * the newest, a payment that keeps changing would never be relayed.
 */
export const RELAY_GRACE = 5 * MINUTE;

/** A GET polls the PSP about a call older than this, and at most this often. */
const READ_POLL_INTERVAL = 10 * SECOND;

/** `at`: when it is due, in milliseconds since 1970. */
export type DueTask =
  | { readonly kind: 'poll_attempt'; readonly attempt: Attempt; readonly at: number }
  | { readonly kind: 'give_up'; readonly attempt: Attempt; readonly at: number }
  | { readonly kind: 'expire'; readonly attempt: Attempt; readonly at: number }
  | { readonly kind: 'poll_refund'; readonly refund: Refund; readonly at: number }
  | { readonly kind: 'give_up_refund'; readonly refund: Refund; readonly at: number }
  | { readonly kind: 'relay'; readonly at: number };

/** What is scheduled for this payment. A task that is done leaves the list by the change it made. */
export function dueTasksOf(payment: Payment): readonly DueTask[] {
  const tasks: DueTask[] = [];
  for (const attempt of payment.attempts) {
    const days = pollDaysFor(payment, attempt);
    // A person handles this charge; the others are still polled.
    const isReviewed = attempt.wrong_amount || (payment.review && areAllPollsDone(attempt.asks, days));
    if (!isOpen(attempt) || isReviewed) continue;
    if (attempt.status === 'requires_action') tasks.push({ kind: 'expire', attempt, at: expiryOf(attempt) });
    else
      tasks.push(
        nextPoll(attempt.started_at, attempt.asks, days, (at, over) => ({
          kind: over ? 'give_up' : 'poll_attempt',
          attempt,
          at,
        })),
      );
  }
  for (const refund of payment.refunds) {
    if (refund.phase === 'final' || refund.given_up || (payment.review && areAllPollsDone(refund.asks, POLL_DAYS)))
      continue;
    tasks.push(
      nextPoll(refund.created_at, refund.asks, POLL_DAYS, (at, over) => ({
        kind: over ? 'give_up_refund' : 'poll_refund',
        refund,
        at,
      })),
    );
  }
  const waiting = payment.outbox[0];
  if (waiting) tasks.push({ kind: 'relay', at: Date.parse(waiting.at) + RELAY_GRACE });
  return tasks;
}

/** The next poll, or the hand-over to a person that follows the last one. */
function nextPoll(
  since: string,
  polls: number | undefined,
  days: number,
  make: (at: number, over: boolean) => DueTask,
): DueTask {
  const over = areAllPollsDone(polls, days);
  const n = over ? FIRST_POLLS.length + days - 1 : (polls ?? 0);
  const after = FIRST_POLLS[n] ?? 26 * MINUTE + HOUR + (n - FIRST_POLLS.length + 1) * DAY;
  return make(Date.parse(since) + after, over);
}

const expiryOf = ({ expires_at, started_at }: Attempt): number =>
  expires_at ? Date.parse(expires_at) : Date.parse(started_at) + CUSTOMER_ACTION_LIFETIME;

/**
 * When the payment must be processed next, if ever. An earlier entry that is already stored stays, because processing
 * early does no harm.
 */
export function nextDueAt(payment: Payment, storedDueAt: string | undefined): string | undefined {
  const tasks = dueTasksOf(payment);
  if (tasks.length === 0) return undefined;
  const earliest = new Date(Math.min(...tasks.map(({ at }) => at))).toISOString();
  return storedDueAt !== undefined && storedDueAt < earliest ? storedDueAt : earliest;
}

/** Whether a GET should poll the PSP first. */
export function shouldPollOnRead(payment: Payment, at: Date): boolean {
  const attempt = currentAttempt(payment);
  if (!attempt || payment.review || !isUnknown(attempt)) return false;
  const last = attempt.asked_at ?? attempt.started_at;
  return plus(last, READ_POLL_INTERVAL) <= at;
}

/** Records a poll. Only the timer's polls advance the schedule of polls. */
export function recordPoll(payment: Payment, attemptId: string, by: 'timer' | 'reader', at: Date): Payment {
  const polled = (attempt: Attempt): Attempt => ({
    ...attempt,
    asked_at: at.toISOString(),
    ...(by === 'timer' && isOpen(attempt) && { asks: (attempt.asks ?? 0) + 1 }),
  });
  return { ...payment, attempts: payment.attempts.map((a) => (a.id === attemptId ? polled(a) : a)) };
}

export function recordRefundPoll(payment: Payment, refundId: string, at: Date): Payment | undefined {
  const noted = (refund: Refund): Refund => ({ ...refund, asked_at: at.toISOString(), asks: (refund.asks ?? 0) + 1 });
  return payment.refunds.some((r) => r.id === refundId && r.phase !== 'final')
    ? { ...payment, refunds: payment.refunds.map((r) => (r.id === refundId ? noted(r) : r)) }
    : undefined;
}

/** No verdict came: from here on a person decides. */
export function handOverToReview(payment: Payment, refundId: string | undefined, at: Date): Payment | undefined {
  if (payment.review) return undefined;
  return {
    ...touched(payment, at),
    review: { reason: 'no_verdict', at: at.toISOString(), ...(refundId !== undefined && { refund_id: refundId }) },
  };
}

/** The page could not be expired at the PSP: the next try is at `until`. */
export function postponeExpiry(payment: Payment, attemptId: string, until: Date): Payment | undefined {
  const open = payment.attempts.some((a) => a.id === attemptId && isOpen(a));
  return open
    ? {
        ...payment,
        attempts: payment.attempts.map((a) => (a.id === attemptId ? { ...a, expires_at: until.toISOString() } : a)),
      }
    : undefined;
}
