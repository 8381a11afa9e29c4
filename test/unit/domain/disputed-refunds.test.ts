import { describe, expect, it } from 'vitest';
import { openDispute } from '#shared/domain/disputes/dispute.machine.ts';
import type { FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import { recordDisputed } from '#shared/domain/disputes/dispute.rules.ts';
import { holdDisputedRefund } from '#shared/domain/payments/disputed-refunds.machine.ts';
import type { Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { refundableRest } from '#shared/domain/payments/refund.rules.ts';
import { refundDecline, refundFailureOf } from '#shared/domain/payments/refund-failures.catalog.ts';
import { closeReview } from '#shared/domain/payments/review.machine.ts';
import { anAttempt, aPayment, aRefund } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const first = anAttempt({ id: 'att_1', status: 'succeeded', psp_reference: 'pi_1' });
const second = anAttempt({ id: 'att_2', status: 'succeeded', psp_reference: 'pi_2' });

const refundOfSecond = (about: Partial<Refund> = {}): Refund =>
  aRefund({
    amount: 5_000,
    automatic: true,
    reason: 'duplicate_charge',
    attempt_id: 'att_2',
    psp_reference: null,
    status: 'pending',
    phase: 'unsent',
    ...about,
  });
const DISPUTED = refundFailureOf(refundDecline('charge_disputed'));
const refused = (about: Partial<Refund> = {}): Refund =>
  refundOfSecond({ status: 'failed', phase: 'final', failure: DISPUTED, ...about });
const paidTwice = (refund: Refund): Payment =>
  aPayment({ status: 'succeeded', attempts: [first, second], refunds: [refund] });

/** The second charge is disputed. */
function disputed(payment: Payment, about: Partial<FoundDispute> = {}, at = later(1)): Payment {
  const found: FoundDispute = {
    reference: 'du_1',
    paymentReference: 'pi_2',
    status: 'needs_response',
    amount: 1_000,
    currency: 'USD',
    reason: 'fraudulent',
    provider_reason: null,
    ...about,
  };
  const dispute = openDispute({ ...payment, connection_id: 'conn_a', provider: 'stripe' }, found, START);
  return recordDisputed(payment, dispute, at) ?? payment;
}
const shown = ({ refunds }: Payment) => refunds.map(({ amount, status, phase }) => [amount, status, phase]);
const FAILED = [5_000, 'failed', 'final'];

describe('an automatic refund that was not sent yet', () => {
  it('may be sent while its charge is not disputed, during an inquiry, and after a dispute that was won', () => {
    const payment = paidTwice(refundOfSecond());
    expect(holdDisputedRefund(payment, 're_1', later(2))).toBeUndefined();
    for (const status of ['warning', 'won'] as const)
      expect(holdDisputedRefund(disputed(payment, { status }), 're_1', later(2))).toBeUndefined();
  });

  it('may be sent although another charge of the payment is disputed', () =>
    expect(
      holdDisputedRefund(disputed(paidTwice(refundOfSecond()), { paymentReference: 'pi_1' }), 're_1', later(2)),
    ).toBeUndefined());

  it('fails without a review while its charge is disputed', () => {
    const held = holdDisputedRefund(disputed(paidTwice(refundOfSecond())), 're_1', later(2));
    expect(held).toMatchObject({ review: null, refunds: [{ status: 'failed', failure: { code: 'charge_disputed' } }] });
  });

  it.each([
    ['in the currency of the charge', {}, [FAILED, [4_000, 'pending', 'unsent']]],
    ['all of it', { amount: 5_000 }, [FAILED]],
    ['in another currency', { currency: 'EUR' }, [FAILED]],
  ])('returns only the rest if a lost dispute has taken money %s', (_, about, expected) => {
    const lost = disputed(paidTwice(refundOfSecond()), { status: 'lost', ...about });
    const held = holdDisputedRefund(lost, 're_1', later(2));
    expect([held && shown(held), held?.review]).toEqual([expected, null]);
    const rest = held?.refunds[1];
    if (held && rest) expect(holdDisputedRefund(held, rest.id, later(3))).toBeUndefined();
  });
});

describe('a dispute that an earlier release recorded', () => {
  it('counts as one of its charge from its next change on', () => {
    const id = disputed(paidTwice(refundOfSecond())).disputes?.[0]?.id ?? '';
    const before = { ...paidTwice(refundOfSecond()), disputes: [{ id, amount: 0 }], amount_disputed: 0 };
    expect(holdDisputedRefund(before, 're_1', later(2))).toBeUndefined();
    const after = disputed(before, { status: 'under_review' });
    expect([after.disputes?.length, after.amount_disputed]).toEqual([1, 0]);
    expect(holdDisputedRefund(after, 're_1', later(2))?.refunds).toMatchObject([{ status: 'failed' }]);
  });
});

describe('an automatic refund that the provider refused because of a dispute', () => {
  const review = { reason: 'refund_failed', at: START.toISOString(), refund_id: 're_1' } as const;

  it('is in review until the dispute is known, and then waits for its end', () => {
    const open = disputed({ ...paidTwice(refused()), review });
    expect([open.review, shown(open)]).toEqual([null, [FAILED]]);
  });

  it('is made again, once, when the dispute is won', () => {
    const won = disputed(disputed(paidTwice(refused())), { status: 'won' }, later(2));
    expect(shown(won)).toEqual([FAILED, [5_000, 'pending', 'unsent']]);
    expect(shown(disputed(won, { status: 'won' }, later(3)))).toEqual(shown(won));
  });

  it('is made of the rest when the dispute is lost, but not while another one of the charge is open', () => {
    const two = disputed(disputed(paidTwice(refused())), { reference: 'du_2', amount: 500 });
    const one = disputed(two, { status: 'lost' }, later(2));
    expect(shown(one)).toEqual([FAILED]);
    const none = disputed(one, { reference: 'du_2', amount: 500, status: 'lost' }, later(3));
    expect(shown(none)).toEqual([FAILED, [3_500, 'pending', 'unsent']]);
  });

  it('is not sent again by the end of its review, and only a dispute that is won brings it back', () => {
    const ended = closeReview({ ...paidTwice(refused()), review }, 're_op', later(1));
    if (!ended) throw new Error('The review should have ended.');
    expect([ended.review, shown(ended)]).toEqual([null, [FAILED]]);
    for (const status of ['warning', 'lost'] as const)
      expect(shown(disputed(ended, { status }, later(2)))).toEqual([FAILED]);
    expect(shown(disputed(ended, { status: 'won' }, later(2)))).toEqual([FAILED, [5_000, 'pending', 'unsent']]);
  });

  it('leaves the whole charge for a refund that a person makes at the provider', () =>
    expect(refundableRest(disputed(paidTwice(refused())), second)).toMatchObject({ amount: 5_000, automatic: true }));
});
