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

/** What the payment has in common with others under this rule; undefined where the rule does not speak of it. */
export function valueFor({ field, currency }: VelocityRule, payment: Payment, token: string | undefined): string | undefined {
  if (currency !== undefined && currency !== payment.currency) return undefined;
  const values: Readonly<Record<VelocityField, string | null | undefined>> = {
    customer_id: payment.customer_id,
    customer_email: payment.customer_email?.trim().toLowerCase(),
    ip: payment.customer_ip === null ? null : normalNetwork(payment.customer_ip),
    token,
  };
  return values[field] ?? undefined;
}
