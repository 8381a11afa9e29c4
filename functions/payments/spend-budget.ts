import { type Instrument, meansOf, openMethod } from '#functions/payments/instrument.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { newDecline, slotOf } from '#shared/domain/retry-budget.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { LEASE } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { HeldSlot, Slot } from '#shared/ports/retry-budget.port.ts';

type Needs = Pick<Deps, 'payments' | 'retryBudget' | 'clock'>;

/** An attempt that is about to be made again with what was used before, or may have been. */
export type Again = { readonly payment: Payment; readonly attemptId: string; readonly provider: string; readonly instrument: Instrument };

/**
 * Begins another attempt if the budget of its means of payment has a slot for it; `refused` hears when there will be one. The
 * slot is taken under the attempt's own id: who comes again after a crash has it already.
 */
export async function withinBudget(again: Again, begin: () => Promise<Payment>, refused: (until: Date) => Promise<Payment>, deps: Needs): Promise<Payment> {
  const { payment, attemptId, provider, instrument } = again;
  const slots = meansOf(payment, instrument, provider).map((means): Slot => ({ ...means, attemptId, paymentId: payment.id }));
  const until = await holdAll(slots, deps);
  if (until) return refused(until);
  try {
    const begun = await begin();
    if (!begun.attempts.some(({ id }) => id === attemptId)) await releaseAll(slots, deps);
    return begun;
  } catch (error) {
    // After any other error nobody knows whether the attempt was written.
    if (error instanceof AppError) await releaseAll(slots, deps);
    throw error;
  }
}

/** The same for an attempt that is like a first one, as no issuer has seen those before it: the budget is looked at, and no slot of it taken. */
export async function unlessSpent(
  { payment, provider, instrument }: Again,
  begin: () => Promise<Payment>,
  refused: () => Promise<Payment>,
  deps: Needs,
): Promise<Payment> {
  const at = deps.clock.now();
  const spent = await Promise.all(meansOf(payment, instrument, provider).map((means) => deps.retryBudget.spentUntil(means, at)));
  return spent.some((until) => until !== undefined) ? refused() : begin();
}

/** Counts what a change of the payment ends as declined. Before that is written: who dies in between hears of it again, and counts it once. */
export async function countDecline(before: Payment, after: Payment | undefined, deps: Pick<Deps, 'retryBudget' | 'clock' | 'vault'>): Promise<void> {
  const declined = after && newDecline(before, after);
  if (!declined || before.sealed_method === null) return;
  const means = meansOf(before, await openMethod(before, deps), declined.provider);
  const attempt = { id: declined.id, began: new Date(declined.started_at) };
  await Promise.all(means.map((each) => deps.retryBudget.count(each, attempt, deps.clock.now())));
}

/** All or none; if none, the time when all will have room. */
async function holdAll(slots: readonly Slot[], deps: Needs): Promise<Date | undefined> {
  const until = await Promise.all(slots.map((slot) => hold(slot, deps)));
  const refusals = until.filter((time) => time !== undefined);
  if (refusals.length === 0) return undefined;
  await releaseAll(
    slots.filter((_, n) => until[n] === undefined),
    deps,
  );
  return new Date(Math.max(...refusals.map((time) => time.getTime())));
}

/** What attempts hold is looked into only when it matters, as it did not for those that succeeded. */
async function hold(slot: Slot, deps: Needs): Promise<Date | undefined> {
  for (;;) {
    const full = await deps.retryBudget.hold(slot, deps.clock.now());
    if (!full) return undefined;
    const unused = await unusedOf(full.held, deps);
    if (unused.length === 0) return full.until;
    await Promise.all(unused.map(({ attemptId }) => deps.retryBudget.release(slot, attemptId)));
  }
}

async function unusedOf(held: readonly HeldSlot[], { payments, clock }: Needs): Promise<readonly HeldSlot[]> {
  const isUnused = async ({ attemptId, paymentId, at }: HeldSlot): Promise<boolean> => {
    const payment = await payments.byId(paymentId);
    const use = slotOf(payment?.attempts.find(({ id }) => id === attemptId));
    // Whoever took the slot may be about to write the attempt; after so long it has died.
    return use === 'idle' || (use === 'missing' && plus(at, LEASE) <= clock.now());
  };
  const unused = await Promise.all(held.map(isUnused));
  return held.filter((_, n) => unused[n]);
}

async function releaseAll(slots: readonly Slot[], { retryBudget }: Needs): Promise<void> {
  await Promise.all(slots.map((slot) => retryBudget.release(slot, slot.attemptId)));
}
