import { openMethod } from '#functions/payments/instrument.ts';
import { countDecline, unlessSpent, withinBudget } from '#functions/payments/spend-budget.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { newDecline, noteStopped, wasDeclinedBefore } from '#shared/domain/retry-budget.rules.ts';
import type { AttemptSeed } from '#shared/domain/verdict.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Decide } from '#shared/ports/stores.port.ts';

export type SettleNeeds = Pick<Deps, 'payments' | 'retryBudget' | 'clock' | 'vault'>;

/** Writes what was heard of an attempt. Everybody who settles writes through here, so that a decline counts whoever hears of it. */
export async function settlePayment(payment: Payment, decide: Decide, deps: SettleNeeds): Promise<Payment> {
  const foreseen = decide(payment);
  await countDecline(payment, foreseen, deps);
  const settled = await deps.payments.change(payment, decide);
  // What others have written meanwhile may have made it another change.
  if (!foreseen || !newDecline(payment, foreseen)) await countDecline(payment, settled, deps);
  return settled;
}

/** As above, and on to the next connection where what was heard allows it and the means of payment may be tried again. */
export async function settleOrGoOn(
  payment: Payment,
  settled: (next?: AttemptSeed) => Decide,
  next: AttemptSeed | undefined,
  deps: SettleNeeds,
): Promise<Payment> {
  const further = next && settled(next)(payment);
  if (!next || !further?.attempts.some(({ id }) => id === next.id)) return settlePayment(payment, settled(), deps);
  await countDecline(payment, further, deps);
  const again = { payment, attemptId: next.id, provider: next.provider, instrument: await openMethod(payment, deps) };
  const askBudget = wasDeclinedBefore(further) ? withinBudget : unlessSpent;
  return askBudget(
    again,
    () => deps.payments.change(payment, settled(next)),
    () => deps.payments.change(payment, (p) => noteStopped(settled()(p))),
    deps,
  );
}
