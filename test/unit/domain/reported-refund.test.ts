import { describe, expect, it } from 'vitest';
import type { Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import type { RefundVerdict } from '#shared/domain/payments/refund.machine.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  NOT_SUCCEEDED,
  type ReportedRefund,
  type ReportResult,
  recordReported,
  UNSENT,
  UNSENT_OR_UNKNOWN,
} from '#shared/domain/payments/reported-refund.rules.ts';
import { anAttempt, aPayment, aRefund } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const SUCCEEDED: RefundVerdict = { kind: 'succeeded', reference: 'rf_9' };
const FAILED: RefundVerdict = { kind: 'failed', reference: 'rf_9', decline: refundDecline('refund_declined') };

const paid = (refunds: readonly Refund[] = []) => aPayment({ status: 'succeeded', refunds });
const report = (about: Partial<ReportedRefund> = {}): ReportedRefund => ({
  verdict: SUCCEEDED,
  reference: 'rf_9',
  amount: 700,
  currency: 'USD',
  ourId: null,
  charge: anAttempt().psp_reference,
  connection_id: anAttempt().connection_id,
  newId: 're_9',
  ...about,
});
const record = (payment: Payment, about: Partial<ReportedRefund> = {}, displaces = UNSENT): ReportResult =>
  recordReported(payment, report(about), displaces, later(1));
const recorded = (...given: Parameters<typeof record>): Payment | undefined => {
  const result = record(...given);
  expect(result.kind).toBe('recorded');
  return result.kind === 'recorded' ? result.payment : undefined;
};
const waiting = (phase: Refund['phase'], about: Partial<Refund> = {}) =>
  aRefund({ id: 're_1', status: 'pending', phase, psp_reference: null, amount: 3_000, ...about });

describe('a refund that was made at the PSP', () => {
  it('is counted like one of ours, once', () => {
    const payment = recorded(paid())!;
    expect(payment).toMatchObject({
      amount_refunded: 700,
      refunds: [{ id: 're_9', status: 'succeeded', reason: 'made_at_provider', psp_reference: 'rf_9' }],
      outbox: [{ type: 'payment.refunded' }],
    });
    expect(record(payment)).toEqual({ kind: 'recorded', payment: undefined, refundId: 're_9' });
  });

  it('stays pending until the PSP has decided', () =>
    expect(recorded(paid(), { verdict: { kind: 'accepted', reference: 'rf_9' } })).toMatchObject({
      amount_refunded: 0,
      refunds: [{ status: 'pending', phase: 'accepted' }],
    }));

  it('that failed there needs no room', () =>
    expect(recorded(paid([aRefund({ amount: 5_000 })]), { verdict: FAILED })?.refunds[1]).toMatchObject({
      status: 'failed',
    }));

  it('comes again while its charge is not known as paid', () => {
    const open = aPayment({ status: 'processing', attempts: [anAttempt({ status: 'processing', phase: 'accepted' })] });
    expect(record(open)).toEqual({ kind: 'unpaid' });
  });

  it('comes again while others hold its amount', () =>
    expect(record(paid([aRefund({ amount: 4_301 })]))).toEqual({ kind: 'exceeds_refundable' }));
});

describe('a refund of ours of the same amount', () => {
  it.each<[string, ReportedRefund['ourId'], ReportResult['kind']]>([
    ['is another one where the PSP shows ids', null, 'recorded'],
    ['is another one if the PSP names another of our ids', 're_7', 'recorded'],
    ['may be the same one where the PSP shows no ids', undefined, 'ambiguous'],
  ])('%s', (_, ourId, kind) =>
    expect(record(paid([waiting('unknown')]), { amount: 3_000, ourId }).kind).not.toBe(
      kind === 'ambiguous' ? 'recorded' : 'ambiguous',
    ),
  );

  it('that was certainly not sent is another one everywhere', () =>
    expect(recorded(paid([waiting('unsent', { amount: 700 })]), { ourId: undefined })?.refunds).toHaveLength(2));

  it('is known by our id, and takes the reference', () =>
    expect(recorded(paid([waiting('unknown')]), { ourId: 're_1' })?.refunds).toMatchObject([
      { id: 're_1', status: 'succeeded', psp_reference: 'rf_9' },
    ]));

  it('that has another reference already is a second one, made at the PSP', () =>
    expect(recorded(paid([aRefund({ psp_reference: 'rf_1' })]), { ourId: 're_1' })?.refunds).toMatchObject([
      { id: 're_1', psp_reference: 'rf_1' },
      { id: 're_9', psp_reference: 'rf_9' },
    ]));
});

describe('a refund made at the PSP that does not fit beside one of ours', () => {
  const report4000 = { amount: 4_000 };

  it.each<[Refund['phase'], ReadonlySet<Refund['phase']>, ReportResult['kind']]>([
    ['unsent', UNSENT, 'recorded'],
    ['unknown', UNSENT, 'exceeds_refundable'],
    ['unknown', UNSENT_OR_UNKNOWN, 'recorded'],
    ['calling', UNSENT_OR_UNKNOWN, 'exceeds_refundable'],
    ['accepted', UNSENT_OR_UNKNOWN, 'exceeds_refundable'],
    ['accepted', NOT_SUCCEEDED, 'recorded'],
  ])('that is %s, where %o give way: %s', (phase, displaces, kind) => {
    const about = phase === 'accepted' ? { psp_reference: 'rf_1' } : {};
    const result = record(paid([waiting(phase, about)]), report4000, displaces);
    expect(result.kind).toBe(kind);
    if (result.kind === 'recorded')
      expect(result.payment).toMatchObject({
        amount_refunded: 4_000,
        refunds: [{ status: 'failed', failure: { code: 'already_refunded' } }, { status: 'succeeded' }],
      });
  });

  it('lets only as many of ours give way as it needs, the newest first', () => {
    const ours = [waiting('unsent', { amount: 1_000 }), waiting('unsent', { id: 're_2', amount: 1_000 })];
    expect(recorded(paid(ours), report4000)?.refunds).toMatchObject([
      { id: 're_1', status: 'pending' },
      { id: 're_2', status: 'failed' },
      { id: 're_9', status: 'succeeded' },
    ]);
  });
});

describe('a refund made at the PSP of a charge whose automatic refund failed', () => {
  const refunds = [aRefund({ id: 're_1', amount: 5_000, automatic: true, reason: 'after_cancel', status: 'failed' })];
  const review = { reason: 'refund_failed', at: later(0).toISOString(), refund_id: 're_1' } as const;
  const owing = aPayment({ status: 'canceled', attempts: [anAttempt({ status: 'succeeded' })], refunds, review });
  const all = { amount: 5_000 };

  it('replaces that refund: it is not announced, and the review ends', () => {
    const made = recorded(owing, all)!;
    expect(made).toMatchObject({ status: 'canceled', amount_refunded: 0, review: null, outbox: [] });
    expect(made.refunds[1]).toMatchObject({ status: 'succeeded', reason: 'after_cancel', automatic: true });
  });

  it('replaces one that a person gave up, as the PSP had already returned the money', () => {
    const givenUp = { ...owing, review: null, refunds: [{ ...refunds[0]!, given_up: true }] } as Payment;
    const made = recorded(givenUp, all)!;
    expect(made).toMatchObject({ status: 'canceled', amount_refunded: 0, review: null, outbox: [] });
    expect(made.refunds[1]).toMatchObject({ status: 'succeeded', reason: 'after_cancel', automatic: true });
  });

  it.each<[string, Payment, Partial<ReportedRefund>]>([
    ['in another currency', owing, { ...all, currency: 'EUR' }],
    ['above the amount that is due', owing, { amount: 5_001 }],
    ['when nothing is due', { ...owing, refunds: [] }, all],
  ])('does not replace it %s', (_, payment, about) =>
    expect(record(payment, about)).toEqual({ kind: 'exceeds_refundable' }),
  );

  it('replaces one that was not sent yet', () => {
    const unsent = {
      ...owing,
      review: null,
      refunds: [{ ...refunds[0]!, status: 'pending', phase: 'unsent', psp_reference: null }],
    } as Payment;
    expect(recorded(unsent, all)?.refunds).toMatchObject([
      { status: 'failed' },
      { status: 'succeeded', automatic: true },
    ]);
  });
});

describe('a refund made at the PSP of a part of a charge that we owe back', () => {
  it('leaves the rest of an automatic refund that was not sent yet to be sent by itself', () => {
    const unsent = aRefund({
      id: 're_1',
      amount: 5_000,
      automatic: true,
      reason: 'after_cancel',
      status: 'pending',
      phase: 'unsent',
      psp_reference: null,
    });
    const payment = aPayment({
      status: 'canceled',
      attempts: [anAttempt({ status: 'succeeded' })],
      refunds: [unsent],
    });
    expect(recorded(payment, { amount: 2_000 })).toMatchObject({
      review: null,
      refunds: [
        { status: 'failed', amount: 5_000 },
        { status: 'succeeded', amount: 2_000, automatic: true },
        { status: 'pending', phase: 'unsent', amount: 3_000, automatic: true },
      ],
    });
  });
});

describe('a refund made at the PSP of a charge of a wrong amount', () => {
  const attempts = [
    anAttempt({
      status: 'processing',
      phase: 'accepted',
      psp_reference: 'ch_1',
      wrong_amount: { amount: 5_001, currency: 'USD' },
    }),
  ];

  it('counts for that charge alone', () =>
    expect(recorded(aPayment({ status: 'processing', attempts }), { amount: 5_001, charge: 'ch_1' })).toMatchObject({
      status: 'processing',
      amount_refunded: 0,
      outbox: [],
      refunds: [{ status: 'succeeded', automatic: true }],
    }));

  it('is not more than was charged', () =>
    expect(record(aPayment({ status: 'processing', attempts }), { amount: 5_002, charge: 'ch_1' })).toEqual({
      kind: 'exceeds_refundable',
    }));
});
