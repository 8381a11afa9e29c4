import { expect } from 'vitest';
import type { DisputeState, SimulatedDispute } from '#lib/simulators/simulators.port.ts';
import type { Model } from '#test/model/model.ts';
import type { Round } from '#test/model/round.ts';
import { tally } from '#test/model/tally.ts';
import { keptCharges, paidOf } from '#test/model/watch.ts';
import type { Body } from '#test/support/host.ts';

/** Why the money is gone is known best to whoever said so first. */
const GONE = ['lost', 'accepted', 'expired'] as const;

const STATUSES: Readonly<Record<DisputeState, readonly string[]>> = {
  inquiry: ['warning'],
  needs_response: ['needs_response'],
  under_review: ['under_review'],
  won: ['won'],
  lost: GONE,
  accepted: GONE,
  expired: GONE,
};

/** Mollie tells of a chargeback when the money is gone, and then only if it comes back. */
const statusesOf = ({ provider, state }: SimulatedDispute): readonly string[] =>
  provider === 'mollie' && state !== 'won' ? GONE : STATUSES[state];

const disputesAt = (paymentId: string, { host }: Round): readonly SimulatedDispute[] =>
  host.simulators.calls({ payment_id: paymentId }).disputes ?? [];

async function disputesOf(paymentId: string, { get }: Round): Promise<readonly Body[]> {
  const { status, body, text } = await get(`/v1/disputes?payment_id=${paymentId}&limit=100`);
  expect(status, text).toBe(200);
  return body.disputes;
}

/** Some PSP has another state than the service: a look-up, or the next poll, has not come yet. */
export async function isDisputeBehind(payments: readonly Body[], round: Round): Promise<boolean> {
  for (const { id } of payments) {
    const there = disputesAt(id, round);
    const ours = there.length === 0 ? [] : await disputesOf(id, round);
    const byReference = new Map(ours.map((dispute) => [dispute.psp_reference, dispute]));
    const isBehind = (each: SimulatedDispute): boolean => {
      const status = byReference.get(each.reference)?.status;
      return status === undefined || !statusesOf(each).includes(status);
    };
    if (there.some(isBehind)) return true;
  }
  return false;
}

/** Each dispute is known once, as the PSP has it, with its events; its money is withheld, and never refunded. */
export async function verifyDisputes(
  payment: Body,
  events: readonly Body[],
  model: Model,
  round: Round,
): Promise<void> {
  const there = disputesAt(payment.id, round);
  const ours = await disputesOf(payment.id, round);
  const known = ours.map(({ psp_reference }) => psp_reference);
  expect(new Set(known).size, 'disputes, each once').toBe(known.length);
  const untold = model.disputes.filter(({ isTold, provider }) => !isTold && provider !== 'flutterwave');
  const missing = there.filter(({ reference }) => !known.includes(reference));
  expect(
    missing.filter(({ reference }) => !untold.some((each) => each.reference === reference)),
    'disputes that the service does not know',
  ).toEqual([]);
  expect(
    known.filter((each) => !there.some(({ reference }) => reference === each)),
    'disputes of nobody',
  ).toEqual([]);
  const found = there.filter((each) => !missing.includes(each));
  for (const each of found) {
    const own = ours.find(({ psp_reference }) => psp_reference === each.reference);
    verifyDispute(each, own);
    verifyDisputeEvents(
      own,
      events.filter(({ data }) => data.id === own.id),
    );
    tally.count(`dispute ${own.status}`);
  }
  if (found.length > 0) verifyWithheld(payment, found);
}

function verifyDispute(there: SimulatedDispute, own: Body): void {
  const said = `${there.provider}'s dispute ${there.reference}, ${there.state} there`;
  expect(statusesOf(there), said).toContain(own.status);
  expect([own.amount, own.provider, own.closed_at !== null], said).toEqual([
    there.amount,
    there.provider,
    own.status === 'won' || GONE.some((status) => status === own.status),
  ]);
}

/** It began once; its last event shows it as it is. */
function verifyDisputeEvents({ answer_options: _, ...own }: Body, events: readonly Body[]): void {
  const count = (type: string) => events.filter((event) => event.type === type).length;
  expect(count('dispute.created'), 'dispute.created').toBe(1);
  const times = events.map(({ created_at }) => created_at).sort();
  expect(events.find(({ type }) => type === 'dispute.created')?.created_at, 'the first event').toBe(times[0]);
  const last = events.filter(({ created_at }) => created_at === times.at(-1)).map(({ data }) => data);
  expect(last, 'the last event of a dispute shows it as it is').toContainEqual(own);
  // The bank may change its mind within a millisecond.
  const closed = events.filter(({ type }) => type === 'dispute.closed');
  const ends = closed.map(({ data }) => `${data.status} ${data.closed_at}`);
  expect(new Set(ends).size, 'dispute.closed, once for each end').toBe(ends.length);
  expect(ends.length > 0 || own.closed_at === null, 'dispute.closed').toBe(true);
}

const isAtStake = ({ state, provider }: SimulatedDispute): boolean =>
  state !== 'won' && (state !== 'inquiry' || provider === 'mollie');

/** The charges whose money the bank has taken back, or may. What they owe the customer comes from there. */
export const chargesAtStake = (payment: Body, round: Round): ReadonlySet<string | undefined> =>
  new Set(
    disputesAt(payment.id, round)
      .filter(isAtStake)
      .map(({ charge }) => attemptOf(payment, charge)),
  );

/** A dispute of a charge that the payment does not keep withholds nothing of it. */
function verifyWithheld(payment: Body, there: readonly SimulatedDispute[]): void {
  const [kept] = keptCharges(payment);
  const isOfPayment = ({ charge }: SimulatedDispute): boolean => {
    const attempt = attemptOf(payment, charge);
    return attempt === undefined || kept === undefined || attempt === kept.id;
  };
  const counted = there.filter(isOfPayment).filter(isAtStake);
  const sum = counted.reduce((total, { amount }) => total + amount, 0);
  const most = paidOf(payment) || payment.amount;
  const said = `amount_disputed of a ${payment.status} payment, ${JSON.stringify(there)}`;
  expect(payment.amount_disputed ?? 0, said).toBe(Math.min(sum, most));
  // Razorpay takes the money at the end. Until then we count what is at stake.
  const withheld = counted.filter(({ provider }) => provider !== 'razorpay').map((each) => each.withheld);
  const amounts = counted.filter(({ provider }) => provider !== 'razorpay').map(({ amount }) => amount);
  expect(withheld, 'what the provider withholds').toEqual(amounts);
}

function attemptOf({ attempts, captures = [] }: Body, charge: string | null): string | undefined {
  const capture = captures.find(({ psp_reference }: Body) => psp_reference === charge);
  const attempt = attempts.find(
    ({ id, psp_reference }: Body) => psp_reference === charge || id === capture?.attempt_id,
  );
  return charge === null ? undefined : attempt?.id;
}
