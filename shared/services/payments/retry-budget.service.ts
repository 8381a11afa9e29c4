import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { slotUse } from '#shared/domain/payments/retry-budget.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { CLAIM_LEASE_MS } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { ReservedSlot, Slot } from '#shared/ports/retry-budget.port.ts';
import { type Instrument, openInstrument } from '#shared/services/payments/charge-order.service.ts';
import { instrumentKeys } from '#shared/services/payments/instrument-keys.service.ts';

type RetryBudgetDeps = Pick<Deps, 'payments' | 'retryBudget' | 'clock'>;

/** A planned attempt with an instrument that earlier attempts used, or may have used. */
type RetriedAttempt = {
  readonly payment: Payment;
  readonly attemptId: string;
  readonly provider: string;
  readonly instrument: Instrument;
};

/**
 * `reserved`: the attempt may start, with these slots. `exhausted`: no slot is reserved; all will be free at `until`.
 */
export type Reservation =
  | { readonly outcome: 'reserved'; readonly slots: readonly Slot[] }
  | { readonly outcome: 'exhausted'; readonly until: Date };

/** For an attempt that does not count towards the budget. */
export const NO_SLOTS: Reservation = { outcome: 'reserved', slots: [] };

/**
 * Reserves the attempt's slots under its own id, so that a run after a crash finds them reserved. Without a retried
 * attempt nothing is reserved.
 */
export async function reserveSlots(retried: RetriedAttempt | undefined, deps: RetryBudgetDeps): Promise<Reservation> {
  if (!retried) return NO_SLOTS;
  const { payment, attemptId, provider, instrument } = retried;
  const slots = instrumentKeys(payment, instrument, provider).map(
    (key): Slot => ({ ...key, attemptId, paymentId: payment.id }),
  );
  const until = await reserveAll(slots, deps);
  return until ? { outcome: 'exhausted', until } : { outcome: 'reserved', slots };
}

/**
 * For an attempt that counts as the first one, because no issuer has declined an earlier one: checks the budget without
 * reserving a slot.
 */
export async function checkBudget(
  { payment, provider, instrument }: RetriedAttempt,
  deps: RetryBudgetDeps,
): Promise<Reservation> {
  const at = deps.clock.now();
  const fullUntil = await Promise.all(
    instrumentKeys(payment, instrument, provider).map((key) => deps.retryBudget.exhaustedUntil(key, at)),
  );
  const until = latestOf(fullUntil);
  return until ? { outcome: 'exhausted', until } : NO_SLOTS;
}

/** Waits for the write that starts the attempt, and releases the slots if the written payment lacks the attempt. */
export async function releaseUnlessStarted<T extends Payment | undefined>(
  reserved: Reservation,
  writing: Promise<T>,
  deps: RetryBudgetDeps,
): Promise<T> {
  const slots = reserved.outcome === 'reserved' ? reserved.slots : [];
  try {
    const written = await writing;
    const isUnused = ({ attemptId }: Slot) => !written?.attempts.some(({ id }) => id === attemptId);
    await releaseAll(slots.filter(isUnused), deps);
    return written;
  } catch (error) {
    // After any other error it is unknown whether the attempt was written.
    if (error instanceof AppError) await releaseAll(slots, deps);
    throw error;
  }
}

/**
 * Counts a declined attempt. It runs before the write of the decline: after a crash in between, the decline is reported
 * again, and still counted once.
 */
export async function countDecline(
  payment: Payment,
  declined: Attempt,
  deps: Pick<Deps, 'retryBudget' | 'clock' | 'vault'>,
): Promise<void> {
  if (payment.sealed_method === null) return;
  const keys = instrumentKeys(payment, await openInstrument(payment, deps), declined.provider);
  const attempt = { id: declined.id, began: new Date(declined.started_at) };
  await Promise.all(keys.map((each) => deps.retryBudget.countDecline(each, attempt, deps.clock.now())));
}

/** Reserves all slots or none. If none, returns the time when all will be free. */
async function reserveAll(slots: readonly Slot[], deps: RetryBudgetDeps): Promise<Date | undefined> {
  const refusals = await Promise.all(slots.map((slot) => reserveSlot(slot, deps)));
  const until = latestOf(refusals);
  if (until)
    await releaseAll(
      slots.filter((_, n) => refusals[n] === undefined),
      deps,
    );
  return until;
}

function latestOf(times: readonly (Date | undefined)[]): Date | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : new Date(Math.max(...known.map((time) => time.getTime())));
}

/** Reserves a slot. If the budget is exhausted, first releases the slots of attempts that were not declined. */
async function reserveSlot(slot: Slot, deps: RetryBudgetDeps): Promise<Date | undefined> {
  for (;;) {
    const full = await deps.retryBudget.reserve(slot, deps.clock.now());
    if (!full) return undefined;
    const unused = await unusedSlots(full.reserved, deps);
    if (unused.length === 0) return full.until;
    await Promise.all(unused.map(({ attemptId }) => deps.retryBudget.release(slot, attemptId)));
  }
}

async function unusedSlots(
  reserved: readonly ReservedSlot[],
  { payments, clock }: RetryBudgetDeps,
): Promise<readonly ReservedSlot[]> {
  const isUnused = async ({ attemptId, paymentId, at }: ReservedSlot): Promise<boolean> => {
    const payment = await payments.byId(paymentId);
    const use = slotUse(payment?.attempts.find(({ id }) => id === attemptId));
    // A missing attempt may still be written, until the lease of the process that reserved the slot has ended.
    return use === 'idle' || (use === 'missing' && plus(at, CLAIM_LEASE_MS) <= clock.now());
  };
  const unused = await Promise.all(reserved.map(isUnused));
  return reserved.filter((_, n) => unused[n]);
}

async function releaseAll(slots: readonly Slot[], { retryBudget }: RetryBudgetDeps): Promise<void> {
  await Promise.all(slots.map((slot) => retryBudget.release(slot, slot.attemptId)));
}
