import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { markBudgetExhausted, newDecline, wasDeclinedBefore } from '#shared/domain/payments/retry-budget.rules.ts';
import type { NewAttempt } from '#shared/domain/payments/verdict.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { openInstrument } from '#shared/services/payments/charge-order.service.ts';
import {
  checkBudget,
  countDecline,
  releaseUnlessStarted,
  reserveSlots,
} from '#shared/services/payments/retry-budget.service.ts';

export type SettleDeps = Pick<Deps, 'payments' | 'retryBudget' | 'clock' | 'vault'>;

/**
 * Returns the changed payment, or undefined for no change. With `next`, a failure that allows failover starts this
 * attempt at the next connection.
 */
export type DecideSettlement = (payment: Payment, next?: NewAttempt) => Payment | undefined;

/**
 * Writes the PSP's verdict on an attempt, and fails over to `next` if the verdict and the retry budget allow it. Every
 * verdict is written here, so that each decline is counted, whoever reports it. `decide` runs once for this payment,
 * and again if another process has changed the payment meanwhile.
 */
export async function settlePayment(
  payment: Payment,
  decide: DecideSettlement,
  deps: SettleDeps,
  next?: NewAttempt,
): Promise<Payment> {
  const decided = decide(payment, next);
  if (!decided) return payment;
  const declined = newDecline(payment, decided);
  if (declined) await countDecline(payment, declined, deps);
  if (next && decided.attempts.some(({ id }) => id === next.id)) return failOver(payment, decided, decide, deps, next);
  let lostRace = false;
  const decideAgain = (newer: Payment) => {
    lostRace = true;
    return decide(newer);
  };
  const settled = await deps.payments.change(payment, decideAgain, decided);
  const declinedLater = lostRace && !declined ? newDecline(payment, settled) : undefined;
  if (declinedLater) await countDecline(payment, declinedLater, deps);
  return settled;
}

/** Writes the next attempt, if the retry budget allows it; otherwise the payment fails. */
async function failOver(
  payment: Payment,
  decided: Payment,
  decide: DecideSettlement,
  deps: SettleDeps,
  next: NewAttempt,
): Promise<Payment> {
  const retry = {
    payment,
    attemptId: next.id,
    provider: next.provider,
    instrument: await openInstrument(payment, deps),
  };
  const reserved = await (wasDeclinedBefore(decided) ? reserveSlots(retry, deps) : checkBudget(retry, deps));
  if (reserved.outcome === 'exhausted') return deps.payments.change(payment, (p) => markBudgetExhausted(decide(p)));
  return releaseUnlessStarted(
    reserved,
    deps.payments.change(payment, (p) => decide(p, next), decided),
    deps,
  );
}
