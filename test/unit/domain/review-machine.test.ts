import { describe, expect, it } from 'vitest';
import type { Attempt, Payment, Refund, Review } from '#shared/domain/payments/payment.model.ts';
import { settleRefund } from '#shared/domain/payments/refund.machine.ts';
import { refundableAmount } from '#shared/domain/payments/refund.rules.ts';
import { refundDecline, refundFailureOf } from '#shared/domain/payments/refund-failures.catalog.ts';
import { closeReview } from '#shared/domain/payments/review.machine.ts';
import { anAttempt, announced, aPayment, aRefund } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const review = (reason: Review['reason'], more = {}): Review => ({ reason, at: START.toISOString(), ...more });
const wrongAmount = review('amount_mismatch', { attempt_id: 'att_1', psp_amount: 700, psp_currency: 'JPY' });
const tookWrong = (id: string): Attempt =>
  anAttempt({ id, status: 'failed', phase: 'accepted', wrong_amount: { amount: 700, currency: 'JPY' } });
const ended = (payment: Payment): Payment => closeReview(payment, 're_op', later(1))!;
const withRefund = (about: Partial<Refund>, more: Partial<Payment> = {}): Payment =>
  aPayment({
    status: 'succeeded',
    refunds: [aRefund({ status: 'pending', phase: 'unknown', psp_reference: null, ...about })],
    ...more,
  });
const shown = ({ refunds }: Payment) =>
  refunds.map(({ amount, status, reason, automatic }) => [amount, status, reason, automatic ?? false]);

describe('the end of a review', () => {
  it('requires a review', () => expect(closeReview(aPayment({ status: 'failed' }), 're_op', later(1))).toBeUndefined());

  it('records the operation, so that a repeat finds it done', () =>
    expect(ended(aPayment({ review: review('no_verdict') }))).toMatchObject({
      status: 'canceled',
      review: null,
      ended_review: 're_op',
    }));

  it('of a failed payment refunds what was charged, in its currency, without an event', () => {
    const failed = aPayment({ status: 'failed', review: wrongAmount, attempts: [tookWrong('att_1')] });
    const payment = ended(failed);
    expect(payment).toMatchObject({
      status: 'failed',
      review: null,
      attempts: [{ status: 'succeeded', phase: 'final' }],
    });
    expect(payment.refunds).toMatchObject([
      { amount: 700, currency: 'JPY', reason: 'after_cancel', automatic: true, phase: 'unsent' },
    ]);
    expect(announced(payment)).toEqual(announced(failed));
  });

  it('of a succeeded payment closes a charge that was never settled', () => {
    const attempts = [anAttempt({ status: 'succeeded', phase: 'final' }), anAttempt({ id: 'att_2', phase: 'unknown' })];
    const payment = ended(aPayment({ status: 'succeeded', review: review('no_verdict'), attempts }));
    expect(payment).toMatchObject({
      status: 'succeeded',
      review: null,
      refunds: [],
      attempts: [{ status: 'succeeded' }, { status: 'canceled', phase: 'final' }],
    });
  });
});

describe('a refund that is given up in a review', () => {
  const noWord = { review: review('no_verdict', { refund_id: 're_1' }) };

  it('fails if the PSP never named it, and reserves nothing', () => {
    const payment = ended(withRefund({ amount: 2_000 }, noWord));
    expect([shown(payment)[0]?.[1], refundableAmount(payment)]).toEqual(['failed', payment.amount]);
    expect(payment.refunds[0]?.failure).toMatchObject({ code: 'no_verdict', retryable: true });
  });

  it('stays pending if the PSP has it, and keeps its amount reserved', () => {
    const payment = ended(withRefund({ amount: 2_000, phase: 'accepted', psp_reference: 'ref_1' }, noWord));
    expect(payment.refunds).toMatchObject([{ status: 'pending', given_up: true }]);
    expect(refundableAmount(payment)).toBe(payment.amount - 2_000);
  });

  it('counts if it was made after all, while its amount is free', () => {
    const payment = ended(withRefund({ amount: 2_000 }, noWord));
    const made = settleRefund(payment, 're_1', { kind: 'succeeded', reference: 'ref_1' }, later(2))!;
    expect(made).toMatchObject({
      amount_refunded: 2_000,
      refunds: [{ status: 'succeeded', failure: null, psp_reference: 'ref_1' }],
    });
    const again = {
      ...payment,
      refunds: [
        ...payment.refunds,
        aRefund({ id: 're_2', amount: payment.amount, status: 'pending', phase: 'accepted' }),
      ],
    };
    expect(settleRefund(again, 're_1', { kind: 'succeeded', reference: 'ref_1' }, later(2))).toBeUndefined();
  });

  it('stays failed if it failed at the PSP', () => {
    const payment = withRefund({ status: 'failed', phase: 'final', psp_reference: 'ref_1' });
    expect(settleRefund(payment, 're_1', { kind: 'succeeded', reference: 'ref_1' }, later(2))).toBeUndefined();
  });
});

describe('an automatic refund in a review', () => {
  const owed = { automatic: true, reason: 'duplicate_charge', attempt_id: 'att_1' } as const;

  it.each<[string, Partial<Refund>, Review]>([
    ['failed', { status: 'failed', phase: 'final' }, review('refund_failed', { refund_id: 're_1' })],
    ['has no verdict', {}, review('no_verdict', { refund_id: 're_1' })],
  ])('that %s is made once more, with another id each time', (_, about, why) => {
    const payment = ended(withRefund({ ...owed, ...about, amount: 5_000 }, { review: why }));
    const line = [5_000, 'failed', 'duplicate_charge', true];
    expect(shown(payment)).toEqual([line, [5_000, 'pending', 'duplicate_charge', true]]);
    const second = payment.refunds[1]!;
    const refused = settleRefund(
      payment,
      second.id,
      { kind: 'failed', reference: null, decline: refundDecline('refund_declined') },
      later(1),
    )!;
    const third = closeReview(refused, 're_op2', later(1))!.refunds[2]!;
    expect(new Set(['re_1', second.id, third.id]).size).toBe(3);
  });

  it('is not made again if the PSP has it', () => {
    const payment = ended(
      withRefund(
        { ...owed, phase: 'accepted', psp_reference: 'ref_1' },
        { review: review('no_verdict', { refund_id: 're_1' }) },
      ),
    );
    expect(payment.refunds).toMatchObject([{ status: 'pending', given_up: true }]);
  });
});

describe('a review of a refund without a verdict', () => {
  it.each(['succeeded', 'failed'] as const)('ends once the refund has %s', (kind) => {
    const payment = withRefund({}, { review: review('no_verdict', { refund_id: 're_1' }) });
    expect(
      settleRefund(payment, 're_1', { kind, reference: 'ref_1', decline: refundDecline('refund_declined') }, later(2))
        ?.review,
    ).toBeNull();
  });

  it('continues when another refund gets its verdict', () => {
    const { refunds } = withRefund({});
    const other = aRefund({ id: 're_2', status: 'pending', phase: 'accepted' });
    const payment = aPayment({
      status: 'succeeded',
      refunds: [...refunds, other],
      review: review('no_verdict', { refund_id: 're_2' }),
    });
    expect(settleRefund(payment, 're_1', { kind: 'succeeded', reference: 'ref_1' }, later(2))?.review).toMatchObject({
      refund_id: 're_2',
    });
  });
});

describe('several open questions in one review', () => {
  const owed = (n: number, about: Partial<Refund> = {}): Refund =>
    aRefund({
      id: `re_${n}`,
      attempt_id: `att_${n}`,
      amount: 5_000,
      automatic: true,
      reason: 'after_cancel',
      status: 'failed',
      ...about,
    });
  const paid = (n: number): Attempt => anAttempt({ id: `att_${n}`, status: 'succeeded' });
  const twoOwed = aPayment({
    status: 'canceled',
    attempts: [paid(1), paid(2)],
    refunds: [owed(1), owed(2)],
    review: review('refund_failed', { refund_id: 're_2' }),
  });

  it('are decided one after the other', () => {
    const second = ended(twoOwed);
    expect(second.review).toMatchObject({ reason: 'refund_failed', refund_id: 're_1' });
    expect(ended(second)).toMatchObject({
      review: null,
      refunds: [{}, {}, { attempt_id: 'att_2' }, { attempt_id: 'att_1' }],
    });
  });

  it('come up after the PSP answers the first one', () => {
    const waiting = aPayment({
      ...twoOwed,
      refunds: [owed(1), owed(2, { status: 'pending', phase: 'unknown' })],
      review: review('no_verdict', { refund_id: 're_2' }),
    });
    const made = settleRefund(waiting, 're_2', { kind: 'succeeded', reference: 'ref_2' }, later(1));
    expect(made?.review).toMatchObject({ reason: 'refund_failed', refund_id: 're_1' });
  });

  it('are refunded together if they are wrong amounts', () => {
    const payment = ended(
      aPayment({ status: 'failed', review: wrongAmount, attempts: [tookWrong('att_1'), tookWrong('att_2')] }),
    );
    expect([payment.review, shown(payment)]).toEqual([null, Array(2).fill([700, 'pending', 'after_cancel', true])]);
  });

  it.each<[string, Partial<Payment>, number]>([
    ["the whole charge if it is not part of the payment's amount", { status: 'canceled' }, 9_000],
    [
      "the unrefunded part of the payment's own charge",
      { status: 'succeeded', refunds: [owed(1), aRefund({ id: 're_2', amount: 2_000 })] },
      3_000,
    ],
  ])('refunds again %s', (_, about, amount) => {
    const refund = owed(1, { amount: about.status === 'canceled' ? 9_000 : 5_000 });
    const payment = aPayment({
      attempts: [paid(1)],
      refunds: [refund],
      review: review('refund_failed', { refund_id: 're_1' }),
      ...about,
    });
    expect(shown(ended(payment)).at(-1)).toEqual([amount, 'pending', 'after_cancel', true]);
  });

  it('does not refund again what the PSP has already refunded', () => {
    const back = owed(1, { failure: refundFailureOf(refundDecline('already_refunded')) });
    const payment = ended(
      aPayment({
        ...twoOwed,
        attempts: [paid(1)],
        refunds: [back],
        review: review('refund_failed', { refund_id: 're_1' }),
      }),
    );
    expect(payment).toMatchObject({ review: null, refunds: [{ status: 'failed', given_up: true }] });
    expect(payment.refunds).toHaveLength(1);
  });
});
