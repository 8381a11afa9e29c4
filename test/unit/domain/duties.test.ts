import { describe, expect, it } from 'vitest';
import { announce } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import {
  type DueTask,
  nextDueAt,
  dueTasksOf,
  handOverToReview,
  notePolled,
  noteRefundPolled,
  postponeExpiry,
  shouldPollOnRead,
} from '#shared/domain/payments/reconciliation.rules.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';
import { anAttempt, aPayment, aRefund } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/** Minutes after the first send. */
const SCHEDULE = [1, 6, 11, 16, 21, 26, 86, ...[1, 2, 3, 4, 5, 6, 7].map((day) => 86 + day * 1_440)];

const REVIEW = { reason: 'no_verdict', at: START.toISOString() } as const;
const minutes = (at: number) => (at - START.getTime()) / MINUTE;
const shown = (payment: Payment) => dueTasksOf(payment).map((duty) => [duty.kind, minutes(duty.at)]);
const unknown = (about: Partial<Attempt> = {}) => aPayment({ attempts: [anAttempt({ phase: 'unknown', ...about })] });
const owing = (about: Partial<Refund> = {}, more: Partial<Payment> = {}) =>
  aPayment({ status: 'succeeded', refunds: [aRefund({ status: 'pending', ...about })], ...more });

/** Does what is due, and nothing but notes it, until a person is called. */
function untilGivenUp(payment: Payment, note: (payment: Payment, duty: DueTask) => Payment): DueTask[] {
  const done: DueTask[] = [];
  for (let now = payment; done.length < 100; now = note(now, done.at(-1)!)) {
    const duty = dueTasksOf(now)[0]!;
    done.push(duty);
    if (duty.kind.startsWith('give_up')) break;
  }
  return done;
}

describe('a call without an answer', () => {
  it('is asked about after 1 minute, 5 times every 5, after 1 hour, then daily for 7 days, and then given up', () => {
    const duties = untilGivenUp(unknown(), (payment, duty) => notePolled(payment, 'att_1', 'timer', new Date(duty.at)));
    expect(duties.map((duty) => minutes(duty.at))).toEqual([...SCHEDULE, SCHEDULE.at(-1)]);
    expect(duties.map((duty) => duty.kind)).toEqual([...SCHEDULE.map(() => 'ask_attempt'), 'give_up']);
  });

  it.each([
    ['sepa_debit', 'accepted', 21],
    ['bank_transfer', 'accepted', 14],
    ['mobile_money', 'accepted', 7],
    ['sepa_debit', 'unknown', 7],
  ] as const)('of %s that is %s is asked about for %i days', (method, phase, days) => {
    const duties = untilGivenUp({ ...unknown({ phase }), method }, (payment, duty) =>
      notePolled(payment, 'att_1', 'timer', new Date(duty.at)),
    );
    expect([duties.length, duties.at(-1)?.kind, minutes(duties.at(-1)!.at)]).toEqual([
      7 + days + 1,
      'give_up',
      86 + days * 1_440,
    ]);
  });

  it('is asked about also while a person looks at another charge of its payment', () => {
    const review = { reason: 'amount_mismatch', at: START.toISOString(), attempt_id: 'att_1' } as const;
    const taken = anAttempt({ phase: 'accepted', wrong_amount: { amount: 700, currency: 'USD' } });
    const both = aPayment({ review, attempts: [taken, anAttempt({ id: 'att_2', phase: 'unknown' })] });
    expect(dueTasksOf(both).map((duty) => 'attempt' in duty && duty.attempt.id)).toEqual(['att_2']);
  });

  it('of a refund is asked about as long', () => {
    const duties = untilGivenUp(owing(), (payment, duty) => noteRefundPolled(payment, 're_1', new Date(duty.at))!);
    expect(duties.map((duty) => minutes(duty.at))).toEqual([...SCHEDULE, SCHEDULE.at(-1)]);
    expect(duties.at(-1)?.kind).toBe('give_up_refund');
  });

  it.each<Attempt['phase']>(['calling', 'unknown', 'accepted'])('is asked about while it is %s', (phase) =>
    expect(shown(unknown({ phase }))).toEqual([['ask_attempt', 1]]),
  );
  it.each<Refund['phase']>(['calling', 'unknown', 'accepted'])('of a refund is asked about while it is %s', (phase) =>
    expect(shown(owing({ phase }))).toEqual([['ask_refund', 1]]),
  );

  it('keeps its schedule when a reader asks in between', () => {
    const payment = notePolled(unknown(), 'att_1', 'reader', later(30_000));
    expect(payment.attempts[0]?.asked_at).toBe(later(30_000).toISOString());
    expect(shown(payment)).toEqual([['ask_attempt', 1]]);
  });

  it('counts from its own start, not from the payment’s', () =>
    expect(
      shown(
        aPayment({
          attempts: [
            anAttempt({ status: 'failed' }),
            anAttempt({ id: 'att_2', started_at: later(10 * MINUTE).toISOString() }),
          ],
        }),
      ),
    ).toEqual([['ask_attempt', 11]]));

  it('is asked about also when another attempt has paid', () =>
    expect(
      shown(
        aPayment({ status: 'succeeded', attempts: [anAttempt({ status: 'succeeded' }), anAttempt({ id: 'att_2' })] }),
      ),
    ).toEqual([['ask_attempt', 1]]));

  it('is left alone once a person was called', () => {
    const payment = handOverToReview(unknown({ asks: SCHEDULE.length }), undefined, later(1))!;
    expect(payment).toMatchObject({
      review: { reason: 'no_verdict', at: later(1).toISOString() },
      updated_at: later(1).toISOString(),
    });
    expect(payment.review).not.toHaveProperty('refund_id');
    expect(dueTasksOf(payment)).toEqual([]);
  });

  it('calls a person once', () => expect(handOverToReview(aPayment({ review: REVIEW }), undefined, later(1))).toBeUndefined());

  it('of a refund is left alone once a person was called, others are not', () => {
    const both = aPayment({
      status: 'succeeded',
      refunds: [aRefund({ status: 'pending', asks: SCHEDULE.length }), aRefund({ id: 're_2', status: 'pending' })],
    });
    const reviewed = handOverToReview(both, 're_1', later(1))!;
    expect(reviewed.review).toEqual({ reason: 'no_verdict', at: later(1).toISOString(), refund_id: 're_1' });
    expect(shown(reviewed)).toEqual([['ask_refund', 1]]);
  });

  it('of a second refund calls nobody again while a person looks at the payment', () => {
    const both = aPayment({
      status: 'succeeded',
      refunds: ['re_1', 're_2'].map((id) => aRefund({ id, status: 'pending', asks: SCHEDULE.length })),
    });
    expect(dueTasksOf(handOverToReview(both, 're_1', later(1))!)).toEqual([]);
  });

  it('of a refund that a person gave up is not asked about', () =>
    expect(dueTasksOf(owing({ given_up: true }))).toEqual([]));

  it('has a refund that ended asked about no more', () =>
    expect(noteRefundPolled(aPayment({ refunds: [aRefund()] }), 're_1', later(1))).toBeUndefined());
});

describe('a customer’s act', () => {
  const asked = (about: Partial<Attempt> = {}) =>
    aPayment({ status: 'requires_action', attempts: [anAttempt({ status: 'requires_action', ...about })] });

  it.each<[string, string | undefined, number]>([
    ['24 hours', undefined, 1_440],
    ['as long as the PSP says', later(30 * MINUTE).toISOString(), 30],
  ])('is waited for %s', (_, expires_at, after) => expect(shown(asked({ expires_at }))).toEqual([['expire', after]]));

  it('is waited for longer when the PSP could not end its page', () =>
    expect(shown(postponeExpiry(asked(), 'att_1', later(DAY + 10 * MINUTE))!)).toEqual([['expire', 1_450]]));

  it('is not waited for when it was done meanwhile', () =>
    expect(postponeExpiry(aPayment({ status: 'succeeded' }), 'att_1', later(1))).toBeUndefined());
});

describe('an announcement', () => {
  it('is passed on by the sweeper when the relay has not within 5 minutes', () =>
    expect(shown(announce(aPayment({ status: 'canceled' }), 'payment.canceled', later(MINUTE)))).toEqual([
      ['relay', 6],
    ]));

  it('joins the other duties', () =>
    expect(shown(announce(unknown(), 'payment.created', START)).map(([kind]) => kind)).toEqual([
      'ask_attempt',
      'relay',
    ]));
});

describe('a payment', () => {
  it.each(['created', 'succeeded', 'failed', 'canceled', 'refunded'] as const)(
    'that is %s and told is never due',
    (status) => expect(nextDueAt(aPayment({ status }), undefined)).toBeUndefined(),
  );

  it('is due when the first of its duties is', () => {
    const payment = aPayment({
      status: 'succeeded',
      refunds: [aRefund({ status: 'pending', asks: 3 }), aRefund({ id: 're_2', status: 'pending' })],
    });
    expect(nextDueAt(payment, undefined)).toBe(later(MINUTE).toISOString());
  });

  it.each<[string, number, number]>([
    ['keeps an earlier entry', 30_000, 30_000],
    ['gives a later entry up', HOUR, MINUTE],
  ])('%s', (_, standing, due) =>
    expect(nextDueAt(unknown(), later(standing).toISOString())).toBe(later(due).toISOString()),
  );

  it('gives its entry up with its last duty', () =>
    expect(nextDueAt(aPayment({ status: 'succeeded' }), later(30_000).toISOString())).toBeUndefined());
});

describe('a reader', () => {
  it.each<[string, Payment, number, boolean]>([
    ['asks after 10 seconds without an answer', unknown(), 10_000, true],
    ['waits up to then', unknown(), 9_999, false],
    ['asks about a call whose process died', aPayment(), 10_000, true],
    ['waits 10 seconds after the last question', unknown({ asked_at: later(5_000).toISOString() }), 14_999, false],
    ['asks again then', unknown({ asked_at: later(5_000).toISOString() }), 15_000, true],
    ['does not ask about what the PSP has accepted', unknown({ phase: 'accepted' }), HOUR, false],
    ['does not ask about what ended', aPayment({ status: 'failed' }), HOUR, false],
    ['does not ask before there is an attempt', aPayment({ status: 'created' }), HOUR, false],
    ['does not ask while a person decides', { ...unknown(), review: REVIEW }, HOUR, false],
  ])('%s', (_, payment, after, asks) => expect(shouldPollOnRead(payment, later(after))).toBe(asks));
});
