import { normalNetwork } from '#shared/domain/fraud.rules.ts';
import type { VelocityField, VelocityRule } from '#shared/domain/fraud-policy.model.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/kernel/clock.ts';

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const LONGEST = 30 * DAY;

/** A window's length in milliseconds; undefined for what is none. */
export function windowLength(window: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,6})([smhd])$/.exec(window) ?? [];
  const length = Number(count) * (UNITS[unit] ?? 0);
  return count !== undefined && length <= LONGEST ? length : undefined;
}

/** Of a stored rule, whose window is a length. What passed it is remembered for so long. */
export const lengthOf = ({ window }: Pick<VelocityRule, 'window'>): number => windowLength(window) ?? 0;

/** Rules that count the same payments over the same time are one, of the tightest limits. */
export function tightest(rules: readonly VelocityRule[]): readonly VelocityRule[] {
  const alike = Map.groupBy(rules, ({ field, window, currency = '' }) => `${field} ${lengthOf({ window })} ${currency}`);
  return [...alike.values()].flatMap(([first, ...others]) => (first ? [others.reduce(tighter, first)] : []));
}

function tighter(a: VelocityRule, b: VelocityRule): VelocityRule {
  const amounts = [a.max_amount, b.max_amount].filter((amount) => amount !== undefined);
  return { ...a, max_payments: Math.min(a.max_payments, b.max_payments), ...(amounts.length > 0 && { max_amount: Math.min(...amounts) }) };
}

/** What the payment has in common with others under this rule; nothing where the rule does not speak of it. */
export function valuesFor({ field, currency }: VelocityRule, payment: Payment, tokens: readonly string[]): readonly string[] {
  if (currency !== undefined && currency !== payment.currency) return [];
  if (field === 'token') return tokens;
  const values: Readonly<Record<Exclude<VelocityField, 'token'>, string | null | undefined>> = {
    customer_id: payment.customer_id,
    customer_email: payment.customer_email?.trim().toLowerCase(),
    ip: payment.customer_ip === null ? null : normalNetwork(payment.customer_ip),
  };
  const value = values[field];
  return value === undefined || value === null ? [] : [value];
}
