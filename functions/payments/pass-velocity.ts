import { openMethod } from '#functions/payments/instrument.ts';
import { blockUnsent } from '#shared/domain/attempt-start.machine.ts';
import { currentAttempt } from '#shared/domain/attempts.rules.ts';
import { declineOf, failureOf } from '#shared/domain/declines.catalog.ts';
import type { FraudPolicy } from '#shared/domain/fraud-policy.model.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { lengthOf, valueFor } from '#shared/domain/velocity.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { VelocityAsk } from '#shared/ports/fraud.port.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

type Needs = Pick<Deps, 'payments' | 'velocity' | 'clock' | 'vault'>;

/**
 * Asks the velocity rules, once the payment is written and before it is sent. It counts under its own id: who asks again
 * after a crash passes as before. All rules are asked at once; one that stops the payment makes the others give back. `resumed`:
 * the process that wrote the payment may have sent it, and what may have been sent is never stopped.
 */
export async function passVelocity(payment: Payment, { fraud: policy }: Pick<Setup, 'fraud'>, resumed: boolean, deps: Needs): Promise<Payment> {
  const attempt = currentAttempt(payment);
  if (!policy?.enabled || !attempt || !isUnsent(payment)) return payment;
  const at = deps.clock.now();
  const stops = ({ rule }: VelocityAsk) => !resumed || (policy.version === payment.unscreened && plus(attempt.started_at, lengthOf(rule)) > at);
  const asks = await asksOf(payment, policy, deps);
  const passed = await Promise.all(asks.map((ask) => deps.velocity.pass(ask, at)));
  const refused = asks.filter((ask, n) => !passed[n] && stops(ask));
  // Of several that resume it none stops what another has found good.
  if (refused.length === 0) return resumed ? deps.payments.change(payment, (p) => (isUnsent(p) ? screened(p) : undefined)) : payment;
  if (policy.action === 'block') await Promise.all(asks.filter((_, n) => passed[n]).map((ask) => deps.velocity.giveBack(ask)));
  const reasons = [...(payment.fraud?.reasons ?? []), ...new Set(refused.map(({ rule }) => `velocity_${rule.field}`))];
  return deps.payments.change(payment, (p) => {
    if (!isUnsent(p)) return undefined;
    if (policy.action === 'block') return blockUnsent(p, reasons, failureOf(declineOf('fraud_blocked')), at);
    return screened({ ...p, fraud: { decision: 'flagged', reasons } });
  });
}

/** As far as the record goes. A provider that was quicker than our own write has spoken of it already. */
const isUnsent = (payment: Payment): boolean => payment.unscreened !== undefined && currentAttempt(payment)?.phase === 'calling';

/** The payment went on: nobody asks the rules about it again. */
export function screened(payment: Payment | undefined): Payment | undefined {
  if (!payment?.unscreened) return payment;
  const { unscreened: _, ...rest } = payment;
  return rest;
}

async function asksOf(payment: Payment, { velocity }: FraudPolicy, deps: Pick<Deps, 'vault'>): Promise<readonly VelocityAsk[]> {
  const token = velocity.some(({ field }) => field === 'token') ? await tokenOf(payment, deps) : undefined;
  return velocity.flatMap((rule) => {
    const value = valueFor(rule, payment, token);
    return value === undefined ? [] : [{ orgId: payment.org_id, rule, value, paymentId: payment.id, amount: payment.amount }];
  });
}

/** Tokens of several providers are one means of payment. */
async function tokenOf(payment: Payment, deps: Pick<Deps, 'vault'>): Promise<string | undefined> {
  const { token, tokens } = await openMethod(payment, deps);
  return tokens ? JSON.stringify(tokens) : token === undefined ? undefined : JSON.stringify(token);
}
