import { describe, expect, it } from 'vitest';
import { snapshot } from '#shared/domain/payments/payment.events.ts';
import type { Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import {
  giveUpUnsent,
  leaseSending,
  type RefundVerdict,
  reserveRefund,
  settleRefund,
} from '#shared/domain/payments/refund.machine.ts';
import { chargedAttempt, refundableAmount } from '#shared/domain/payments/refund.rules.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { RefundReply } from '#shared/http/schema/payment.schema.ts';
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
const settleOne = (payment: Payment, id: string, verdict: RefundVerdict) =>
  settleRefund(payment, id, verdict, later(1_000));
const settleAll = (payment: Payment, ...verdicts: readonly (readonly [string, RefundVerdict])[]) =>
  verdicts.reduce((p, [id, verdict]) => settleOne(p, id, verdict) ?? p, payment);

describe('the refundable amount', () => {
  it.each<[string, number, Refund[]]>([
    ['is the whole amount at first', 5_000, []],
    ['excludes what was refunded', 4_000, [aRefund()]],
    ['excludes pending refunds', 4_000, [aRefund({ status: 'pending' })]],
    ['includes failed refunds', 5_000, [aRefund({ status: 'failed' })]],
    ['excludes several refunds', 1_500, [aRefund(), aRefund({ id: 're_2', amount: 2_500, status: 'pending' })]],
    ['is nothing at the end', 0, [aRefund({ amount: 5_000 })]],
    [
      'includes automatic refunds of another charge',
      5_000,
      [aRefund({ amount: 5_000, automatic: true, attempt_id: 'att_2' })],
    ],
    ["excludes automatic refunds of the payment's own charge", 0, [aRefund({ amount: 5_000, automatic: true })]],
  ])('%s', (_, rest, refunds) => expect(refundableAmount(paid(refunds))).toBe(rest));
});

describe('reserving a refund', () => {
  it('takes the rest if no amount is named', () =>
    expect(reserveRefund(paid([aRefund({ amount: 1_200 })]), { id: 're_2' }, later(1)).refunds[1]).toMatchObject({
      amount: 3_800,
      status: 'pending',
      phase: 'calling',
    }));

  it('records the reason and metadata, for the attempt that was paid', () => {
    const payment = reserveRefund(paid(), { id: 're_1', amount: 10, reason: 'gift', metadata: { order: 7 } }, later(5));
    const at = later(5).toISOString();
    expect(payment.refunds).toEqual([
      aRefund({ amount: 10, status: 'pending', reason: 'gift', metadata: { order: 7 }, created_at: at, sent_at: at }),
    ]);
    expect(payment.updated_at).toBe(at);
  });

  it('has no reason if none is given', () =>
    expect(reserveRefund(paid(), { id: 're_1' }, later(1)).refunds[0]).toMatchObject({ reason: null, metadata: {} }));

  it('announces nothing, and counts nothing as refunded yet', () => {
    const payment = reserveRefund(paid(), { id: 're_1' }, later(1));
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 0, outbox: [] });
  });

  it.each<[string, number | undefined, Refund[]]>([
    ['more than the payment', 5_001, []],
    ['more than the rest', 4_001, [aRefund()]],
    ['more than the rest without pending refunds', 4_001, [aRefund({ status: 'pending' })]],
    ['the rest when all is pending', undefined, [aRefund({ amount: 5_000, status: 'pending' })]],
  ])('is refused for %s', (_, amount, refunds) =>
    expect(() => reserveRefund(paid(refunds), { id: 're_2', amount }, later(1))).toThrow(
      expect.objectContaining({ code: 'refund_exceeds_remaining' }),
    ),
  );

  it('is refused with the remaining amount', () =>
    expect(() => reserveRefund(paid([aRefund()]), { id: 're_2', amount: 4_500 }, later(1))).toThrow(
      expect.objectContaining({ details: { remaining: 4_000 } }),
    ));

  it.each(['created', 'processing', 'requires_action', 'failed', 'canceled', 'refunded'] as const)(
    'is refused for a payment that is %s',
    (status) =>
      expect(() => reserveRefund(aPayment({ status }), { id: 're_1' }, later(1))).toThrow(
        expect.objectContaining({ code: 'payment_not_refundable' }),
      ),
  );

  it('uses the remaining charge when a second one at the same connection was refunded', () => {
    const attempts = [anAttempt({ status: 'succeeded' }), anAttempt({ id: 'att_2', status: 'succeeded' })];
    const payment = { ...paid([aRefund({ amount: 5_000, automatic: true })]), attempts, psp_reference: 'ref of att_2' };
    expect(chargedAttempt(payment)?.id).toBe('att_2');
    expect(reserveRefund(payment, { id: 're_2' }, later(1)).refunds[1]?.attempt_id).toBe('att_2');
  });
});

describe('a refund that completes', () => {
  it('in part leaves the payment succeeded, and is announced with the total', () => {
    const payment = settleAll(paid([aRefund({ status: 'pending' })]), ['re_1', SUCCEEDED]);
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

  it('as the last one makes the payment refunded', () => {
    const pending = [
      aRefund({ amount: 2_000, status: 'pending' }),
      aRefund({ id: 're_2', amount: 3_000, status: 'pending' }),
    ];
    const payment = settleAll(paid(pending), ['re_2', { kind: 'succeeded', reference: 'rf_2' }], ['re_1', SUCCEEDED]);
    expect(payment).toMatchObject({ status: 'refunded', amount_refunded: 5_000 });
    expect(payment.outbox.map((stub) => [stub.was.status, stub.was.amount_refunded])).toEqual([
      ['succeeded', 3_000],
      ['refunded', 5_000],
    ]);
  });

  it('is counted and announced once, however often it is reported', () => {
    const payment = settleAll(
      paid([aRefund({ status: 'pending' })]),
      ['re_1', SUCCEEDED],
      ['re_1', SUCCEEDED],
      ['re_1', ACCEPTED],
      ['re_1', NOTHING],
    );
    expect(payment.amount_refunded).toBe(1_000);
    expect(announced(payment)).toEqual(['payment.refunded']);
  });

  it('is shown by its event as the payment showed it then, without internal fields', () => {
    const payment = settleAll(paid([aRefund({ status: 'pending', reason: 'gift', metadata: { order: 7 } })]), [
      're_1',
      SUCCEEDED,
    ]);
    const [stub] = payment.outbox;
    const shown = RefundReply.parse(payment.refunds[0]);
    expect(shown).toMatchObject({ metadata: { order: 7 }, attempt_id: 'att_1', failure: null });
    for (const since of [payment, settleAll(payment, ['re_1', FAILED])])
      expect(snapshot(since, stub!)).toMatchObject({ amount_refunded: 1_000, refund: shown });
  });

  it('does not repeat in its event what never changes', () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key_${n}`, 'x'.repeat(500)]));
    const payment = settleAll(paid([aRefund({ status: 'pending', metadata })]), ['re_1', SUCCEEDED]);
    expect(JSON.stringify(payment.outbox).length).toBeLessThan(1_000);
  });
});

describe('a refund that fails', () => {
  it('before it succeeded refunds nothing, is not announced and can be retried in full', () => {
    const payment = settleAll(paid([aRefund({ status: 'pending' })]), ['re_1', FAILED]);
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      review: null,
      outbox: [],
      refunds: [{ status: 'failed', phase: 'final' }],
    });
    expect(refundableAmount(payment)).toBe(5_000);
  });

  it("shows a failure code of its own, not the PSP's", () => {
    const payment = settleAll(paid([aRefund({ status: 'pending' })]), ['re_1', FAILED]);
    expect(payment.refunds[0]?.failure).toEqual({
      code: 'insufficient_balance',
      category: 'soft_decline',
      message: 'The account at the provider holds too little money for this refund.',
      provider_code: 'balance_low',
      retryable: true,
    });
  });

  it('after it succeeded lowers the refunded amount', () => {
    const payment = settleAll(paid([aRefund(), aRefund({ id: 're_2', amount: 500 })]), ['re_1', FAILED]);
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 500 });
  });

  it('after a full refund makes the payment succeeded again', () => {
    const payment = settleAll({ ...paid([aRefund({ amount: 5_000 })]), status: 'refunded' }, ['re_1', FAILED]);
    expect(payment).toMatchObject({ status: 'succeeded', amount_refunded: 0 });
    expect(
      settleAll(reserveRefund(payment, { id: 're_2' }, later(2)), ['re_2', { kind: 'succeeded', reference: 'rf_2' }]),
    ).toMatchObject({
      status: 'refunded',
      amount_refunded: 5_000,
    });
  });

  it('lowers the amount once, and stays failed', () => {
    const payment = settleAll(paid([aRefund()]), ['re_1', FAILED], ['re_1', FAILED], ['re_1', SUCCEEDED]);
    expect(payment).toMatchObject({ amount_refunded: 0, refunds: [{ status: 'failed' }] });
  });

  it('keeps its reference when the PSP names none', () =>
    expect(
      settleAll(paid([aRefund({ phase: 'accepted', status: 'pending' })]), ['re_1', { ...FAILED, reference: null }])
        .refunds[0]?.psp_reference,
    ).toBe('ref of re_1'));
});

describe('a refund that ends', () => {
  it.each([
    ['in success', SUCCEEDED],
    ['in failure', FAILED],
  ])('%s updates the payment', (_, verdict) =>
    expect(settleOne(paid([aRefund({ status: 'pending' })]), 're_1', verdict)?.updated_at).toBe(
      later(1_000).toISOString(),
    ),
  );
});

describe('a pending refund', () => {
  it.each<[string, Refund['phase'], RefundVerdict, Refund['phase'] | 'nothing']>([
    ['is unknown when its call has no response', 'calling', NOTHING, 'unknown'],
    ['stays unknown without a response', 'unknown', NOTHING, 'nothing'],
    ['stays accepted when its lookup fails', 'accepted', NOTHING, 'nothing'],
    ['is accepted', 'calling', ACCEPTED, 'accepted'],
    ['is accepted after it was unknown', 'unknown', ACCEPTED, 'accepted'],
    ['is accepted once', 'accepted', ACCEPTED, 'nothing'],
  ])('%s', (_, phase, verdict, after) => {
    const payment = settleOne(paid([aRefund({ status: 'pending', phase })]), 're_1', verdict);
    expect(payment?.refunds[0]?.phase ?? 'nothing').toBe(after);
  });

  it('learns its reference when it is accepted', () =>
    expect(settleOne(paid([aRefund({ status: 'pending' })]), 're_1', ACCEPTED)?.refunds[0]).toMatchObject({
      status: 'pending',
      psp_reference: 'rf_1',
    }));

  it('that does not exist changes nothing', () => expect(settleOne(paid(), 're_9', SUCCEEDED)).toBeUndefined());
});

describe('an automatic refund', () => {
  const owed = aRefund({ amount: 5_000, status: 'pending', automatic: true, reason: 'duplicate_charge' });

  it('is not announced or counted in the refunded amount', () => {
    const payment = settleAll(paid([owed]), ['re_1', SUCCEEDED]);
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      outbox: [],
      refunds: [{ status: 'succeeded' }],
    });
  });

  it.each(['succeeded', 'canceled', 'refunded'] as const)('leaves a payment that is %s unchanged', (status) =>
    expect(settleAll(aPayment({ status, refunds: [owed] }), ['re_1', SUCCEEDED]).status).toBe(status),
  );

  it.each<[string, Refund]>([
    ['at once', owed],
    ['after it had succeeded', { ...owed, status: 'succeeded', phase: 'final' }],
  ])('starts a review when it fails %s', (_, refund) => {
    const payment = settleAll(aPayment({ status: 'canceled', refunds: [refund] }), ['re_1', FAILED]);
    expect(payment).toMatchObject({
      status: 'canceled',
      amount_refunded: 0,
      review: { reason: 'refund_failed', refund_id: 're_1' },
      outbox: [],
    });
  });
});

describe('the send of a refund', () => {
  const sent = (about: Partial<Refund> = {}) =>
    paid([aRefund({ status: 'pending', phase: 'calling', psp_reference: null, ...about })]);
  const NOT_SENT: RefundVerdict = { kind: 'not_sent' };

  it('that did not reach the PSP is certain if it was the only one: it is sent again under a fresh key', () => {
    const unsent = settleOne(
      sent({ sent_at: later(0).toISOString(), sending_until: later(9).toISOString() }),
      're_1',
      NOT_SENT,
    )!;
    expect(unsent.refunds[0]).toMatchObject({
      status: 'pending',
      phase: 'unsent',
      asked_at: later(1_000).toISOString(),
    });
    expect(unsent.refunds[0]).not.toHaveProperty('sent_at');
    expect(unsent.refunds[0]).not.toHaveProperty('sending_until');
    expect(leaseSending(unsent, 're_1', later(90_000), later(60_000))?.refunds[0]).toMatchObject({
      phase: 'calling',
      sent_at: later(60_000).toISOString(),
    });
  });

  it.each<Refund['phase']>(['unknown', 'accepted'])('that did not reach the PSP says nothing if it is %s', (phase) =>
    expect(settleOne(sent({ phase }), 're_1', NOT_SENT)).toBeUndefined(),
  );

  it('by another worker may have reached the PSP', () =>
    expect(leaseSending(sent(), 're_1', later(90_000), later(60_000))?.refunds[0]).toMatchObject({ phase: 'unknown' }));

  it('that never reached the PSP is given up, and its amount is free', () => {
    const given = giveUpUnsent(sent({ phase: 'unsent', amount: 5_000 }), 're_1', later(1))!;
    expect(given.refunds[0]).toMatchObject({ status: 'failed', failure: { code: 'provider_unavailable' } });
    expect(refundableAmount(given)).toBe(5_000);
    expect(giveUpUnsent(sent({ phase: 'unknown' }), 're_1', later(1))).toBeUndefined();
  });
});

describe('a reference of the PSP', () => {
  it('belongs to one refund: another one is not made by it', () => {
    const refunds = [
      aRefund({ id: 're_1', psp_reference: 'rf_1' }),
      aRefund({ id: 're_2', status: 'pending', phase: 'unknown', psp_reference: null }),
    ];
    const payment = settleOne(paid(refunds), 're_2', SUCCEEDED)!;
    expect(payment.refunds[1]).toMatchObject({
      status: 'failed',
      psp_reference: null,
      failure: { code: 'already_refunded' },
    });
    expect(payment.outbox).toEqual([]);
  });

  it('that comes for a refund which we took for failed makes it, while its amount fits', () => {
    const failed = aRefund({ status: 'failed', phase: 'final', psp_reference: null, amount: 3_000 });
    expect(settleOne(paid([failed]), 're_1', SUCCEEDED)).toMatchObject({
      amount_refunded: 3_000,
      refunds: [{ status: 'succeeded', failure: null, psp_reference: 'rf_1' }],
    });
    const beside = aRefund({ id: 're_2', amount: 2_001 });
    expect(settleOne(paid([failed, beside]), 're_1', SUCCEEDED)).toBeUndefined();
  });

  it('of a refund that failed at the PSP does not bring it back', () =>
    expect(
      settleOne(paid([aRefund({ status: 'failed', phase: 'final', psp_reference: 'rf_1' })]), 're_1', SUCCEEDED),
    ).toBeUndefined());
});

describe('a refund at a PSP without idempotency', () => {
  const at = later(0);
  const waiting = aPayment({
    status: 'succeeded',
    refunds: [aRefund({ id: 're_1', phase: 'calling', psp_reference: null })],
  });
  const taken = leaseSending(waiting, 're_1', later(60_000), at)!;

  it('is sent by one worker at a time, and by another once that one has crashed', () => {
    expect(taken.refunds[0]).toMatchObject({ sending_until: later(60_000).toISOString() });
    expect(leaseSending(taken, 're_1', later(90_000), later(59_999))).toBeUndefined();
    expect(leaseSending(taken, 're_1', later(120_000), later(60_000))).toMatchObject({
      refunds: [{ sending_until: later(120_000).toISOString() }],
    });
  });

  it.each([
    ['has its reference', { psp_reference: 'rf_1' }],
    ['has ended', { phase: 'final' as const }],
    ['has another id', { id: 're_2' }],
  ])('is not sent when it %s', (_, change) => {
    const payment = aPayment({
      status: 'succeeded',
      refunds: [aRefund({ id: 're_1', phase: 'calling', psp_reference: null, ...change })],
    });
    expect(leaseSending(payment, 're_1', later(60_000), at)).toBeUndefined();
  });
});
