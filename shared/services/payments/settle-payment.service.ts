import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { newDecline, noteStopped, wasDeclinedBefore } from '#shared/domain/payments/retry-budget.rules.ts';
import type { AttemptSeed } from '#shared/domain/payments/verdict.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Decide } from '#shared/ports/payments.port.ts';
import { openMethod } from '#shared/services/payments/charge-order.service.ts';
import {
  checkBudget,
  countDecline,
  keepIfBegun,
  reserveSlots,
} from '#shared/services/payments/retry-budget.service.ts';

export type SettleDeps = Pick<Deps, 'payments' | 'retryBudget' | 'clock' | 'vault'>;

/**
 * Writes what a PSP said of an attempt. All settling goes through here, so that a decline is counted whichever path
 * reports it.
 */
export function settlePayment(payment: Payment, decide: Decide, deps: SettleDeps): Promise<Payment> {
  const decided = decide(payment);
  return writeSettled(payment, decided, decided && newDecline(payment, decided), decide, deps);
}

/** What is decided for this payment is not decided again; after a lost race it is, on the newer payment. */
async function writeSettled(
  payment: Payment,
  decided: Payment | undefined,
  declined: Attempt | undefined,
  decide: Decide,
  deps: SettleDeps,
): Promise<Payment> {
  if (declined) await countDecline(payment, declined, deps);
  if (!decided) return payment;
  let lostRace = false;
  const decideAgain: Decide = (newer) => {
    lostRace = true;
    return decide(newer);
  };
  const settled = await deps.payments.change(payment, decideAgain, decided);
  const declinedThen = lostRace && !declined ? newDecline(payment, settled) : undefined;
  if (declinedThen) await countDecline(payment, declinedThen, deps);
  return settled;
}

/** With `next`, a failure that allows another connection goes on there. */
export type DecideNext = (payment: Payment, next?: AttemptSeed) => Payment | undefined;

/** Settles, and fails over to the next connection where the verdict and the retry budget allow it. */
export async function settleOrFailOver(
  payment: Payment,
  decide: DecideNext,
  next: AttemptSeed | undefined,
  deps: SettleDeps,
): Promise<Payment> {
  const decided = decide(payment, next);
  const declined = decided && newDecline(payment, decided);
  if (!next || !decided?.attempts.some(({ id }) => id === next.id))
    return writeSettled(payment, decided, declined, (p) => decide(p), deps);
  if (declined) await countDecline(payment, declined, deps);
  const retry = { payment, attemptId: next.id, provider: next.provider, instrument: await openMethod(payment, deps) };
  const reserved = await (wasDeclinedBefore(decided) ? reserveSlots(retry, deps) : checkBudget(retry, deps));
  if (reserved.how === 'full') return deps.payments.change(payment, (p) => noteStopped(decide(p)));
  return keepIfBegun(
    reserved,
    deps.payments.change(payment, (p) => decide(p, next), decided),
    deps,
  );
}
