import { currentAttempt, isOpen, isUnknown } from '#shared/domain/payments/attempts.rules.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { DAY, HOUR, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';

/**
 * When the PSP is polled about a call, from its first send: after 1 minute, 5 times every 5 minutes, after 1 hour, then
 * daily.
 */
const FIRST_DAY = [MINUTE, ...[1, 2, 3, 4, 5].map((n) => MINUTE + n * 5 * MINUTE), 26 * MINUTE + HOUR] as const;

/**
 * Days for which a PSP is polled. A charge it has accepted may take two or three weeks where the money comes by bank.
 */
const ASKING_DAYS = 7;
const SETTLING_DAYS: Readonly<Record<string, number>> = { sepa_debit: 21, bank_transfer: 14 };

const daysFor = ({ method }: Payment, { phase }: Attempt): number =>
  phase === 'accepted' ? (SETTLING_DAYS[method] ?? ASKING_DAYS) : ASKING_DAYS;

/** Whether the timer has stopped polling: it leaves the charge to a person, or will once another review has ended. */
export const isLeftAlone = (payment: Payment, attempt: Attempt): boolean =>
  isAskedOut(attempt.asks, daysFor(payment, attempt));

const isAskedOut = (asks: number | undefined, days: number): boolean => (asks ?? 0) >= FIRST_DAY.length + days;

/** How long a customer may take on a PSP's page when the PSP names no end itself. */
const CUSTOMER_TIME = 24 * HOUR;

/**
 * The relay passes events on within a second; after this time the sweeper does it. The oldest waiting event counts: by
 * the newest, a payment that keeps changing would never be relayed.
 */
export const RELAY_TIME = 5 * MINUTE;

/** A GET polls the PSP about a call older than this, and at most this often. */
const ASK_ON_READ = 10 * SECOND;

export type Duty =
  | { readonly kind: 'ask_attempt'; readonly attempt: Attempt; readonly at: Date }
  | { readonly kind: 'give_up'; readonly attempt: Attempt; readonly at: Date }
  | { readonly kind: 'expire'; readonly attempt: Attempt; readonly at: Date }
  | { readonly kind: 'ask_refund'; readonly refund: Refund; readonly at: Date }
  | { readonly kind: 'give_up_refund'; readonly refund: Refund; readonly at: Date }
  | { readonly kind: 'relay'; readonly at: Date };

/**
 * All scheduled duties of this payment, each with its time. A duty that is done leaves the list by the change it made.
 */
export function dutiesOf(payment: Payment): readonly Duty[] {
  const duties: Duty[] = [];
  for (const attempt of payment.attempts) {
    const days = daysFor(payment, attempt);
    // A person handles this one; any other goes on by itself.
    const isReviewed = attempt.wrong_amount || (payment.review && isAskedOut(attempt.asks, days));
    if (!isOpen(attempt) || isReviewed) continue;
    if (attempt.status === 'requires_action') duties.push({ kind: 'expire', attempt, at: expiryOf(attempt) });
    else
      duties.push(
        nextAsk(attempt.started_at, attempt.asks, days, (at, over) => ({
          kind: over ? 'give_up' : 'ask_attempt',
          attempt,
          at,
        })),
      );
  }
  for (const refund of payment.refunds) {
    if (refund.phase === 'final' || refund.given_up || (payment.review && isAskedOut(refund.asks, ASKING_DAYS)))
      continue;
    duties.push(
      nextAsk(refund.created_at, refund.asks, ASKING_DAYS, (at, over) => ({
        kind: over ? 'give_up_refund' : 'ask_refund',
        refund,
        at,
      })),
    );
  }
  const waiting = payment.outbox[0];
  if (waiting) duties.push({ kind: 'relay', at: plus(waiting.at, RELAY_TIME) });
  return duties;
}

/** The next poll, or the hand-over to a person that follows the last one. */
function nextAsk(since: string, asks: number | undefined, days: number, make: (at: Date, over: boolean) => Duty): Duty {
  const over = isAskedOut(asks, days);
  const n = over ? FIRST_DAY.length + days - 1 : (asks ?? 0);
  const after = FIRST_DAY[n] ?? 26 * MINUTE + HOUR + (n - FIRST_DAY.length + 1) * DAY;
  return make(plus(since, after), over);
}

const expiryOf = (attempt: Attempt): Date =>
  attempt.expires_at ? new Date(attempt.expires_at) : plus(attempt.started_at, CUSTOMER_TIME);

/**
 * When the payment must be looked at next, if ever. An earlier entry that is stored already stays: looking early costs
 * nothing.
 */
export function dueAt(payment: Payment, standing: string | undefined): string | undefined {
  const duties = dutiesOf(payment);
  if (duties.length === 0) return undefined;
  const earliest = new Date(Math.min(...duties.map((d) => d.at.getTime()))).toISOString();
  return standing !== undefined && standing < earliest ? standing : earliest;
}

/** Whether a GET should poll the PSP first. */
export function shouldAskOnRead(payment: Payment, at: Date): boolean {
  const attempt = currentAttempt(payment);
  if (!attempt || payment.review || !isUnknown(attempt)) return false;
  const last = attempt.asked_at ?? attempt.started_at;
  return plus(last, ASK_ON_READ) <= at;
}
