import { expect } from 'vitest';
import type { Tracked } from '#test/model/model.ts';
import type { Body } from '#test/support/host.ts';

const AUTOMATIC: ReadonlySet<string> = new Set(['duplicate_charge', 'after_cancel', 'link_overpaid']);

export const isAutomatic = ({ reason }: Body): boolean => AUTOMATIC.has(reason);
export const sumOf = (parts: readonly Body[]): number => parts.reduce((sum, { amount }) => sum + amount, 0);
export const isPaid = ({ status }: Body): boolean => status === 'succeeded' || status === 'refunded';

/** Charges that are not to be refunded. */
export const keptCharges = ({ attempts, refunds }: Body): Body[] =>
  attempts.filter(
    (a: Body) => a.status === 'succeeded' && !refunds.some((r: Body) => isAutomatic(r) && r.attempt_id === a.id),
  );

/**
 * Which status can follow which, whatever happened in between. A retry leads on from `failed`, and so from
 * `authorized` where the authorization has lapsed meanwhile.
 */
const LATER: Readonly<Record<string, readonly string[]>> = {
  created: ['created', 'processing', 'requires_action', 'authorized', 'succeeded', 'refunded', 'failed', 'canceled'],
  processing: ['processing', 'requires_action', 'authorized', 'succeeded', 'refunded', 'failed', 'canceled'],
  requires_action: ['processing', 'requires_action', 'authorized', 'succeeded', 'refunded', 'failed', 'canceled'],
  authorized: ['authorized', 'succeeded', 'refunded', 'failed', 'canceled'],
  failed: ['failed', 'authorized', 'succeeded', 'refunded', 'canceled'],
  succeeded: ['succeeded', 'refunded'],
  refunded: ['refunded', 'succeeded'],
  canceled: ['canceled'],
};
const RETRIABLE: ReadonlySet<string> = new Set(['failed', 'authorized']);
const RETRIED = ['processing', 'requires_action', 'canceled'] as const;

/** The same for a single attempt: only money that moved after all changes a final status. */
const LATER_TRY: Readonly<Record<string, readonly string[]>> = {
  processing: ['processing', 'requires_action', 'authorized', 'succeeded', 'failed', 'canceled'],
  requires_action: ['processing', 'requires_action', 'authorized', 'succeeded', 'failed', 'canceled'],
  authorized: ['authorized', 'succeeded', 'failed', 'canceled'],
  succeeded: ['succeeded'],
  failed: ['failed', 'authorized', 'succeeded', 'canceled'],
  canceled: ['canceled', 'authorized', 'succeeded'],
};

/** Of refunds and captures. */
const LATER_REFUND: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending', 'succeeded', 'failed'],
  succeeded: ['succeeded', 'failed'],
  failed: ['failed'],
};

/** One that counts as failed may turn out to have been made. */
const LATER_CAPTURE: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending', 'succeeded', 'failed'],
  succeeded: ['succeeded', 'failed'],
  failed: ['failed', 'pending', 'succeeded'],
};

/** Records a read of a payment, which must be consistent and agree with the read before. */
export function see(tracked: Tracked, payment: Body): void {
  expect(payment, 'another payment').toMatchObject({
    id: tracked.id ?? payment.id,
    amount: tracked.amount,
    metadata: { order: tracked.order },
  });
  verifySelf(payment);
  if (tracked.seen) verifyLater(tracked, tracked.seen, payment);
  tracked.id = payment.id;
  tracked.seen = payment;
  tracked.retriesSeen = tracked.retriesAsked;
  for (const { id, status } of payment.refunds) if (status === 'succeeded') tracked.refunded.add(id);
}

function verifySelf(payment: Body): void {
  const asked = payment.refunds.filter((r: Body) => !isAutomatic(r));
  expect(
    sumOf(asked.filter(({ status }: Body) => status !== 'failed')),
    'refunds beyond the amount',
  ).toBeLessThanOrEqual(paidOf(payment));
  const ours = asked.filter(({ reason }: Body) => reason !== 'made_at_provider');
  expect(
    new Set(ours.map(({ metadata }: Body) => metadata.request)).size,
    'refunds, each of a request of its own',
  ).toBe(ours.length);
  const references = payment.refunds.map((r: Body) => r.psp_reference).filter((r: string | null) => r !== null);
  expect(new Set(references).size, 'refunds, each with a reference of its own').toBe(references.length);
  expect(payment.amount_refunded, 'amount_refunded').toBe(
    sumOf(asked.filter(({ status }: Body) => status === 'succeeded')),
  );
  expect(payment.status === 'refunded', `${payment.status}, of which ${payment.amount_refunded} is refunded`).toBe(
    payment.amount_refunded > 0 && payment.amount_refunded === paidOf(payment),
  );
  expect(keptCharges(payment).length, `charges kept by a ${payment.status} payment`).toBe(isPaid(payment) ? 1 : 0);
  expect(payment.failure !== null, `a ${payment.status} payment and its failure`).toBe(payment.status === 'failed');
  expect(payment.next_action !== null, `a ${payment.status} payment and its next action`).toBe(
    payment.status === 'requires_action',
  );
  if (payment.capture === 'manual') verifyCaptures(payment);
  for (const list of [payment.attempts, payment.refunds, payment.captures ?? []])
    expect(new Set(list.map(({ id }: Body) => id)).size, 'ids').toBe(list.length);
}

/** What the customer has paid. */
export const paidOf = ({ capture, amount, captured_amount }: Body): number =>
  capture === 'manual' ? captured_amount : amount;

export const succeededIn = (parts: readonly Body[]): readonly Body[] =>
  parts.filter(({ status }: Body) => status === 'succeeded');

function verifyCaptures(payment: Body): void {
  const { status, captures, authorized_amount: held, captured_amount: taken, released_amount: released } = payment;
  const said = `${status}, held ${held}, captured ${taken}, released ${released}`;
  // What was captured of an authorization that the payment may not keep is refunded, and not counted.
  expect(taken, said).toBeLessThanOrEqual(sumOf(succeededIn(captures)));
  if (status === 'authorized') expect([held > 0, released], said).toEqual([true, 0]);
  if (isPaid(payment)) expect([taken > 0, released], said).toEqual([true, held - taken]);
  for (const { id } of payment.attempts)
    expect(sumOf(succeededIn(captures.filter((c: Body) => c.attempt_id === id))), said).toBeLessThanOrEqual(
      // One more where the provider authorized a wrong amount.
      Math.max(held ?? 0, payment.amount) + 1,
    );
  // Stripe's captures of one charge have its reference, and so have those of which a provider tells only the sum.
  const charges = new Set(payment.attempts.map((attempt: Body) => attempt.psp_reference));
  const isNamed = (c: Body) => payment.provider !== 'stripe' && c.psp_reference !== null;
  const named = captures.filter((c: Body) => isNamed(c) && !charges.has(c.psp_reference));
  const references = named.map((c: Body) => c.psp_reference);
  expect(new Set(references).size, 'captures, each with a reference of its own').toBe(references.length);
}

function verifyLater(tracked: Tracked, before: Body, after: Body): void {
  const retried = tracked.retriesAsked > tracked.retriesSeen;
  const allowed = [...(LATER[before.status] ?? []), ...(RETRIABLE.has(before.status) && retried ? RETRIED : [])];
  expect(allowed, `what a ${before.status} payment may become`).toContain(after.status);
  if (before.status === 'failed' && after.status === 'succeeded' && !retried)
    expect(after.late_success, 'late_success').toBe(true);
  if (before.late_success) expect(after.late_success, 'late_success').toBe(true);
  verifyParts('attempt', before.attempts, after.attempts, LATER_TRY);
  verifyParts('refund', before.refunds, after.refunds, LATER_REFUND);
  verifyParts('capture', before.captures ?? [], after.captures ?? [], LATER_CAPTURE);
}

/** No part is lost, and each only moves forward. */
function verifyParts(what: string, before: readonly Body[], after: readonly Body[], later: typeof LATER): void {
  expect(
    after.slice(0, before.length).map(({ id }) => id),
    `the ${what}s`,
  ).toEqual(before.map(({ id }) => id));
  for (const [n, { status, psp_reference }] of before.entries()) {
    // One that we took for failed before the provider named it may have been made after all.
    const isUnnamed = what === 'refund' && status === 'failed' && psp_reference === null;
    if (!isUnnamed) expect(later[status], `what a ${status} ${what} may become`).toContain(after[n]?.status);
  }
}
