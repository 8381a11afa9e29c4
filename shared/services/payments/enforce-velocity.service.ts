import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import {
  allows,
  blockBeforeSending,
  currentAttempt,
  withoutPlannedAttempt,
  withoutScreeningMark,
} from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { FraudPolicy } from '#shared/domain/routing/fraud-policy.model.ts';
import { mergeRules, valuesFor, windowLengthOf } from '#shared/domain/routing/velocity.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { VelocityCheck } from '#shared/ports/fraud.port.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import { openInstrument } from '#shared/services/payments/charge-order.service.ts';
import { instrumentKeys } from '#shared/services/payments/instrument-keys.service.ts';

type VelocityDeps = Pick<Deps, 'payments' | 'velocity' | 'clock' | 'vault'>;

/**
 * Applies the velocity rules after the payment is written and before it is sent. The payment is counted under its own
 * id, so a run after a crash has the same result; a blocked payment is not counted. `resumed`: the process that wrote
 * the payment may have sent it already. A payment that may have been sent is not blocked.
 */
export async function enforceVelocity(
  payment: Payment,
  { fraud: policy }: Pick<RoutingData, 'fraud'>,
  resumed: boolean,
  deps: VelocityDeps,
): Promise<Payment> {
  const attempt = currentAttempt(payment);
  if (!policy?.enabled || !attempt || !isUnsent(payment)) return payment;
  const at = deps.clock.now();
  // A resumed payment is stopped only by a check that has stopped the first process too, so that it was not sent.
  const mayStop = ({ rule }: VelocityCheck) =>
    !resumed || (policy.version === payment.unscreened && plus(attempt.started_at, windowLengthOf(rule)) > at);
  const exceeded = (
    await exceededChecks(policy, await velocityChecks(payment, attempt, policy, deps), at, deps)
  ).filter(mayStop);
  // A resumed payment loses its mark first: another process must not block what this one lets pass.
  if (exceeded.length === 0 && !resumed) return payment;
  if (exceeded.length === 0)
    return deps.payments.change(payment, (p) => (isUnsent(p) ? withoutScreeningMark(p) : undefined));
  const reasons = [...(payment.fraud?.reasons ?? []), ...new Set(exceeded.map(({ rule }) => `velocity_${rule.field}`))];
  return deps.payments.change(payment, (p) => {
    if (!isUnsent(p)) return undefined;
    if (policy.action === 'block' && !allows(p, 'fail')) return withoutScreeningMark(withoutPlannedAttempt(p));
    if (policy.action === 'block') return blockBeforeSending(p, reasons, failureOf(declineOf('fraud_blocked')), at);
    return withoutScreeningMark({ ...p, fraud: { decision: 'flagged', reasons } });
  });
}

/**
 * With action `block` a blocked payment is not counted. A flagged payment continues, and counts in every window that is
 * not full.
 */
const exceededChecks = (
  { action }: FraudPolicy,
  checks: readonly VelocityCheck[],
  at: Date,
  { velocity }: VelocityDeps,
): Promise<readonly VelocityCheck[]> =>
  action === 'block' ? velocity.countAllOrNone(checks, at) : velocity.countEach(checks, at);

/** Not sent, as far as the record shows. An early callback may have settled it already. */
const isUnsent = (payment: Payment): boolean =>
  payment.unscreened !== undefined && currentAttempt(payment)?.phase === 'calling';

async function velocityChecks(
  payment: Payment,
  attempt: Attempt,
  policy: FraudPolicy,
  deps: Pick<Deps, 'vault'>,
): Promise<readonly VelocityCheck[]> {
  const rules = mergeRules(policy.velocity);
  const tokens = rules.some(({ field }) => field === 'token') ? await tokensOf(payment, attempt, deps) : [];
  return rules.flatMap((rule) =>
    valuesFor(rule, payment, tokens).map((value) => ({
      orgId: payment.org_id,
      rule,
      value,
      paymentId: payment.id,
      amount: payment.amount,
    })),
  );
}

/** Each token counts, and each may exceed a limit: another selection of the same tokens is not a new card. */
async function tokensOf(
  payment: Payment,
  { provider }: Attempt,
  deps: Pick<Deps, 'vault'>,
): Promise<readonly string[]> {
  return instrumentKeys(payment, await openInstrument(payment, deps), provider).map(
    (key) => `${key.provider} ${key.token}`,
  );
}
