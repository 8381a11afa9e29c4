import { isOpen } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Failure, Payment } from '#shared/domain/payments/payment.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

/** The attempts of the last `length` ms. The longest window: what has left it has left the others. */
export const MONTH_WINDOW = { name: 'month', length: 30 * DAY, most: 15 } as const;

/**
 * Declines allowed per instrument and window: the card schemes' limits, beyond which they charge fees (docs/adr/0016).
 */
export const RETRY_WINDOWS = [{ name: 'day', length: DAY, most: 8 } as const, MONTH_WINDOW] as const;

export type RetryWindow = (typeof RETRY_WINDOWS)[number];

/** When the attempts in each window began. */
export type RetryTimes = Readonly<Record<RetryWindow['name'], readonly string[]>>;

const DECLINES: ReadonlySet<string> = new Set(['soft_decline', 'hard_decline', 'fraud']);

/** Coded like declines, but no issuer was asked for the money: the customer did not get that far, or we stopped it. */
const NOT_BY_ISSUER: ReadonlySet<string> = new Set([
  'authentication_required',
  'authentication_failed',
  'customer_canceled',
  'fraud_blocked',
  'retry_budget_exhausted',
]);

/** Whether this failure is a decline by an issuer or on its behalf. */
export const isDeclined = ({ category, code }: Pick<Failure, 'category' | 'code'>): boolean =>
  DECLINES.has(category) && !NOT_BY_ISSUER.has(code);

const wasDeclined = ({ status, failure }: Attempt): boolean =>
  status === 'failed' && failure !== null && isDeclined(failure);

/** The attempt that this change ends as declined. Earlier attempts may have used another instrument. */
export function newDecline(before: Payment, after: Payment): Attempt | undefined {
  const known = before.attempts.at(-1);
  const now = after.attempts.find(({ id }) => id === known?.id);
  return known && now && isOpen(known) && !isOpen(now) && wasDeclined(now) ? now : undefined;
}

/** Whether an issuer has declined the payment before; otherwise its next attempt counts as a first one. */
export const wasDeclinedBefore = ({ attempts }: Payment): boolean => attempts.some(wasDeclined);

/** The fate of an attempt's slot. `idle`: the attempt ended otherwise, so the slot is unused. */
export function slotUse(attempt: Attempt | undefined): 'missing' | 'used' | 'idle' {
  if (!attempt) return 'missing';
  return isOpen(attempt) || wasDeclined(attempt) ? 'used' : 'idle';
}

/** The earliest time at which both windows have room again. */
export function availableFrom(times: RetryTimes, at: Date): Date {
  const opens = RETRY_WINDOWS.map(({ name, length, most }) => {
    const last = [...times[name]].sort().at(-most);
    return last === undefined ? at : plus(last, length);
  });
  return new Date(Math.max(at.getTime(), ...opens.map((time) => time.getTime())));
}

/** Notes on a failed payment why its remaining connections were not tried. */
export function noteBudgetExhausted(payment: Payment | undefined): Payment | undefined {
  if (payment?.status !== 'failed' || !payment.routing) return payment;
  return { ...payment, routing: { ...payment.routing, stopped: 'retry_budget_exhausted' } };
}
