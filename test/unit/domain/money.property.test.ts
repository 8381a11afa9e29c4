import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { cancelLocally } from '#shared/domain/payments/attempt-ending.machine.ts';
import { adoptCharge } from '#shared/domain/payments/callback.rules.ts';
import { allows, attemptConnectionOf, currentAttempt, startAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { handOverToReview } from '#shared/domain/payments/reconciliation.rules.ts';
import { type RefundVerdict, reserveRefund, settleRefund } from '#shared/domain/payments/refund.machine.ts';
import { chargedAttempt, refundableAmount } from '#shared/domain/payments/refund.rules.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { aConnection, announced, aPayment, says } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const apply = (payment: Payment, verdict: Verdict): Payment =>
  settle(payment, 'att_1', verdict, later(1_000)) ?? payment;

/** All verdicts that a PSP may give, one after another, of one charge with this outcome. */
const OUTCOMES: readonly (readonly [end: string, event: string, words: readonly Verdict[]])[] = [
  ['succeeded', 'payment.succeeded', [says.processing(), says.requiresAction(), says.nothing(), says.succeeded()]],
  ['failed', 'payment.failed', [says.processing(), says.requiresAction(), says.nothing(), says.failed()]],
  ['canceled', 'payment.canceled', [says.processing(), says.requiresAction(), says.nothing(), says.canceled()]],
];

/** Every verdict at least once, in any order, some of them repeated. */
const inAnyOrder = (words: readonly Verdict[]): fc.Arbitrary<Verdict[]> =>
  fc.array(fc.constantFrom(...words), { maxLength: 6 }).chain((again) => {
    const all = [...words, ...again];
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

const anyVerdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constantFrom(
    says.nothing(),
    says.failed({ allowsFailover: true }),
    says.failed({ reference: null }),
    says.canceled(),
  ),
  fc.constantFrom('ch_1', 'ch_2').map((reference) => says.succeeded({ reference })),
  fc.constantFrom('ch_1', 'ch_2').map((reference) => says.processing({ reference })),
  fc.constantFrom('pin', 'otp').map((field) => says.requiresAction({ action: { type: 'collect', field } as const })),
  fc.constantFrom(1, 4_999).map((amount) => says.succeeded({ amount })),
);

describe('one charge', () => {
  it.each(OUTCOMES)('ends %s in whatever order and however often it is reported, with one %s', (end, event, words) =>
    fc.assert(
      fc.property(inAnyOrder(words), (order) => {
        const settled = order.reduce(apply, aPayment());
        expect([settled.status, settled.attempts[0]?.status, settled.next_action]).toEqual([end, end, null]);
        expect(announced(settled)).toEqual([event]);
      }),
    ),
  );

  it('that succeeded in the end is succeeded, even if it was reported as failed', () =>
    fc.assert(
      fc.property(inAnyOrder([says.processing(), says.failed(), says.succeeded()]), (order) => {
        const settled = order.reduce(apply, aPayment());
        expect(settled).toMatchObject({ status: 'succeeded', failure: null, refunds: [] });
        expect(announced(settled).filter((type) => type === 'payment.succeeded')).toHaveLength(1);
      }),
    ));

  it('has a new updated_at with each change', () =>
    fc.assert(
      fc.property(fc.array(anyVerdict, { maxLength: 5 }), anyVerdict, (before, verdict) => {
        const changed = settle(before.reduce(apply, aPayment()), 'att_1', verdict, later(2_000));
        expect(changed?.updated_at ?? later(2_000).toISOString()).toBe(later(2_000).toISOString());
      }),
    ));

  it('does not change when the same verdict is repeated', () =>
    fc.assert(
      fc.property(fc.array(anyVerdict, { maxLength: 5 }), anyVerdict, (before, verdict) => {
        const once = apply(before.reduce(apply, aPayment()), verdict);
        expect(settle(once, 'att_1', verdict, later(2_000), { latencyMs: 9 })).toBeUndefined();
      }),
    ));
});

describe('one refund', () => {
  const decline = refundDecline('refund_declined');
  const words: readonly RefundVerdict[] = [
    { kind: 'unknown' },
    { kind: 'accepted', reference: 'rf_1' },
    { kind: 'succeeded', reference: 'rf_1' },
  ];
  const anyWord = fc.constantFrom<RefundVerdict>(
    ...words,
    { kind: 'failed', reference: 'rf_1', decline },
    { kind: 'failed', reference: null, decline },
  );
  const applyToRefund = (payment: Payment, word: RefundVerdict): Payment =>
    settleRefund(payment, 're_1', word, later(1_000)) ?? payment;
  const reserved = (amount: number) =>
    reserveRefund(aPayment({ status: 'succeeded' }), { id: 're_1', amount }, later(1));

  it('that succeeds does so in whatever order and however often it is reported, with one event', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5_000 }),
        fc.shuffledSubarray([...words, ...words], { minLength: 6 }),
        (amount, order) => {
          const settled = order.reduce(applyToRefund, reserved(amount));
          expect(settled).toMatchObject({
            amount_refunded: amount,
            status: amount === 5_000 ? 'refunded' : 'succeeded',
            refunds: [{ status: 'succeeded', phase: 'final' }],
          });
          expect(announced(settled)).toEqual(['payment.refunded']);
        },
      ),
    ));

  it('does not change when the same verdict is repeated', () =>
    fc.assert(
      fc.property(fc.array(anyWord, { maxLength: 5 }), anyWord, (before, word) => {
        const once = applyToRefund(before.reduce(applyToRefund, reserved(1_000)), word);
        expect(settleRefund(once, 're_1', word, later(2_000))).toBeUndefined();
      }),
    ));
});

/** What may happen to a payment. `n` chooses among its attempts or refunds. */
type Step =
  | {
      readonly do: 'tell';
      readonly n: number;
      readonly verdict:
        | 'succeeded'
        | 'requires_action'
        | 'processing'
        | 'failed'
        | 'elsewhere'
        | 'canceled'
        | 'unknown';
    }
  | { readonly do: 'retry' | 'cancel' | 'give_up' | 'stray_charge' }
  | { readonly do: 'refund'; readonly amount: number }
  | { readonly do: 'tell_refund'; readonly n: number; readonly verdict: RefundVerdict['kind'] };

const number = fc.nat(5);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('tell' as const),
        n: number,
        verdict: fc.constantFrom(
          'succeeded',
          'requires_action',
          'processing',
          'failed',
          'elsewhere',
          'canceled',
          'unknown',
        ),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('retry', 'cancel', 'give_up', 'stray_charge') }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('refund' as const),
        amount: fc.constantFrom(1, 1_000, 2_500, 4_000, 5_000),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('tell_refund' as const),
        n: number,
        verdict: fc.constantFrom('succeeded', 'accepted', 'failed', 'unknown'),
      }),
    },
  ) as fc.Arbitrary<Step>,
  { minLength: 1, maxLength: 25 },
);

const pick = <T>(things: readonly T[], n: number): T | undefined => things[n % Math.max(1, things.length)];
/** Every third attempt is charged with another amount than that of the payment. */
const chargeOf = (attemptId: string): number => (Number(attemptId.replace('att_', '')) % 3 === 0 ? 4_000 : 5_000);
const seed = (n: number) =>
  ({ id: `att_${n}`, connection_id: n % 2 ? 'conn_a' : 'conn_b', provider: 'stripe', alternatives: [] }) as const;

/** A charge keeps its reference; each attempt is a separate charge. */
function verdictOn(attemptId: string, verdict: Extract<Step, { do: 'tell' }>['verdict']): Verdict {
  const reference = `ch of ${attemptId}`;
  if (verdict === 'succeeded') return says.succeeded({ reference, amount: chargeOf(attemptId) });
  if (verdict === 'requires_action') return says.requiresAction({ reference });
  if (verdict === 'processing') return says.processing({ reference });
  if (verdict === 'canceled') return says.canceled({ reference });
  return verdict === 'unknown' ? says.nothing() : says.failed({ reference, allowsFailover: verdict === 'elsewhere' });
}

function takeStep(payment: Payment, step: Step, turn: number): Payment {
  const at = later(turn * 1_000);
  const id = `${turn}`;
  switch (step.do) {
    case 'tell': {
      const attempt = pick(payment.attempts, step.n);
      return (
        (attempt && settle(payment, attempt.id, verdictOn(attempt.id, step.verdict), at, { next: seed(turn) })) ??
        payment
      );
    }
    case 'retry':
      return payment.status === 'failed' ? startAttempt(payment, seed(turn), 'retry', at) : payment;
    case 'cancel':
      return allows(payment, 'cancel') ? cancelLocally(payment, at) : payment;
    case 'give_up':
      return handOverToReview(payment, {}, at) ?? payment;
    case 'stray_charge': {
      const adopted = adoptCharge(payment, attemptConnectionOf(aConnection()), `ch of stray ${id}`, at);
      return (
        settle(adopted.payment, adopted.attemptId, says.succeeded({ reference: `ch of stray ${id}` }), at) ?? payment
      );
    }
    case 'refund':
      return payment.status === 'succeeded' && step.amount <= refundableAmount(payment)
        ? reserveRefund(payment, { id, amount: step.amount }, at)
        : payment;
    case 'tell_refund': {
      const refund = pick(payment.refunds, step.n);
      return (
        (refund &&
          settleRefund(
            payment,
            refund.id,
            { kind: step.verdict, reference: `rf of ${refund.id}`, decline: refundDecline('refund_declined') },
            at,
          )) ??
        payment
      );
    }
  }
}

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);
const isPaid = ({ status }: Payment) => status === 'succeeded' || status === 'refunded';

/** What must hold at any time, whatever has happened. */
const INVARIANTS: readonly (readonly [string, (now: Payment, before: Payment) => void])[] = [
  [
    'never refunds more than it charged',
    (now) => {
      const asked = now.refunds.filter((r) => !r.automatic && r.status !== 'failed');
      expect(sum(asked.map((r) => r.amount))).toBeLessThanOrEqual(now.amount);
    },
  ],
  [
    'shows the succeeded refunds that were requested as refunded',
    (now) => {
      const done = now.refunds.filter((r) => !r.automatic && r.status === 'succeeded');
      expect(now.amount_refunded).toBe(sum(done.map((r) => r.amount)));
      if (isPaid(now)) expect(now.status).toBe(now.amount_refunded === now.amount ? 'refunded' : 'succeeded');
    },
  ],
  [
    'announces its success once, when it is paid',
    (now) => expect(announced(now).filter((type) => type === 'payment.succeeded')).toHaveLength(isPaid(now) ? 1 : 0),
  ],
  [
    'refunds every charge except the one that pays it, once and in full',
    (now) => {
      const charged = now.attempts.filter((a) => a.status === 'succeeded');
      const owed = charged.filter((a) => a.id !== (isPaid(now) ? chargedAttempt(now)?.id : undefined));
      expect(charged.length - owed.length).toBe(isPaid(now) ? 1 : 0);
      const automatic = now.refunds.filter((r) => r.automatic).map((r) => [r.attempt_id, r.amount]);
      expect(automatic.sort()).toEqual(owed.map((a) => [a.id, chargeOf(a.id)]).sort());
    },
  ],
  [
    'shows the charge that paid it',
    (now) => {
      if (isPaid(now))
        expect(chargedAttempt(now)).toMatchObject({ psp_reference: now.psp_reference, provider: now.provider });
    },
  ],
  [
    'never leaves the status canceled, and never becomes unpaid',
    (now, before) => {
      if (before.status === 'canceled') expect(now.status).toBe('canceled');
      if (isPaid(before)) expect(isPaid(now)).toBe(true);
    },
  ],
  [
    'announces each refund that completes, and no other',
    (now, before) => {
      const completed = (p: Payment) =>
        p.refunds.filter((r) => !r.automatic && r.status === 'succeeded').map((r) => r.id);
      const fresh = completed(now).filter((id) => !completed(before).includes(id));
      const told = now.outbox.slice(before.outbox.length).filter((stub) => stub.type === 'payment.refunded');
      expect(told.map((stub) => stub.was.refund)).toEqual(fresh.map((id) => expect.objectContaining({ id })));
    },
  ],
  [
    'has a next action exactly while it requires one',
    (now) => expect(now.next_action !== null).toBe(now.status === 'requires_action'),
  ],
  ['has a failure exactly while it is failed', (now) => expect(now.failure !== null).toBe(now.status === 'failed')],
  [
    'never calls a PSP in a status that does not allow it',
    (now, before) => {
      if (now.attempts.length > before.attempts.length && currentAttempt(now)?.phase === 'calling')
        expect(now.status).toBe('processing');
    },
  ],
  ['gives each event its own id', (now) => expect(new Set(now.outbox.map((stub) => stub.id)).size).toBe(now.announced)],
];

describe('a payment with several attempts and refunds, in any order,', () => {
  it.each(INVARIANTS)('%s', (_, holds) =>
    fc.assert(
      fc.property(steps, (taken) => {
        let payment = aPayment();
        for (const [turn, step] of taken.entries()) {
          const before = payment;
          payment = takeStep(before, step, turn + 2);
          holds(payment, before);
        }
      }),
      { numRuns: 150 },
    ),
  );
});
