import { isOpen } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Failure, Payment } from '#shared/domain/payments/payment.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

/**
 * Declines allowed per instrument within `length` milliseconds: the card schemes' limits, beyond which they charge fees
 * (docs/adr/0016). To add a limit, add a line. Never change a `name`: attempts are stored under it.
 */
export const RETRY_WINDOWS = [
  { name: 'day', length: DAY, limit: 8 },
  { name: 'month', length: 30 * DAY, limit: 15 },
] as const;

export type RetryWindow = (typeof RETRY_WINDOWS)[number];

/** The longest window: an attempt that is older has left all windows and is removed. */
export const RETENTION_WINDOW = RETRY_WINDOWS.reduce<RetryWindow>(
  (longest, each) => (each.length > longest.length ? each : longest),
  RETRY_WINDOWS[0],
);

/** When the attempts in each window began. */
export type RetryTimes = Readonly<Record<RetryWindow['name'], readonly string[]>>;

const DECLINES: ReadonlySet<string> = new Set(['soft_decline', 'hard_decline', 'fraud']);

/** These have a decline's category, but no issuer decided: the customer did not finish, or we stopped the charge. */
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

/** The attempt that this change declines. Only the last one counts: earlier ones may have used another instrument. */
export function newDecline(before: Payment, after: Payment): Attempt | undefined {
  const last = before.attempts.at(-1);
  const ended = after.attempts.find(({ id }) => id === last?.id);
  return last && ended && isOpen(last) && !isOpen(ended) && wasDeclined(ended) ? ended : undefined;
}

/** Whether an issuer has declined the payment before; otherwise its next attempt counts as a first one. */
export const wasDeclinedBefore = ({ attempts }: Payment): boolean => attempts.some(wasDeclined);

/** Whether an attempt uses its slot. `idle`: it ended without a decline, so the slot can be released. */
export function slotUse(attempt: Attempt | undefined): 'missing' | 'used' | 'idle' {
  if (!attempt) return 'missing';
  return isOpen(attempt) || wasDeclined(attempt) ? 'used' : 'idle';
}

/** The earliest time at which every window has a free slot. */
export function availableFrom(times: RetryTimes, at: Date): Date {
  const opens = RETRY_WINDOWS.map(({ name, length, limit }) => {
    const last = [...times[name]].sort().at(-limit);
    return last === undefined ? at : plus(last, length);
  });
  return new Date(Math.max(at.getTime(), ...opens.map((time) => time.getTime())));
}

/** Records on a failed payment why its remaining connections were not tried. */
export function markBudgetExhausted(payment: Payment | undefined): Payment | undefined {
  if (payment?.status !== 'failed' || !payment.routing) return payment;
  return { ...payment, routing: { ...payment.routing, stopped: 'retry_budget_exhausted' } };
}
