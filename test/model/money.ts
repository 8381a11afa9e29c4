import { expect } from 'vitest';
import { chargesAtStake } from '#test/model/disputes.ts';
import type { Tracked } from '#test/model/model.ts';
import type { Round } from '#test/model/round.ts';
import { isAutomatic, isPaid, keptCharges, paidOf, succeededIn, sumOf } from '#test/model/watch.ts';
import type { Body } from '#test/support/host.ts';

/**
 * The money that moved for the payment according to the payment: from the minimum to the maximum if it is uncertain.
 */
type Told = { readonly taken: readonly [number, number]; readonly back: readonly [number, number] };

/** The simulators have charged and refunded exactly what the payment says. */
export function verifyMoney(payment: Body, tracked: Tracked, round: Round): void {
  const { host } = round;
  const { charges, holds = {} } = host.simulators.calls({ payment_id: payment.id });
  const { amount = 0, refunded = 0 } = charges[payment.id] ?? {};
  const said = `${payment.status}, review ${JSON.stringify(payment.review)}, money ${amount} less ${refunded}`;
  const { taken, back } = payment.capture === 'manual' ? toldByCaptures(payment, tracked) : toldBy(payment, tracked);
  expectWithin(amount, taken, `taken: ${said}`);
  expectWithin(refunded, back, `given back: ${said}`);
  if (!payment.review && !tracked.reviewEnded)
    expect(amount - refunded, said).toBe(
      (isPaid(payment) ? paidOf(payment) - payment.amount_refunded : 0) + leftToBanks(payment, round),
    );
  const hold = holds[payment.id];
  if (hold && !payment.review && !tracked.reviewEnded)
    expect(hold.authorized - hold.captured - hold.released, `still held: ${said}`).toBe(0);
  if (!payment.review)
    expect(['created', 'succeeded', 'refunded', 'failed', 'canceled'], 'at rest').toContain(payment.status);
}

/** What automatic refunds do not return, because a dispute of their charge does, or may. */
function leftToBanks(payment: Body, round: Round): number {
  const atStake = chargesAtStake(payment, round);
  const promised = payment.refunds.filter((r: Body) => isAutomatic(r) && atStake.has(r.attempt_id));
  return takenBack(promised) - sumOf(succeededIn(promised));
}

/** What captures took, and what a capture without a verdict may have taken. */
function toldByCaptures({ review, refunds, captures, attempts }: Body, { reviewEnded }: Tracked): Told {
  const mayHold = review || reviewEnded;
  const unknown = [...captures, ...attempts].filter(
    ({ status }: Body) => status === 'pending' || status === 'processing',
  );
  // An unwanted authorization that was captured at the provider goes back as a whole, and is no capture of ours.
  const captured = new Set(succeededIn(captures).map(({ attempt_id }) => attempt_id));
  const unlisted = refunds.filter((r: Body) => isAutomatic(r) && !captured.has(r.attempt_id));
  const least = sumOf(succeededIn(captures)) + takenBack(unlisted);
  const given = sumOf(succeededIn(refunds));
  const pending = sumOf(refunds.filter(({ status }: Body) => status === 'pending' || status === 'failed'));
  return {
    taken: [least, mayHold && unknown.length > 0 ? Number.POSITIVE_INFINITY : least],
    back: [given, given + (mayHold ? pending : 0)],
  };
}

function toldBy(payment: Body, { reviewEnded }: Tracked): Told {
  const { review, attempts, refunds, amount } = payment;
  const promised = refunds.filter(isAutomatic);
  const kept = keptCharges(payment).length * amount;
  const odd = review?.reason === 'amount_mismatch' ? review.psp_amount : 0;
  const least = kept + takenBack(promised.filter((r: Body) => odd === 0 || r.attempt_id !== review.attempt_id)) + odd;
  const unknown = attempts.filter(
    ({ id, status }: Body) => id !== review?.attempt_id && (status === 'processing' || status === 'requires_action'),
  );
  const given = sumOf(refunds.filter(({ status }: Body) => status === 'succeeded'));
  const pending = sumOf(
    refunds.filter(({ status }: Body) => status === 'pending' || (reviewEnded && status === 'failed')),
  );
  const mayHold = review || reviewEnded;
  return {
    taken: [least, least + (mayHold ? unknown.length * (amount + 1) : 0)],
    back: [given, given + (mayHold ? pending : 0)],
  };
}

/**
 * A charge that goes back may do so in parts, and in more than one try. A try returns what those before it left.
 */
function takenBack(promised: readonly Body[]): number {
  const charges = [...Map.groupBy(promised, ({ attempt_id }) => attempt_id).values()];
  return charges.reduce(
    (sum, refunds) => sum + Math.max(...refunds.map(({ amount }, n) => amount + notFailed(refunds.slice(0, n)))),
    0,
  );
}

const notFailed = (refunds: readonly Body[]): number => sumOf(refunds.filter(({ status }) => status !== 'failed'));

function expectWithin(value: number, [least, most]: readonly [number, number], said: string): void {
  expect(value, said).toBeGreaterThanOrEqual(least);
  expect(value, said).toBeLessThanOrEqual(most);
}
