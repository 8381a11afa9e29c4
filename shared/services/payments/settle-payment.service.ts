import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { newDecline, noteStopped, wasDeclinedBefore } from '#shared/domain/payments/retry-budget.rules.ts';
import type { AttemptSeed } from '#shared/domain/payments/verdict.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Decide } from '#shared/ports/payments.port.ts';
import { openMethod } from '#shared/services/payments/instrument.service.ts';
import { checkBudget, countDecline, keepIfBegun, reserveSlots } from '#shared/services/payments/retry-budget.service.ts';

export type SettleNeeds = Pick<Deps, 'payments' | 'retryBudget' | 'clock' | 'vault'>;

/**
 * Writes what was heard of an attempt. All settling goes through here, so that a decline is counted whichever path
 * reports it.
 */
export async function settlePayment(payment: Payment, decide: Decide, deps: SettleNeeds): Promise<Payment> {
  const foreseen = decide(payment);
  await countDecline(payment, foreseen, deps);
  const settled = await deps.payments.change(payment, decide);
  // A concurrent write may have made it a different change.
  if (!foreseen || !newDecline(payment, foreseen)) await countDecline(payment, settled, deps);
  return settled;
}

/** With `next`, a failure that allows another connection goes on there. */
export type DecideNext = (payment: Payment, next?: AttemptSeed) => Payment | undefined;

/** Settles, and fails over to the next connection where the verdict and the retry budget allow it. */
export async function settleOrFailOver(
  payment: Payment,
  decide: DecideNext,
  next: AttemptSeed | undefined,
  deps: SettleNeeds,
): Promise<Payment> {
  const further = next && decide(payment, next);
  if (!next || !further?.attempts.some(({ id }) => id === next.id))
    return settlePayment(payment, (p) => decide(p), deps);
  await countDecline(payment, further, deps);
  const again = { payment, attemptId: next.id, provider: next.provider, instrument: await openMethod(payment, deps) };
  const reserved = await (wasDeclinedBefore(further) ? reserveSlots(again, deps) : checkBudget(again, deps));
  if (reserved.how === 'full') return deps.payments.change(payment, (p) => noteStopped(decide(p)));
  return keepIfBegun(
    reserved,
    deps.payments.change(payment, (p) => decide(p, next)),
    deps,
  );
}
