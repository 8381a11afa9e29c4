import { describe, expect, it } from 'vitest';
import { RefundReply } from '#functions/payments/payments.schema.ts';
import { snapshot } from '#shared/domain/payments/payment.events.ts';
import type { Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import {
  adoptRefund,
  type RefundVerdict,
  reserveRefund,
  settleRefund,
  leaseSending,
} from '#shared/domain/payments/refund.machine.ts';
import { chargedAttempt, refundable } from '#shared/domain/payments/refund.rules.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { anAttempt, announced, aPayment, aRefund } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const SUCCEEDED: RefundVerdict = { kind: 'succeeded', reference: 'rf_1' };
const ACCEPTED: RefundVerdict = { kind: 'accepted', reference: 'rf_1' };
const FAILED: RefundVerdict = {
  kind: 'failed',
  reference: 'rf_1',
  decline: refundDecline('insufficient_balance', 'balance_low'),
};
const NOTHING: RefundVerdict = { kind: 'unknown' };

const paid = (refunds: readonly Refund[] = []) => aPayment({ status: 'succeeded', refunds });
const tell = (payment: Payment, id: string, verdict: RefundVerdict) => settleRefund(payment, id, verdict, later(1_000));
const told = (payment: Payment, ...verdicts: readonly (readonly [string, RefundVerdict])[]) =>
  verdicts.reduce((p, [id, verdict]) => tell(p, id, verdict) ?? p, payment);

describe('what can still be refunded', () => {
  it.each<[string, number, Refund[]]>([
    ['all, at first', 5_000, []],
    ['less what went back', 4_000, [aRefund()]],
    ['less what is on its way', 4_000, [aRefund({ status: 'pending' })]],
    ['all again after a failure', 5_000, [aRefund({ status: 'failed' })]],
    ['less several', 1_500, [aRefund(), aRefund({ id: 're_2', amount: 2_500, status: 'pending' })]],
    ['nothing at the end', 0, [aRefund({ amount: 5_000 })]],
    [
      'all, whatever we gave back of another charge by ourselves',
      5_000,
      [aRefund({ amount: 5_000, automatic: true, attempt_id: 'att_2' })],
    ],
    ['nothing where we gave back its own charge by ourselves', 0, [aRefund({ amount: 5_000, automatic: true })]],
  ])('is %s', (_, rest, refunds) => expect(refundable(paid(refunds))).toBe(rest));
});

describe('a refund is reserved', () => {
  it('of the rest when no amount is named', () =>
    expect(reserveRefund(paid([aRefund({ amount: 1_200 })]), { id: 're_2' }, later(1)).refunds[1]).toMatchObject({
      amount: 3_800,
      status: 'pending',
      phase: 'calling',
    }));

  it('with the reason and metadata given, at the attempt that was paid', () => {
    const payment = reserveRefund(paid(), { id: 're_1', amount: 10, reason: 'gift', metadata: { order: 7 } }, later(5));
    const at = later(5).toISOString();
    expect(payment.refunds).toEqual([
      aRefund({ amount: 10, status: 'pending', reason: 'gift', metadata: { order: 7 }, created_at: at }),
    ]);
    expect(payment.updated_at).toBe(at);
  });

  it('without a reason where none is given', () =>
    expect(reserveRefund(paid(), { id: 're_1' }, later(1)).refunds[0]).toMatchObject({ reason: null, metadata: {} }));

  it('without an event, and with nothing refunded yet', () => {
    const payment = reserveRefund(paid(), { id: 're_1' }, later(1));
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 0, outbox: [] });
  });

  it.each<[string, number | undefined, Refund[]]>([
    ['more than the payment', 5_001, []],
    ['more than the rest', 4_001, [aRefund()]],
    ['more than the rest that is not on its way', 4_001, [aRefund({ status: 'pending' })]],
    ['the rest where all is on its way', undefined, [aRefund({ amount: 5_000, status: 'pending' })]],
  ])('never for %s', (_, amount, refunds) =>
    expect(() => reserveRefund(paid(refunds), { id: 're_2', amount }, later(1))).toThrow(
      expect.objectContaining({ code: 'refund_exceeds_remaining' }),
    ),
  );

  it('or the refusal names what remains', () =>
    expect(() => reserveRefund(paid([aRefund()]), { id: 're_2', amount: 4_500 }, later(1))).toThrow(
      expect.objectContaining({ details: { remaining: 4_000 } }),
    ));

  it.each(['created', 'processing', 'requires_action', 'failed', 'canceled', 'refunded'] as const)(
    'never for a payment that is %s',
    (status) =>
      expect(() => reserveRefund(aPayment({ status }), { id: 're_1' }, later(1))).toThrow(
        expect.objectContaining({ code: 'payment_not_refundable' }),
      ),
  );

  it('at the charge that stands, when a second one at the same connection was given back', () => {
    const attempts = [anAttempt({ status: 'succeeded' }), anAttempt({ id: 'att_2', status: 'succeeded' })];
    const payment = { ...paid([aRefund({ amount: 5_000, automatic: true })]), attempts, psp_reference: 'ref of att_2' };
    expect(chargedAttempt(payment)?.id).toBe('att_2');
    expect(reserveRefund(payment, { id: 're_2' }, later(1)).refunds[1]?.attempt_id).toBe('att_2');
  });
});

describe('a refund that completes', () => {
  it('in part leaves the payment succeeded, and is announced with itself and the sum', () => {
    const payment = told(paid([aRefund({ status: 'pending' })]), ['re_1', SUCCEEDED]);
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount_refunded: 1_000,
      refunds: [{ status: 'succeeded', phase: 'final', psp_reference: 'rf_1' }],
    });
    expect(payment.outbox).toMatchObject([
      {
        type: 'payment.refunded',
        was: { status: 'succeeded', amount_refunded: 1_000, refund: { id: 're_1', status: 'succeeded' } },
      },
    ]);
  });

  it('as the last makes the payment refunded', () => {
    const pending = [
      aRefund({ amount: 2_000, status: 'pending' }),
      aRefund({ id: 're_2', amount: 3_000, status: 'pending' }),
    ];
    const payment = told(paid(pending), ['re_2', SUCCEEDED], ['re_1', SUCCEEDED]);
    expect(payment).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
    expect(payment.outbox.map((stub) => [stub.was.status, stub.was.amount_refunded])).toEqual([
      ['succeeded', 3_000],
      ['refunded', 5_000],
    ]);
  });

  it('is counted and announced once, however often it is told', () => {
    const payment = told(
      paid([aRefund({ status: 'pending' })]),
      ['re_1', SUCCEEDED],
      ['re_1', SUCCEEDED],
      ['re_1', ACCEPTED],
      ['re_1', NOTHING],
    );
    expect(payment.amount_refunded).toBe(1_000);
    expect(announced(payment)).toEqual(['payment.refunded']);
  });

  it('is shown by its event as the payment shows it, without inner fields, as it was then', () => {
    const payment = told(paid([aRefund({ status: 'pending', reason: 'gift', metadata: { order: 7 } })]), [
      're_1',
      SUCCEEDED,
    ]);
    const [stub] = payment.outbox;
    const shown = RefundReply.parse(payment.refunds[0]);
    expect(shown).toMatchObject({ metadata: { order: 7 }, attempt_id: 'att_1', failure: null });
    for (const since of [payment, told(payment, ['re_1', FAILED])])
      expect(snapshot(since, stub!)).toMatchObject({ amount_refunded: 1_000, refund: shown });
  });

  it('does not weigh a second time in its event what never changes', () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key_${n}`, 'x'.repeat(500)]));
    const payment = told(paid([aRefund({ status: 'pending', metadata })]), ['re_1', SUCCEEDED]);
    expect(JSON.stringify(payment.outbox).length).toBeLessThan(1_000);
  });
});

describe('a refund that fails', () => {
  it('before it succeeded gives back nothing, says nothing and can be tried again in full', () => {
    const payment = told(paid([aRefund({ status: 'pending' })]), ['re_1', FAILED]);
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      review: null,
      outbox: [],
      refunds: [{ status: 'failed', phase: 'final' }],
    });
    expect(refundable(payment)).toBe(5_000);
  });

  it('says why, in our own words', () => {
    const payment = told(paid([aRefund({ status: 'pending' })]), ['re_1', FAILED]);
    expect(payment.refunds[0]?.failure).toEqual({
      code: 'insufficient_balance',
      category: 'soft_decline',
      message: 'The account at the provider holds too little money for this refund.',
      provider_code: 'balance_low',
      retryable: true,
    });
  });

  it('after it succeeded lowers what was refunded', () => {
    const payment = told(paid([aRefund(), aRefund({ id: 're_2', amount: 500 })]), ['re_1', FAILED]);
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 500 });
  });

  it('after all was refunded makes the payment succeeded again', () => {
    const payment = told({ ...paid([aRefund({ amount: 5_000 })]), status: 'refunded' }, ['re_1', FAILED]);
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 0 });
    expect(told(reserveRefund(payment, { id: 're_2' }, later(2)), ['re_2', SUCCEEDED])).toMatchObject({
      status: 'refunded',
      amount_refunded: 5_000,
    });
  });

  it('lowers it once, and stays failed', () => {
    const payment = told(paid([aRefund()]), ['re_1', FAILED], ['re_1', FAILED], ['re_1', SUCCEEDED]);
    expect(payment).toMatchObject({ amount_refunded: 0, refunds: [{ status: 'failed' }] });
  });

  it('keeps the reference it was known by when the PSP names none', () =>
    expect(
      told(paid([aRefund({ phase: 'accepted', status: 'pending' })]), ['re_1', { ...FAILED, reference: null }])
        .refunds[0]?.psp_reference,
    ).toBe('ref of re_1'));
});

describe('a refund that ends', () => {
  it.each([
    ['in success', SUCCEEDED],
    ['in failure', FAILED],
  ])('%s makes the payment newer', (_, verdict) =>
    expect(tell(paid([aRefund({ status: 'pending' })]), 're_1', verdict)?.updated_at).toBe(later(1_000).toISOString()),
  );
});

describe('a refund on its way', () => {
  it.each<[string, Refund['phase'], RefundVerdict, Refund['phase'] | 'nothing']>([
    ['is unknown when its call brings no answer', 'calling', NOTHING, 'unknown'],
    ['stays unknown', 'unknown', NOTHING, 'nothing'],
    ['stays accepted when it can’t be asked', 'accepted', NOTHING, 'nothing'],
    ['is accepted', 'calling', ACCEPTED, 'accepted'],
    ['is accepted after all', 'unknown', ACCEPTED, 'accepted'],
    ['is accepted once', 'accepted', ACCEPTED, 'nothing'],
  ])('%s', (_, phase, verdict, after) => {
    const payment = tell(paid([aRefund({ status: 'pending', phase })]), 're_1', verdict);
    expect(payment?.refunds[0]?.phase ?? 'nothing').toBe(after);
  });

  it('learns its reference when it is accepted', () =>
    expect(tell(paid([aRefund({ status: 'pending' })]), 're_1', ACCEPTED)?.refunds[0]).toMatchObject({
      status: 'pending',
      psp_reference: 'rf_1',
    }));

  it('that does not exist changes nothing', () => expect(tell(paid(), 're_9', SUCCEEDED)).toBeUndefined());
});

describe('a refund that we made by ourselves', () => {
  const owed = aRefund({ amount: 5_000, status: 'pending', automatic: true, reason: 'duplicate_charge' });

  it('is silent, and outside of what was refunded', () => {
    const payment = told(paid([owed]), ['re_1', SUCCEEDED]);
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      outbox: [],
      refunds: [{ status: 'succeeded' }],
    });
  });

  it.each(['succeeded', 'canceled', 'refunded'] as const)('leaves a payment that is %s as it is', (status) =>
    expect(told(aPayment({ status, refunds: [owed] }), ['re_1', SUCCEEDED]).status).toBe(status),
  );

  it.each<[string, Refund]>([
    ['at once', owed],
    ['after it had succeeded', { ...owed, status: 'succeeded', phase: 'final' }],
  ])('calls for a person when it fails %s', (_, refund) => {
    const payment = told(aPayment({ status: 'canceled', refunds: [refund] }), ['re_1', FAILED]);
    expect(payment).toMatchObject({
      status: 'canceled',
      amount_refunded: 0,
      review: { reason: 'refund_failed', refund_id: 're_1' },
      outbox: [],
    });
  });
});

describe('a refund that was made at the PSP', () => {
  const found = { id: 're_9', amount: 700, currency: 'USD', reference: 'rf_9', attempt_id: 'att_1' };

  it('is adopted, and counts like any other once it completes', () => {
    const adopted = adoptRefund(paid(), found, later(1))!;
    expect(adopted.refunds).toMatchObject([
      { status: 'pending', phase: 'accepted', reason: 'made_at_provider', psp_reference: 'rf_9' },
    ]);
    expect(told(adopted, ['re_9', SUCCEEDED])).toMatchObject({
      amount_refunded: 700,
      outbox: [{ type: 'payment.refunded' }],
    });
  });

  it('is adopted up to all of the rest', () =>
    expect(adoptRefund(paid(), { ...found, amount: 5_000 }, later(1))?.refunds).toHaveLength(1));

  describe('of a charge that we failed to give back', () => {
    const refunds = [aRefund({ id: 're_1', amount: 5_000, automatic: true, reason: 'after_cancel', status: 'failed' })];
    const owing = aPayment({ status: 'canceled', attempts: [anAttempt({ status: 'succeeded' })], refunds });
    const all = { ...found, amount: 5_000 };

    it('is that one, made by hand: silent, and the review is over', () => {
      const review = { reason: 'refund_failed', at: later(0).toISOString(), refund_id: 're_1' } as const;
      const made = told(adoptRefund({ ...owing, review }, all, later(1))!, ['re_9', SUCCEEDED]);
      expect(made).toMatchObject({ status: 'canceled', amount_refunded: 0, review: null, outbox: [] });
      expect(made.refunds[1]).toMatchObject({ status: 'succeeded', reason: 'after_cancel', automatic: true });
    });

    it.each<[string, Payment, typeof found]>([
      ['of another currency', owing, { ...all, currency: 'EUR' }],
      ['of more than is owed', owing, { ...all, amount: 5_001 }],
      ['of a charge of which nothing is owed', { ...owing, refunds: [] }, all],
    ])('is no such one %s', (_, payment, seen) => expect(adoptRefund(payment, seen, later(1))).toBeUndefined());
  });

  it('makes the payment newer', () =>
    expect(adoptRefund(paid(), found, later(1))?.updated_at).toBe(later(1).toISOString()));

  it.each<[string, Payment]>([
    ['known by its reference', paid([aRefund({ psp_reference: 'rf_9' })])],
    ['more than the rest', paid([aRefund({ amount: 4_500 })])],
  ])('is not adopted when it is %s', (_, payment) => expect(adoptRefund(payment, found, later(1))).toBeUndefined());
});

describe('a refund at a PSP that would carry two sends out', () => {
  const at = later(0);
  const waiting = aPayment({
    status: 'succeeded',
    refunds: [aRefund({ id: 're_1', phase: 'calling', psp_reference: null })],
  });
  const taken = leaseSending(waiting, 're_1', later(60_000), at)!;

  it('is sent by one worker at a time, and by another when that one has died', () => {
    expect(taken.refunds[0]).toMatchObject({ sending_until: later(60_000).toISOString() });
    expect(leaseSending(taken, 're_1', later(90_000), later(59_999))).toBeUndefined();
    expect(leaseSending(taken, 're_1', later(120_000), later(60_000))).toMatchObject({
      refunds: [{ sending_until: later(120_000).toISOString() }],
    });
  });

  it.each([
    ['has its reference', { psp_reference: 'rf_1' }],
    ['has ended', { phase: 'final' as const }],
    ['is another', { id: 're_2' }],
  ])('is not sent by anybody when it %s', (_, change) => {
    const payment = aPayment({
      status: 'succeeded',
      refunds: [aRefund({ id: 're_1', phase: 'calling', psp_reference: null, ...change })],
    });
    expect(leaseSending(payment, 're_1', later(60_000), at)).toBeUndefined();
  });
});
