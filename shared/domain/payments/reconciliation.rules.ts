import { expiryNoticeAt } from '#shared/domain/payments/authorization.machine.ts';
import { authorizedAttempt, pendingCaptures } from '#shared/domain/payments/capture.rules.ts';
import { currentAttempt, isOpen, isUnknown, touched } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Capture, Payment, Refund, Release } from '#shared/domain/payments/payment.model.ts';
import { DAY, HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';

/**
 * When the PSP is polled about a call, from its first send: after 1 minute, 5 times every 5 minutes, after 1 hour, then
 * daily.
 */
const FIRST_POLLS = [MINUTE, ...[1, 2, 3, 4, 5].map((n) => MINUTE + n * 5 * MINUTE), 26 * MINUTE + HOUR] as const;

/**
 * How many days a PSP is polled about a charge. One that it has accepted may take two or three weeks if the money comes
 * by bank transfer.
 */
const POLL_DAYS = 7;
const SLOW_POLL_DAYS: Readonly<Record<string, number>> = { sepa_debit: 21, bank_transfer: 14 };

const pollDaysFor = ({ method }: Payment, { phase }: Attempt): number =>
  phase === 'accepted' ? (SLOW_POLL_DAYS[method] ?? POLL_DAYS) : POLL_DAYS;

/** Whether the timer has stopped polling. A person reviews the charge then, or will do so after the current review. */
export const isPollingOver = (payment: Payment, attempt: Attempt): boolean =>
  areAllPollsDone(attempt.asks, pollDaysFor(payment, attempt));

const areAllPollsDone = (polls: number | undefined, days: number): boolean => (polls ?? 0) >= FIRST_POLLS.length + days;

/** How long a customer may take on a PSP's page if the PSP reports no expiry. */
const CUSTOMER_ACTION_LIFETIME = 24 * HOUR;

/**
 * The relay publishes events within a second. Events that wait longer are published by the timer. The time counts from
 * the oldest waiting event: counted from the newest, a payment that keeps changing would never be relayed.
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
  | { readonly kind: 'read_refunds'; readonly attempt: Attempt; readonly at: number }
  | { readonly kind: 'poll_capture'; readonly capture: Capture; readonly at: number }
  | { readonly kind: 'give_up_capture'; readonly capture: Capture; readonly at: number }
  | { readonly kind: 'release'; readonly attempt: Attempt; readonly at: number }
  | { readonly kind: 'announce_expiry'; readonly at: number }
  | { readonly kind: 'end_authorization'; readonly attempt: Attempt; readonly at: number }
  | { readonly kind: 'relay'; readonly at: number };

/** The scheduled tasks of this payment. The change that a task makes removes the task from the list. */
export function dueTasksOf(payment: Payment): readonly DueTask[] {
  const waiting = payment.outbox[0];
  return [
    ...payment.attempts.flatMap((attempt) => attemptTasks(payment, attempt)),
    ...payment.refunds.flatMap((refund) => refundTasks(payment, refund)),
    ...(payment.capture ? authorizationTasks(payment) : []),
    ...(waiting ? [{ kind: 'relay', at: Date.parse(waiting.at) + RELAY_GRACE } as const] : []),
  ];
}

function attemptTasks(payment: Payment, attempt: Attempt): readonly DueTask[] {
  const tasks: DueTask[] = [];
  if (attempt.unread_refunds && attempt.status === 'succeeded')
    tasks.push({ kind: 'read_refunds', attempt, at: Date.parse(attempt.unread_refunds.next) });
  const days = pollDaysFor(payment, attempt);
  // A person reviews this charge; the others are still polled.
  const isReviewed = attempt.wrong_amount || (payment.review && areAllPollsDone(attempt.asks, days));
  if (!isOpen(attempt) || isReviewed) return tasks;
  if (attempt.status === 'requires_action') return [...tasks, { kind: 'expire', attempt, at: expiryOf(attempt) }];
  const { at, isOver } = nextPoll(attempt.started_at, attempt.asks, days);
  return [...tasks, { kind: isOver ? 'give_up' : 'poll_attempt', attempt, at }];
}

function refundTasks({ review }: Payment, refund: Refund): readonly DueTask[] {
  const isOver = isRefundPollingOver(refund);
  const isReviewed = review && isOver && refund.phase !== 'unsent';
  if (refund.phase === 'final' || refund.given_up || isReviewed) return [];
  return [{ kind: isOver ? 'give_up_refund' : 'poll_refund', refund, at: nextRefundPoll(refund) }];
}

/** The schedule of an authorization and of its captures. */
function authorizationTasks(payment: Payment): readonly DueTask[] {
  const attempt = authorizedAttempt(payment);
  const pending = pendingCaptures(payment);
  const { capturable_until: until } = payment;
  const isWaiting = attempt && !attempt.release && until;
  return [
    ...pending.flatMap((capture) => captureTasks(payment, capture)),
    ...payment.attempts.flatMap(releaseTasks),
    ...(isWaiting && payment.expiry_announced !== until
      ? [{ kind: 'announce_expiry', at: expiryNoticeAt(until) } as const]
      : []),
    ...(isWaiting && pending.length === 0
      ? [{ kind: 'end_authorization', attempt, at: Date.parse(until) } as const]
      : []),
  ];
}

/** A capture that the PSP never got is not sent after the authorization has ended. Others are polled like refunds. */
function captureTasks({ review, capturable_until }: Payment, capture: Capture): readonly DueTask[] {
  const isOver = polledForMs(capture) >= POLL_DAYS * DAY;
  if (capture.phase === 'unsent' && capturable_until)
    return [
      { kind: 'poll_capture', capture, at: nextRefundPoll(capture) },
      { kind: 'give_up_capture', capture, at: Date.parse(capturable_until) },
    ];
  if (review && isOver) return [];
  return [{ kind: isOver ? 'give_up_capture' : 'poll_capture', capture, at: nextRefundPoll(capture) }];
}

/** For how long the timer asks the PSP to release an authorization. By then each one has lapsed. */
const RELEASE_DAYS = 35;

export const isReleaseOver = ({ since }: Release, at: Date): boolean => plus(since, RELEASE_DAYS * DAY) <= at;

function releaseTasks(attempt: Attempt): readonly DueTask[] {
  const { status, release } = attempt;
  if (status !== 'authorized' || !release || release.done) return [];
  const { since, asked_at } = release;
  const elapsed = Date.parse(asked_at ?? since) - Date.parse(since);
  return [{ kind: 'release', attempt, at: Date.parse(asked_at ?? since) + pollIntervalAfter(elapsed, DAY) }];
}

/** When the next poll is due or, with `isOver`, the hand-over to a person after the last poll. */
function nextPoll(
  since: string,
  polls: number | undefined,
  days: number,
): { readonly at: number; readonly isOver: boolean } {
  const isOver = areAllPollsDone(polls, days);
  const n = isOver ? FIRST_POLLS.length + days - 1 : (polls ?? 0);
  const after = FIRST_POLLS[n] ?? 26 * MINUTE + HOUR + (n - FIRST_POLLS.length + 1) * DAY;
  return { at: Date.parse(since) + after, isOver };
}

/**
 * How long a refund is sent again while the PSP cannot be reached. Then it fails, and its amount can be refunded again.
 * Other refunds are polled as long as a charge, and then handed to a person.
 */
const UNSENT_REFUND_DAYS = 30;

type Polled = Pick<Refund, 'created_at' | 'asked_at' | 'phase'>;

const polledForMs = ({ created_at, asked_at = created_at }: Polled): number =>
  Date.parse(asked_at) - Date.parse(created_at);

const isRefundPollingOver = (refund: Polled): boolean =>
  polledForMs(refund) >= (refund.phase === 'unsent' ? UNSENT_REFUND_DAYS : POLL_DAYS) * DAY;

const FREQUENT_POLLS_MS = 26 * MINUTE;

/**
 * A refund is polled on the schedule of a charge. One that the PSP may not have is also polled, or sent, each hour of
 * the first day, so that after an outage it does not wait for the next day.
 */
function nextRefundPoll(refund: Polled): number {
  const elapsed = polledForMs(refund);
  const hourlyUntil = FREQUENT_POLLS_MS + (refund.phase === 'accepted' ? 0 : DAY);
  if (refund.asked_at === undefined) return Date.parse(refund.created_at) + MINUTE;
  if (isRefundPollingOver(refund)) return Date.parse(refund.asked_at);
  return Date.parse(refund.asked_at) + pollIntervalAfter(elapsed, hourlyUntil);
}

/** The time until the next poll: five minutes at first, then an hour until `hourlyUntil`, then a day. */
function pollIntervalAfter(elapsed: number, hourlyUntil: number): number {
  if (elapsed < MINUTE) return MINUTE;
  if (elapsed < FREQUENT_POLLS_MS) return 5 * MINUTE;
  return elapsed <= hourlyUntil ? HOUR : DAY;
}

/** For how many days the timer tries to read unread refunds. */
const READ_REFUNDS_DAYS = 7;

/**
 * Removes the mark of unread refunds if they were read. Otherwise they are read again later, until the timer gives up.
 */
export function recordRefundsRead(payment: Payment, attemptId: string, wereRead: boolean, at: Date): Payment {
  const afterReading = ({ unread_refunds, ...attempt }: Attempt): Attempt => {
    if (!unread_refunds || wereRead) return attempt;
    const elapsed = at.getTime() - Date.parse(unread_refunds.since);
    const next = plus(at, pollIntervalAfter(elapsed, DAY)).toISOString();
    return elapsed >= READ_REFUNDS_DAYS * DAY ? attempt : { ...attempt, unread_refunds: { ...unread_refunds, next } };
  };
  return { ...payment, attempts: payment.attempts.map((a) => (a.id === attemptId ? afterReading(a) : a)) };
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
  const polled = (refund: Refund): Refund => ({ ...refund, asked_at: at.toISOString() });
  return payment.refunds.some((r) => r.id === refundId && r.phase !== 'final')
    ? { ...payment, refunds: payment.refunds.map((r) => (r.id === refundId ? polled(r) : r)) }
    : undefined;
}

/** There is no verdict: a person decides from now on. */
export function handOverToReview(
  payment: Payment,
  about: { readonly refund_id?: string; readonly capture_id?: string },
  at: Date,
): Payment | undefined {
  if (payment.review) return undefined;
  return {
    ...touched(payment, at),
    review: { reason: 'no_verdict', at: at.toISOString(), ...about },
  };
}

/** The page could not be expired at the PSP: the timer tries again at `until`. */
export function postponeExpiry(payment: Payment, attemptId: string, until: Date): Payment | undefined {
  const open = payment.attempts.some((a) => a.id === attemptId && isOpen(a));
  return open
    ? {
        ...payment,
        attempts: payment.attempts.map((a) => (a.id === attemptId ? { ...a, expires_at: until.toISOString() } : a)),
      }
    : undefined;
}
