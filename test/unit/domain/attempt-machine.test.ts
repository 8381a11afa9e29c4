import { describe, expect, it } from 'vitest';
import { markOutcomeUnknown, settle } from '#shared/domain/payments/attempt.machine.ts';
import { cancelLocally, recordEnding } from '#shared/domain/payments/attempt-ending.machine.ts';
import {
  currentAttempt,
  failUnsent,
  isOpen,
  isUnknown,
  startAttempt,
} from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, AttemptEnding, Payment } from '#shared/domain/payments/payment.model.ts';
import { chargedAttempt, refundableAmount } from '#shared/domain/payments/refund.rules.ts';
import type { NewAttempt, Verdict } from '#shared/domain/payments/verdict.model.ts';
import { aFailure, anAttempt, announced, aPayment, says } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const NEXT: NewAttempt = { id: 'att_2', connection_id: 'conn_b', provider: 'adyen', alternatives: ['conn_c'] };
const seedOf = (about: Partial<NewAttempt> = {}): NewAttempt => ({ ...NEXT, ...about });

const settleFirst = (payment: Payment, verdict: Verdict, extra = {}) =>
  settle(payment, 'att_1', verdict, later(1_000), extra);
const settleAll = (payment: Payment, ...verdicts: readonly Verdict[]) =>
  verdicts.reduce((p, verdict) => settleFirst(p, verdict) ?? p, payment);

/** Payments whose only attempt is in each of the possible states. */
const BEFORE = {
  calling: aPayment(),
  unknown: aPayment({ attempts: [anAttempt({ phase: 'unknown' })] }),
  accepted: aPayment({ attempts: [anAttempt({ phase: 'accepted' })] }),
  requires_action: aPayment({ status: 'requires_action' }),
  succeeded: aPayment({ status: 'succeeded' }),
  failed: aPayment({ status: 'failed' }),
  canceled: aPayment({ status: 'canceled' }),
} as const satisfies Record<string, Payment>;

const VERDICTS = {
  succeeded: says.succeeded(),
  authorized: { kind: 'authorized', reference: 'pi_1', amount: 5_000, currency: 'USD' },
  requires_action: says.requiresAction(),
  processing: says.processing(),
  failed: says.failed(),
  canceled: says.canceled(),
  unknown: says.nothing(),
  waiting: { kind: 'waiting', reference: 'pi_1' },
  accepted: { kind: 'accepted', reference: 'pi_1' },
} as const satisfies Record<Verdict['kind'], Verdict>;

/** The effect of each verdict of the PSP on each state: `payment attempt/phase event`, or `nothing`. */
const AFTER: Readonly<Record<keyof typeof BEFORE, Readonly<Record<keyof typeof VERDICTS, string>>>> = {
  calling: {
    succeeded: 'succeeded succeeded/final payment.succeeded',
    authorized: 'processing processing/accepted',
    requires_action: 'requires_action requires_action/accepted',
    processing: 'processing processing/accepted',
    failed: 'failed failed/final payment.failed',
    canceled: 'canceled canceled/final payment.canceled',
    unknown: 'processing processing/unknown',
    waiting: 'processing processing/accepted',
    accepted: 'nothing',
  },
  unknown: {
    succeeded: 'succeeded succeeded/final payment.succeeded',
    authorized: 'processing processing/accepted',
    requires_action: 'requires_action requires_action/accepted',
    processing: 'processing processing/accepted',
    failed: 'failed failed/final payment.failed',
    canceled: 'canceled canceled/final payment.canceled',
    unknown: 'nothing',
    waiting: 'processing processing/accepted',
    accepted: 'nothing',
  },
  accepted: {
    succeeded: 'succeeded succeeded/final payment.succeeded',
    authorized: 'processing processing/accepted',
    requires_action: 'requires_action requires_action/accepted',
    processing: 'processing processing/accepted',
    failed: 'failed failed/final payment.failed',
    canceled: 'canceled canceled/final payment.canceled',
    unknown: 'nothing',
    waiting: 'processing processing/accepted',
    accepted: 'nothing',
  },
  requires_action: {
    succeeded: 'succeeded succeeded/final payment.succeeded',
    authorized: 'processing processing/accepted',
    requires_action: 'requires_action requires_action/accepted',
    processing: 'processing processing/accepted',
    failed: 'failed failed/final payment.failed',
    canceled: 'canceled canceled/final payment.canceled',
    unknown: 'nothing',
    waiting: 'nothing',
    accepted: 'nothing',
  },
  succeeded: {
    succeeded: 'nothing',
    authorized: 'nothing',
    requires_action: 'nothing',
    processing: 'nothing',
    failed: 'nothing',
    canceled: 'nothing',
    unknown: 'nothing',
    waiting: 'nothing',
    accepted: 'nothing',
  },
  failed: {
    succeeded: 'succeeded succeeded/final payment.succeeded',
    authorized: 'nothing',
    requires_action: 'nothing',
    processing: 'nothing',
    failed: 'nothing',
    canceled: 'nothing',
    unknown: 'nothing',
    waiting: 'nothing',
    accepted: 'nothing',
  },
  canceled: {
    succeeded: 'canceled succeeded/final',
    authorized: 'nothing',
    requires_action: 'nothing',
    processing: 'nothing',
    failed: 'nothing',
    canceled: 'nothing',
    unknown: 'nothing',
    waiting: 'nothing',
    accepted: 'nothing',
  },
};

function summaryOf(payment: Payment | undefined): string {
  if (!payment) return 'nothing';
  const attempt = payment.attempts[0]!;
  return [payment.status, `${attempt.status}/${attempt.phase}`, ...announced(payment)].join(' ');
}

const STATES = Object.keys(BEFORE) as (keyof typeof BEFORE)[];
const KINDS = Object.keys(VERDICTS) as (keyof typeof VERDICTS)[];

describe('an attempt', () => {
  it.each(STATES.flatMap((state) => KINDS.map((kind) => [state, kind, AFTER[state][kind]] as const)))(
    'in state %s becomes with the verdict %s: %s',
    (state, kind, after) => expect(summaryOf(settleFirst(BEFORE[state], VERDICTS[kind]))).toBe(after),
  );

  it.each(KINDS)('that does not exist ignores the verdict %s', (kind) =>
    expect(settle(aPayment(), 'att_9', VERDICTS[kind], later(1))).toBeUndefined(),
  );

  it.each<[string, Attempt['phase'], boolean, boolean]>([
    ['calling', 'calling', true, true],
    ['unknown', 'unknown', true, true],
    ['accepted', 'accepted', true, false],
    ['final', 'final', false, false],
  ])('in phase %s is open: %4$s, unknown: %5$s', (_, phase, open, unknown) => {
    expect([isOpen(anAttempt({ phase })), isUnknown(anAttempt({ phase }))]).toEqual([open, unknown]);
  });

  it('starts as calling, and the payment shows its connection', () => {
    const started = startAttempt(aPayment({ status: 'created' }), seedOf(), 'start', later(5));
    expect(started).toMatchObject({
      status: 'processing',
      connection_id: 'conn_b',
      provider: 'adyen',
      psp_reference: null,
      alternatives: ['conn_c'],
    });
    expect(started.attempts).toEqual([
      anAttempt({ id: 'att_2', connection_id: 'conn_b', provider: 'adyen', started_at: later(5).toISOString() }),
    ]);
  });

  it('that starts again leaves the earlier failure with the earlier attempt', () => {
    const started = startAttempt(aPayment({ status: 'failed' }), seedOf(), 'retry', later(5));
    expect(started).toMatchObject({
      status: 'processing',
      failure: null,
      attempts: [{ status: 'failed', failure: { code: 'card_declined' } }, {}],
    });
  });

  it.each([
    ['start', 'failed', 'payment_not_confirmable'],
    ['retry', 'processing', 'payment_not_retryable'],
    ['retry', 'succeeded', 'payment_not_retryable'],
    ['start', 'canceled', 'payment_not_confirmable'],
  ] as const)('cannot %s a payment that is %s', (step, status, code) =>
    expect(() => startAttempt(aPayment({ status }), seedOf(), step, later(1))).toThrow(
      expect.objectContaining({ code }),
    ),
  );

  it('records the latency of its call', () =>
    expect(settleFirst(aPayment(), says.succeeded(), { latencyMs: 123 })?.attempts[0]?.latency_ms).toBe(123));

  it('keeps the latency after later verdicts', () =>
    expect(
      settleFirst(settleFirst(aPayment(), says.processing(), { latencyMs: 123 })!, says.succeeded())?.attempts[0]
        ?.latency_ms,
    ).toBe(123));

  it('keeps the latency when another attempt is settled', () => {
    const payment = aPayment({ attempts: [anAttempt(), anAttempt({ id: 'att_2' })] });
    expect(settleFirst(payment, says.processing(), { latencyMs: 7 })?.attempts.map((a) => a.latency_ms)).toEqual([
      7,
      null,
    ]);
  });
});

describe('success', () => {
  it('shows the connection that has the money, and deletes the payment method', () => {
    const payment = aPayment({ sealed_method: 'sealed', alternatives: ['conn_b'] });
    expect(settleFirst(payment, says.succeeded({ reference: 'ch_9' }))).toMatchObject({
      connection_id: 'conn_a',
      psp_reference: 'ch_9',
      sealed_method: null,
      alternatives: [],
      late_success: false,
    });
  });

  it('removes the next action', () =>
    expect(settleFirst(aPayment({ status: 'requires_action' }), says.succeeded())?.next_action).toBeNull());

  it('after a failure is a late success, and removes the failure', () => {
    const payment = settleFirst(aPayment({ status: 'failed' }), says.succeeded());
    expect(payment).toMatchObject({
      status: 'succeeded',
      late_success: true,
      failure: null,
      attempts: [{ status: 'succeeded', failure: null }],
    });
  });

  it('of an earlier attempt is a late success, and moves the payment to its connection', () => {
    const payment = aPayment({
      attempts: [
        anAttempt({ status: 'failed' }),
        anAttempt({ id: 'att_2', connection_id: 'conn_b', provider: 'adyen' }),
      ],
    });
    const paid = settleFirst(payment, says.succeeded({ reference: 'ch_9' }));
    expect(paid).toMatchObject({
      status: 'succeeded',
      late_success: true,
      connection_id: 'conn_a',
      provider: 'stripe',
      psp_reference: 'ch_9',
    });
  });

  it.each([
    ['amount', says.succeeded({ amount: 4_999 })],
    ['currency', says.succeeded({ currency: 'EUR' })],
  ])('with another %s starts a review, and the payment stays processing', (_, verdict) => {
    const payment = settleFirst(aPayment(), verdict);
    expect(payment).toMatchObject({
      status: 'processing',
      psp_reference: 'ch_1',
      review: { reason: 'amount_mismatch', attempt_id: 'att_1' },
    });
    expect(payment?.attempts).toMatchObject([{ status: 'processing', phase: 'accepted', psp_reference: 'ch_1' }]);
    expect(announced(payment!)).toEqual([]);
  });

  it('with another amount shows the reviewer what the PSP charged', () =>
    expect(settleFirst(aPayment(), says.succeeded({ amount: 1, currency: 'EUR' }))?.review).toMatchObject({
      psp_amount: 1,
      psp_currency: 'EUR',
    }));

  it('with the right amount ends the review of a wrong one', () =>
    expect(settleAll(aPayment(), says.succeeded({ amount: 1 }), says.succeeded())).toMatchObject({
      status: 'succeeded',
      review: null,
    }));
});

describe('a wrong amount', () => {
  const wrong = says.succeeded({ amount: 1 });

  it('is reviewed once, however often it is reported', () =>
    expect(settleFirst(settleAll(aPayment(), wrong), wrong)).toBeUndefined());

  it('of a second attempt is recorded without another review while the first is under review', () => {
    const retried = startAttempt(settleAll(aPayment({ status: 'failed' }), wrong), NEXT, 'retry', later(1));
    const payment = settle(retried, 'att_2', wrong, later(2));
    expect(payment).toMatchObject({
      status: 'processing',
      review: { attempt_id: 'att_1' },
      attempts: [{ phase: 'accepted' }, { phase: 'accepted' }],
    });
  });

  it.each([
    ['failed', says.failed()],
    ['was canceled', says.canceled()],
  ])('is not undone by a verdict that its page %s', (_, verdict) =>
    expect(settleFirst(settleAll(aPayment(), wrong), verdict)).toBeUndefined(),
  );

  it('replaces a review without a verdict', () =>
    expect(
      settleFirst(aPayment({ review: { reason: 'no_verdict', at: later(0).toISOString() } }), wrong)?.review,
    ).toMatchObject({ reason: 'amount_mismatch' }));

  describe('of an earlier attempt', () => {
    const retried = startAttempt(aPayment({ status: 'failed' }), NEXT, 'retry', later(1));
    const both = settle(retried, 'att_1', wrong, later(2))!;

    it.each<[string, Verdict, string, string]>([
      [
        'is refunded when another attempt succeeds',
        says.succeeded({ reference: 'ch_2' }),
        'succeeded',
        'duplicate_charge',
      ],
      [
        'is refunded when another attempt is canceled',
        says.canceled({ reference: 'ch_2' }),
        'canceled',
        'after_cancel',
      ],
    ])('%s, in the same write', (_, verdict, status, reason) => {
      const payment = settle(both, 'att_2', verdict, later(3));
      expect(payment).toMatchObject({ status, review: null, attempts: [{ status: 'succeeded', phase: 'final' }, {}] });
      expect(payment?.refunds).toMatchObject([{ attempt_id: 'att_1', amount: 1, reason, automatic: true }]);
      expect(payment?.attempts[0]).not.toHaveProperty('wrong_amount');
    });

    it('stays under review when another attempt fails or fails over', () => {
      const failed = settle(both, 'att_2', says.failed(), later(3));
      expect(failed).toMatchObject({ status: 'failed', review: { attempt_id: 'att_1' }, refunds: [] });
      const next = settle(both, 'att_2', says.failed({ allowsFailover: true }), later(3), {
        next: { ...NEXT, id: 'att_3' },
      });
      expect(next).toMatchObject({
        status: 'processing',
        review: { attempt_id: 'att_1' },
        attempts: [{}, {}, { id: 'att_3' }],
      });
    });
  });

  it('leaves a failed payment failed', () =>
    expect(settleFirst(aPayment({ status: 'failed' }), wrong)).toMatchObject({
      status: 'failed',
      late_success: false,
    }));
});

describe('the end of an attempt', () => {
  it('in failure keeps its reference when the PSP names none', () =>
    expect(
      settleAll(aPayment(), says.processing({ reference: 'ch_9' }), says.failed({ reference: null })),
    ).toMatchObject({
      psp_reference: 'ch_9',
      attempts: [{ psp_reference: 'ch_9' }],
    }));

  it('in a cancel deletes the payment method', () =>
    expect(settleFirst(aPayment({ sealed_method: 'sealed' }), says.canceled({ reference: 'ch_9' }))).toMatchObject({
      sealed_method: null,
      psp_reference: 'ch_9',
    }));

  it('in failure keeps the payment method for a retry', () =>
    expect(settleFirst(aPayment({ sealed_method: 'sealed' }), says.failed())?.sealed_method).toBe('sealed'));
});

describe('an attempt that is being ended', () => {
  const asked = aPayment({ status: 'requires_action' });
  const ending = (meant: AttemptEnding) => recordEnding(asked, 'att_1', meant)!;

  it.each<[string, Payment, Verdict, Partial<Payment>]>([
    [
      'expired when the PSP says canceled',
      ending('expire'),
      says.canceled(),
      { status: 'failed', failure: expect.objectContaining({ code: 'expired' }) },
    ],
    [
      "failed with the PSP's reason when it says failed",
      ending('expire'),
      says.failed(),
      { status: 'failed', failure: expect.objectContaining({ code: 'card_declined' }) },
    ],
    ['canceled when the PSP says canceled', ending('cancel'), says.canceled(), { status: 'canceled', failure: null }],
    ['canceled when the PSP says failed', ending('cancel'), says.failed(), { status: 'canceled', failure: null }],
    ['paid when the PSP says succeeded', ending('cancel'), says.succeeded(), { status: 'succeeded' }],
    ['canceled when the PSP cancels it on its own', asked, says.canceled(), { status: 'canceled' }],
  ])('is %s', (_, payment, verdict, after) => expect(settleFirst(payment, verdict)).toMatchObject(after));

  it('does not expire once the merchant has canceled it', () => {
    expect(recordEnding(ending('cancel'), 'att_1', 'expire')).toBeUndefined();
    expect(recordEnding(ending('expire'), 'att_1', 'cancel')?.attempts[0]?.ending).toBe('cancel');
  });

  it.each<[string, Payment, string]>([
    ['is already ending', ending('expire'), 'att_1'],
    ['has ended', aPayment({ status: 'succeeded' }), 'att_1'],
    ['does not exist', asked, 'att_9'],
  ])('is unchanged when it %s', (_, payment, id) => expect(recordEnding(payment, id, 'expire')).toBeUndefined());
});

describe('a second charge', () => {
  const two = aPayment({
    status: 'succeeded',
    attempts: [
      anAttempt({ status: 'failed' }),
      anAttempt({ id: 'att_2', status: 'succeeded', connection_id: 'conn_b' }),
    ],
  });

  it('is refunded automatically, without an event, and the payment stays with the first charge', () => {
    const payment = settleFirst(two, says.succeeded());
    expect(payment).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      late_success: false,
      connection_id: 'conn_b',
      psp_reference: 'ref of att_2',
    });
    expect(payment?.refunds).toMatchObject([
      {
        amount: 5_000,
        attempt_id: 'att_1',
        reason: 'duplicate_charge',
        automatic: true,
        status: 'pending',
        phase: 'unsent',
      },
    ]);
    expect(announced(payment!)).toEqual([]);
  });

  it('is refunded once, however often it is reported', () =>
    expect(settleAll(two, says.succeeded(), says.succeeded(), says.succeeded()).refunds).toHaveLength(1));

  it('is refunded with the amount that was charged', () =>
    expect(settleFirst(two, says.succeeded({ amount: 4_000 }))).toMatchObject({
      review: null,
      refunds: [{ amount: 4_000, reason: 'duplicate_charge' }],
    }));

  it('leaves the first charge refundable in full', () =>
    expect(refundableAmount(settleFirst(two, says.succeeded())!)).toBe(5_000));

  it('is refunded even if the first one was refunded', () =>
    expect(settleFirst({ ...two, status: 'refunded' }, says.succeeded())).toMatchObject({
      status: 'refunded',
      refunds: [{ reason: 'duplicate_charge' }],
    }));
});

describe('a charge that was attributed to another attempt', () => {
  const misattributed = (about: Partial<Attempt> = {}) =>
    aPayment({
      status: 'succeeded',
      attempts: [
        anAttempt({ status: 'failed', psp_reference: 'page_1', ...about }),
        anAttempt({ id: 'att_2', status: 'succeeded', psp_reference: 'pi_1' }),
      ],
    });

  it('is not a second charge when it is reported for its own attempt', () =>
    expect(settleFirst(misattributed(), says.succeeded({ reference: 'pi_1' }))).toBeUndefined());

  it('closes the attempt that had ended', () =>
    expect(settleFirst(misattributed({ phase: 'unknown' }), says.succeeded({ reference: 'pi_1' }))).toMatchObject({
      refunds: [],
      attempts: [{ status: 'failed', phase: 'final' }, { status: 'succeeded' }],
    }));

  it('does not settle an attempt that is still open', () =>
    expect(
      settleFirst(
        misattributed({ status: 'processing', phase: 'unknown', psp_reference: null }),
        says.succeeded({ reference: 'pi_1' }),
      ),
    ).toBeUndefined());

  it('is a second charge if the reference belongs to another connection', () =>
    expect(
      settleFirst(misattributed({ connection_id: 'conn_b' }), says.succeeded({ reference: 'pi_1' }))?.refunds,
    ).toHaveLength(1));
});

describe('money that arrives after a cancel', () => {
  it('is refunded automatically, and the payment stays canceled', () => {
    const payment = settleFirst(aPayment({ status: 'canceled' }), says.succeeded());
    expect(payment).toMatchObject({
      status: 'canceled',
      refunds: [{ reason: 'after_cancel', attempt_id: 'att_1', amount: 5_000, automatic: true }],
    });
    expect(announced(payment!)).toEqual([]);
  });

  it('is refunded with the amount that was charged', () =>
    expect(settleFirst(aPayment({ status: 'canceled' }), says.succeeded({ amount: 4_000 }))).toMatchObject({
      review: null,
      refunds: [{ amount: 4_000 }],
    }));

  it('is refunded once', () =>
    expect(settleAll(aPayment({ status: 'canceled' }), says.succeeded(), says.succeeded()).refunds).toHaveLength(1));
});

describe('failover', () => {
  const elsewhere = says.failed({ allowsFailover: true });

  it('starts an attempt at the next connection in the same write, without an event', () => {
    const payment = settleFirst(aPayment(), elsewhere, { next: NEXT });
    expect(payment).toMatchObject({
      status: 'processing',
      connection_id: 'conn_b',
      provider: 'adyen',
      psp_reference: null,
      failure: null,
      alternatives: ['conn_c'],
    });
    expect(payment?.attempts).toMatchObject([
      { id: 'att_1', status: 'failed', failure: { code: 'card_declined' } },
      { id: 'att_2', phase: 'calling' },
    ]);
    expect(announced(payment!)).toEqual([]);
  });

  it.each<[string, Payment, Verdict, NewAttempt | undefined]>([
    ['the failure allows no other connection', aPayment(), says.failed(), NEXT],
    ['there is no other connection', aPayment(), elsewhere, undefined],
    ['the customer was asked to act', aPayment({ status: 'requires_action' }), elsewhere, NEXT],
    [
      'the customer has already acted',
      settleFirst(settleFirst(aPayment(), says.requiresAction())!, says.processing())!,
      elsewhere,
      NEXT,
    ],
  ])('does not happen when %s', (_, payment, verdict, next) => {
    const failed = settleFirst(payment, verdict, { next });
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'card_declined' }, alternatives: [] });
    expect(failed?.attempts).toHaveLength(1);
  });

  it.each(['unknown', 'canceled', 'processing'] as const)('does not happen after the verdict %s', (kind) =>
    expect(settleFirst(aPayment(), VERDICTS[kind], { next: NEXT })?.attempts).toHaveLength(1),
  );

  it('happens once when the failure is reported twice', () => {
    const moved = settleFirst(aPayment(), elsewhere, { next: NEXT })!;
    expect(settleFirst(moved, elsewhere, { next: seedOf({ id: 'att_3' }) })).toBeUndefined();
  });

  it('does not happen when an earlier attempt fails', () => {
    const payment = aPayment({ attempts: [anAttempt({ phase: 'unknown' }), anAttempt({ id: 'att_2' })] });
    expect(settleFirst(payment, elsewhere, { next: seedOf({ id: 'att_3' }) })).toMatchObject({
      status: 'processing',
      attempts: [{ status: 'failed' }, { id: 'att_2' }],
    });
  });
});

describe('the next action of the customer', () => {
  const redirect = { type: 'redirect', url: 'https://psp.example/a', method: 'GET' } as const;
  const pin = { type: 'collect', field: 'pin' } as const;
  const otp = { type: 'collect', field: 'otp' } as const;

  it('is shown with its expiry', () => {
    const payment = settleFirst(
      aPayment(),
      says.requiresAction({ action: redirect, expires_at: later(60_000).toISOString() }),
    );
    expect(payment).toMatchObject({
      status: 'requires_action',
      next_action: redirect,
      attempts: [{ expires_at: later(60_000).toISOString() }],
    });
  });

  it('keeps its expiry when the PSP names none again', () => {
    const payment = settleAll(
      aPayment(),
      says.requiresAction({ expires_at: later(60_000).toISOString() }),
      says.processing(),
      says.requiresAction(),
    );
    expect(payment.attempts[0]?.expires_at).toBe(later(60_000).toISOString());
  });

  it('changes with the next step of the same charge', () =>
    expect(
      settleAll(aPayment(), says.requiresAction({ action: pin }), says.requiresAction({ action: otp })).next_action,
    ).toEqual(otp));

  it('is removed while the PSP works, and returns when it asks again', () => {
    const working = settleAll(aPayment(), says.requiresAction({ action: pin }), says.processing());
    expect(working).toMatchObject({ status: 'processing', next_action: null });
    expect(settleAll(working, says.requiresAction({ action: pin }))).toMatchObject({
      status: 'requires_action',
      next_action: pin,
    });
  });

  it.each([
    ['requires_action', says.requiresAction()],
    ['processing', says.processing()],
  ])('is unchanged when an earlier attempt gets the verdict %s', (_, verdict) => {
    const payment = aPayment({ attempts: [anAttempt({ phase: 'unknown' }), anAttempt({ id: 'att_2' })] });
    expect(settleFirst(payment, verdict)).toMatchObject({
      status: 'processing',
      next_action: null,
      psp_reference: null,
    });
  });

  it.each([
    ['requires_action', says.requiresAction({ reference: 'ch_2' })],
    ['processing', says.processing({ reference: 'ch_2' })],
    ['another amount', says.succeeded({ reference: 'ch_2', amount: 1 })],
  ])('and the reference remain those of the paid attempt when a later one gets the verdict %s', (_, verdict) => {
    const paid = aPayment({
      status: 'succeeded',
      attempts: [anAttempt({ status: 'succeeded' }), anAttempt({ id: 'att_2' })],
    });
    expect(settle(paid, 'att_2', verdict, later(1))).toMatchObject({
      status: 'succeeded',
      psp_reference: 'ref of att_1',
      next_action: null,
    });
  });
});

describe('an attempt whose customer acted, without a readable response', () => {
  const waiting = aPayment({
    status: 'requires_action',
    attempts: [anAttempt({ phase: 'accepted', status: 'requires_action' })],
  });
  const lost = markOutcomeUnknown(waiting, 'att_1', later(1))!;

  it('is looked up like a charge without a response, and no longer asks the customer', () => {
    expect(lost).toMatchObject({
      status: 'processing',
      next_action: null,
      attempts: [{ status: 'processing', phase: 'unknown' }],
    });
    expect(markOutcomeUnknown(lost, 'att_1', later(2))).toBeUndefined();
  });

  it.each([
    ['succeeded', says.succeeded(), 'succeeded'],
    ['failed', says.failed(), 'failed'],
    ['requires the customer again', says.requiresAction(), 'requires_action'],
  ])('follows the next verdict: %s', (_, verdict, status) => expect(settleFirst(lost, verdict)?.status).toBe(status));

  it('waits for the customer again until it expires if the PSP still does', () => {
    const handedOut = markOutcomeUnknown(settleFirst(aPayment(), says.requiresAction())!, 'att_1', later(1))!;
    const again = settleFirst(handedOut, VERDICTS.waiting)!;
    expect(again).toMatchObject({
      status: 'requires_action',
      next_action: { type: 'await' },
      attempts: [{ status: 'requires_action', phase: 'accepted' }],
    });
    expect(settleFirst(again, VERDICTS.waiting)).toBeUndefined();
  });

  it('keeps the reference of the call', () => {
    const taking = settleFirst(aPayment(), { kind: 'processing', reference: 'order_1', captureUnknown: true })!;
    expect(taking).toMatchObject({
      status: 'processing',
      psp_reference: 'order_1',
      attempts: [{ phase: 'unknown', psp_reference: 'order_1' }],
    });
    expect(settleFirst(taking, { kind: 'processing', reference: 'order_1', captureUnknown: true })).toBeUndefined();
  });

  it.each(['canceled', 'failed'] as const)(
    'is looked up even if the payment has %s, and changes it only for money',
    (status) => {
      const ended = aPayment({ status, attempts: [anAttempt({ phase: 'final', status, psp_reference: 'order_1' })] });
      const taking = settleFirst(ended, { kind: 'processing', reference: 'order_1', captureUnknown: true })!;
      expect(taking).toMatchObject({ status, attempts: [{ status, phase: 'unknown' }] });
      expect(settleFirst(taking, says.canceled())).toMatchObject({
        status,
        attempts: [{ phase: 'final' }],
        refunds: [],
      });
      const paid = settleFirst(taking, says.succeeded())!;
      expect([paid.status, paid.refunds.map(({ reason }) => reason)]).toEqual(
        status === 'canceled' ? ['canceled', ['after_cancel']] : ['succeeded', []],
      );
    },
  );

  it('does not change a payment that another charge has paid', () => {
    const attempts = [anAttempt({ status: 'succeeded' }), anAttempt({ id: 'att_2', status: 'requires_action' })];
    const lost = markOutcomeUnknown(aPayment({ status: 'succeeded', attempts }), 'att_2', later(1), 'order_2')!;
    expect(lost).toMatchObject({
      psp_reference: 'ref of att_1',
      attempts: [{}, { phase: 'unknown', psp_reference: 'order_2' }],
    });
    expect(chargedAttempt(lost)?.id).toBe('att_1');
  });

  it('is unchanged once the PSP has given its verdict', () => {
    const paid = aPayment({ status: 'succeeded', attempts: [anAttempt({ status: 'succeeded', phase: 'final' })] });
    expect(markOutcomeUnknown(paid, 'att_1', later(1))).toBeUndefined();
  });
});

describe('the response to the create request', () => {
  const claim = { request: 'r', lease_until: later(35_000).toISOString(), answered: false };

  it.each(KINDS.filter((kind) => kind !== 'accepted'))('is final after the verdict %s', (kind) =>
    expect(settleFirst(aPayment({ claim }), VERDICTS[kind])?.claim?.answered).toBe(true),
  );

  it('needs no lease then, and keeps all else of the claim, also what another release has added', () => {
    const { lease_until: _, ...others } = { ...claim, recovered: true as const, of_a_later_release: 1 };
    const payment = aPayment({ claim: { ...others, lease_until: claim.lease_until } });
    expect(settleFirst(payment, says.succeeded())?.claim).toEqual({ ...others, answered: true });
  });

  it('is not final while another connection is called', () =>
    expect(
      settleFirst(aPayment({ claim }), says.failed({ allowsFailover: true }), { next: NEXT })?.claim?.answered,
    ).toBe(false));

  it('is not made final by an earlier attempt while a later one is open', () => {
    const payment = aPayment({ claim, attempts: [anAttempt({ status: 'failed' }), anAttempt({ id: 'att_2' })] });
    expect(settleFirst(payment, says.succeeded())).toMatchObject({ status: 'succeeded', claim: { answered: false } });
  });
});

describe('a payment without a call to a PSP', () => {
  it('fails with an event', () => {
    const payment = failUnsent(aPayment({ status: 'created' }), aFailure('no_route'), later(1));
    expect(payment).toMatchObject({ status: 'failed', failure: { code: 'no_route' }, attempts: [] });
    expect(announced(payment)).toEqual(['payment.failed']);
  });

  it('fails again, with another event, when its retry finds no connection', () =>
    expect(announced(failUnsent(aPayment({ status: 'failed' }), aFailure('no_route'), later(1)))).toEqual([
      'payment.failed',
    ]));
});

describe('canceling a payment locally', () => {
  const mismatched = settleFirst(aPayment(), says.succeeded({ amount: 4_000 }))!;

  it('closes open attempts, announces it and deletes the payment method', () => {
    const payment = cancelLocally(
      aPayment({ sealed_method: 'sealed', attempts: [anAttempt({ phase: 'unknown' })] }),
      later(1),
    );
    expect(payment).toMatchObject({
      status: 'canceled',
      sealed_method: null,
      refunds: [],
      attempts: [{ status: 'canceled', phase: 'final' }],
    });
    expect(announced(payment)).toEqual(['payment.canceled']);
  });

  it('refunds a wrong amount that the PSP charged, and ends the review', () => {
    const payment = cancelLocally(mismatched, later(1));
    expect(payment).toMatchObject({
      status: 'canceled',
      review: null,
      refunds: [{ amount: 4_000, reason: 'after_cancel', attempt_id: 'att_1' }],
    });
  });

  it('refunds a wrong amount once, however often it is reported', () => {
    const payment = cancelLocally(mismatched, later(1));
    expect(settleFirst(payment, says.succeeded({ amount: 4_000 }))).toBeUndefined();
  });

  it('refunds nothing while no charge is known', () => {
    const review = { reason: 'no_verdict', at: later(0).toISOString() } as const;
    expect(cancelLocally(aPayment({ review, attempts: [anAttempt({ phase: 'unknown' })] }), later(1)).refunds).toEqual(
      [],
    );
  });

  it('refunds money that is found later', () => {
    const ended = cancelLocally(aPayment({ attempts: [anAttempt({ phase: 'unknown' })] }), later(1));
    expect(settleFirst(ended, says.succeeded())).toMatchObject({
      status: 'canceled',
      refunds: [{ amount: 5_000, reason: 'after_cancel' }],
    });
  });

  it('leaves failed attempts unchanged', () => {
    const payment = aPayment({
      attempts: [anAttempt({ status: 'failed' }), anAttempt({ id: 'att_2', phase: 'unknown' })],
    });
    expect(cancelLocally(payment, later(1)).attempts.map((a) => a.status)).toEqual(['failed', 'canceled']);
  });

  it.each(['succeeded', 'failed', 'canceled', 'refunded'] as const)('is refused for a payment that is %s', (status) =>
    expect(() => cancelLocally(aPayment({ status }), later(1))).toThrow(
      expect.objectContaining({ code: 'payment_not_cancelable' }),
    ),
  );
});

describe('the current attempt', () => {
  it('is the newest', () =>
    expect(currentAttempt(aPayment({ attempts: [anAttempt(), anAttempt({ id: 'att_2' })] }))?.id).toBe('att_2'));
  it('does not exist before the first', () => expect(currentAttempt(aPayment({ status: 'created' }))).toBeUndefined());
});
