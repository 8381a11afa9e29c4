import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { parseDuration } from '#shared/domain/reference/duration.rules.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { normalizeNetwork } from '#shared/domain/routing/fraud.rules.ts';
import type { VelocityField, VelocityRule } from '#shared/domain/routing/fraud-policy.model.ts';

/** A window's length in milliseconds; undefined if invalid. */
export const windowLength = (window: string): number | undefined => parseDuration(window, ['s', 'm', 'h', 'd']);

/** The window length of a stored rule. Counted payments are stored for as long. */
export const windowLengthOf = ({ window }: Pick<VelocityRule, 'window'>): number => windowLength(window) ?? 0;

/** Rules on the same field, window and currency become one, with the tightest limits. */
export function mergeRules(rules: readonly VelocityRule[]): readonly VelocityRule[] {
  const alike = Map.groupBy(
    rules,
    ({ field, window, currency = '' }) => `${field} ${windowLengthOf({ window })} ${currency}`,
  );
  return [...alike.values()].flatMap(([first, ...others]) => (first ? [others.reduce(stricterRule, first)] : []));
}

function stricterRule(a: VelocityRule, b: VelocityRule): VelocityRule {
  const amounts = [a.max_amount, b.max_amount].filter((amount) => amount !== undefined);
  return {
    ...a,
    max_payments: Math.min(a.max_payments, b.max_payments),
    ...(amounts.length > 0 && { max_amount: Math.min(...amounts) }),
  };
}

/** The payment's values for this rule's field; empty if the rule does not apply. */
export function valuesFor(
  { field, currency }: VelocityRule,
  payment: Payment,
  tokens: readonly string[],
): readonly string[] {
  if (currency !== undefined && currency !== payment.currency) return [];
  if (field === 'token') return tokens;
  const values: Readonly<Record<Exclude<VelocityField, 'token'>, string | null | undefined>> = {
    customer_id: payment.customer_id,
    customer_email: payment.customer_email === null ? null : normalizeEmail(payment.customer_email),
    ip: payment.customer_ip === null ? null : normalizeNetwork(payment.customer_ip),
  };
  const value = values[field];
  return value === undefined || value === null ? [] : [value];
}
