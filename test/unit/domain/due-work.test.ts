import { describe, expect, it } from 'vitest';
import { announce } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import {
  type DueTask,
  dueTasksOf,
  handOverToReview,
  nextDueAt,
  postponeExpiry,
  recordPoll,
  recordRefundPoll,
  recordRefundsRead,
  shouldPollOnRead,
} from '#shared/domain/payments/reconciliation.rules.ts';
import { markUnreadRefunds } from '#shared/domain/payments/refund.rules.ts';
import { DAY, HOUR, MINUTE } from '#shared/kernel/clock.ts';
import { anAttempt, aPayment, aRefund } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/** Minutes after the first send. */
const SCHEDULE = [1, 6, 11, 16, 21, 26, 86, ...[1, 2, 3, 4, 5, 6, 7].map((day) => 86 + day * 1_440)];

const REVIEW = { reason: 'no_verdict', at: START.toISOString() } as const;
const minutes = (at: number) => (at - START.getTime()) / MINUTE;
const shown = (payment: Payment) => dueTasksOf(payment).map((duty) => [duty.kind, minutes(duty.at)]);
const unknown = (about: Partial<Attempt> = {}) => aPayment({ attempts: [anAttempt({ phase: 'unknown', ...about })] });
const withPendingRefund = (about: Partial<Refund> = {}, more: Partial<Payment> = {}) =>
  aPayment({ status: 'succeeded', refunds: [aRefund({ status: 'pending', ...about })], ...more });

/** Performs each due task by recording a lookup without a result, until a review starts. */
function runUntilReview(payment: Payment, note: (payment: Payment, duty: DueTask) => Payment): DueTask[] {
  const done: DueTask[] = [];
  for (let now = payment; done.length < 100; now = note(now, done.at(-1)!)) {
    const duty = dueTasksOf(now)[0]!;
    done.push(duty);
    if (duty.kind.startsWith('give_up')) break;
  }
  return done;
}

describe('a call without a response', () => {
  it('is looked up after 1 minute, 5 times every 5 minutes, after 1 hour, then daily for 7 days, and then goes to review', () => {
    const duties = runUntilReview(unknown(), (payment, duty) =>
      recordPoll(payment, 'att_1', 'timer', new Date(duty.at)),
    );
    expect(duties.map((duty) => minutes(duty.at))).toEqual([...SCHEDULE, SCHEDULE.at(-1)]);
    expect(duties.map((duty) => duty.kind)).toEqual([...SCHEDULE.map(() => 'poll_attempt'), 'give_up']);
  });

  it.each([
    ['sepa_debit', 'accepted', 21],
    ['bank_transfer', 'accepted', 14],
    ['mobile_money', 'accepted', 7],
    ['sepa_debit', 'unknown', 7],
  ] as const)('for %s in phase %s is looked up for %i days', (method, phase, days) => {
    const duties = runUntilReview({ ...unknown({ phase }), method }, (payment, duty) =>
      recordPoll(payment, 'att_1', 'timer', new Date(duty.at)),
    );
    expect([duties.length, duties.at(-1)?.kind, minutes(duties.at(-1)!.at)]).toEqual([
      7 + days + 1,
      'give_up',
      86 + days * 1_440,
    ]);
  });

  it('is looked up even while another charge of its payment is under review', () => {
    const review = { reason: 'amount_mismatch', at: START.toISOString(), attempt_id: 'att_1' } as const;
    const taken = anAttempt({ phase: 'accepted', wrong_amount: { amount: 700, currency: 'USD' } });
    const both = aPayment({ review, attempts: [taken, anAttempt({ id: 'att_2', phase: 'unknown' })] });
    expect(dueTasksOf(both).map((duty) => 'attempt' in duty && duty.attempt.id)).toEqual(['att_2']);
  });

  const polled = (phase: Refund['phase']) =>
    runUntilReview(
      withPendingRefund({ phase }),
      (payment, duty) => recordRefundPoll(payment, 're_1', new Date(duty.at))!,
    );

  it('of a refund that the PSP has is looked up for as long', () => {
    const duties = polled('accepted');
    expect(duties.map((duty) => minutes(duty.at))).toEqual([...SCHEDULE, SCHEDULE.at(-1)]);
    expect(duties.at(-1)?.kind).toBe('give_up_refund');
  });

  it('of a refund that the PSP may not have is looked up each hour of the first day as well', () => {
    const duties = polled('unknown');
    const hours = Array.from({ length: 25 }, (_, n) => 26 + (n + 1) * 60);
    const days = [1, 2, 3, 4, 5, 6].map((day) => hours.at(-1)! + day * 1_440);
    const all = [...SCHEDULE.slice(0, 6), ...hours, ...days];
    expect(duties.map((duty) => minutes(duty.at))).toEqual([...all, all.at(-1)]);
    expect(duties.at(-1)?.kind).toBe('give_up_refund');
  });

  it('of a refund that the PSP certainly does not have is sent again for 30 days', () => {
    const duties = polled('unsent');
    expect([duties.at(-1)?.kind, Math.floor(minutes(duties.at(-1)!.at) / 1_440)]).toEqual(['give_up_refund', 30]);
  });

  it('of a refund is looked up once more when the sweep was late', () =>
    expect(shown(withPendingRefund({ asked_at: later(26 * MINUTE).toISOString() }))).toEqual([['poll_refund', 86]]));

  it.each<Attempt['phase']>(['calling', 'unknown', 'accepted'])('is looked up in phase %s', (phase) =>
    expect(shown(unknown({ phase }))).toEqual([['poll_attempt', 1]]),
  );
  it.each<Refund['phase']>(['calling', 'unknown', 'accepted', 'unsent'])(
    'of a refund is looked up in phase %s',
    (phase) => expect(shown(withPendingRefund({ phase }))).toEqual([['poll_refund', 1]]),
  );

  it('keeps its schedule when a GET looks it up in between', () => {
    const payment = recordPoll(unknown(), 'att_1', 'reader', later(30_000));
    expect(payment.attempts[0]?.asked_at).toBe(later(30_000).toISOString());
    expect(shown(payment)).toEqual([['poll_attempt', 1]]);
  });

  it('is scheduled from its own start, not from that of the payment', () =>
    expect(
      shown(
        aPayment({
          attempts: [
            anAttempt({ status: 'failed' }),
            anAttempt({ id: 'att_2', started_at: later(10 * MINUTE).toISOString() }),
          ],
        }),
      ),
    ).toEqual([['poll_attempt', 11]]));

  it('is looked up even if another attempt has paid', () =>
    expect(
      shown(
        aPayment({ status: 'succeeded', attempts: [anAttempt({ status: 'succeeded' }), anAttempt({ id: 'att_2' })] }),
      ),
    ).toEqual([['poll_attempt', 1]]));

  it('is no longer looked up once it is under review', () => {
    const payment = handOverToReview(unknown({ asks: SCHEDULE.length }), {}, later(1))!;
    expect(payment).toMatchObject({
      review: { reason: 'no_verdict', at: later(1).toISOString() },
      updated_at: later(1).toISOString(),
    });
    expect(payment.review).not.toHaveProperty('refund_id');
    expect(dueTasksOf(payment)).toEqual([]);
  });

  it('starts a review once', () =>
    expect(handOverToReview(aPayment({ review: REVIEW }), {}, later(1))).toBeUndefined());

  it('of a refund is no longer looked up once it is under review, while others are', () => {
    const both = aPayment({
      status: 'succeeded',
      refunds: [
        aRefund({ status: 'pending', asked_at: later(7 * DAY).toISOString() }),
        aRefund({ id: 're_2', status: 'pending' }),
      ],
    });
    const reviewed = handOverToReview(both, { refund_id: 're_1' }, later(1))!;
    expect(reviewed.review).toEqual({ reason: 'no_verdict', at: later(1).toISOString(), refund_id: 're_1' });
    expect(shown(reviewed)).toEqual([['poll_refund', 1]]);
  });

  it('of a second refund starts no second review', () => {
    const both = aPayment({
      status: 'succeeded',
      refunds: ['re_1', 're_2'].map((id) => aRefund({ id, status: 'pending', asked_at: later(7 * DAY).toISOString() })),
    });
    expect(dueTasksOf(handOverToReview(both, { refund_id: 're_1' }, later(1))!)).toEqual([]);
  });

  it('of a refund that was given up in a review is not looked up', () =>
    expect(dueTasksOf(withPendingRefund({ given_up: true }))).toEqual([]));

  it('of a refund that has ended is not looked up', () =>
    expect(recordRefundPoll(aPayment({ refunds: [aRefund()] }), 're_1', later(1))).toBeUndefined());
});

describe('refunds of a charge that were not read yet', () => {
  const unread = (status: Attempt['status']) =>
    markUnreadRefunds(
      aPayment({ status: 'succeeded', attempts: [anAttempt({ status, phase: 'final' })] }),
      'att_1',
      START,
    );

  it('are read at once, and only of a charge that is paid', () => {
    expect(shown(unread('succeeded'))).toEqual([['read_refunds', 0]]);
    expect(shown(unread('failed'))).toEqual([]);
  });

  it('are read again later if that failed, for 7 days', () => {
    const failed = recordRefundsRead(unread('succeeded'), 'att_1', false, later(2 * MINUTE));
    expect(shown(failed)).toEqual([['read_refunds', 7]]);
    expect(shown(recordRefundsRead(failed, 'att_1', false, later(7 * DAY)))).toEqual([]);
    expect(shown(recordRefundsRead(failed, 'att_1', true, later(3 * MINUTE)))).toEqual([]);
  });
});

describe('an action of the customer', () => {
  const asked = (about: Partial<Attempt> = {}) =>
    aPayment({ status: 'requires_action', attempts: [anAttempt({ status: 'requires_action', ...about })] });

  it.each<[string, string | undefined, number]>([
    ['for 24 hours', undefined, 1_440],
    ['as long as the PSP says', later(30 * MINUTE).toISOString(), 30],
  ])('is waited for %s', (_, expires_at, after) => expect(shown(asked({ expires_at }))).toEqual([['expire', after]]));

  it('is waited for longer when the PSP could not close its page', () =>
    expect(shown(postponeExpiry(asked(), 'att_1', later(DAY + 10 * MINUTE))!)).toEqual([['expire', 1_450]]));

  it('is not waited for when it was completed in the meantime', () =>
    expect(postponeExpiry(aPayment({ status: 'succeeded' }), 'att_1', later(1))).toBeUndefined());
});

describe('an announcement', () => {
  it('is published by the sweep if the relay has not published it within 5 minutes', () =>
    expect(shown(announce(aPayment({ status: 'canceled' }), 'payment.canceled', later(MINUTE)))).toEqual([
      ['relay', 6],
    ]));

  it('is scheduled together with other tasks', () =>
    expect(shown(announce(unknown(), 'payment.created', START)).map(([kind]) => kind)).toEqual([
      'poll_attempt',
      'relay',
    ]));
});

describe('a payment', () => {
  it.each(['created', 'succeeded', 'failed', 'canceled', 'refunded'] as const)(
    'that is %s with published events is never due',
    (status) => expect(nextDueAt(aPayment({ status }), undefined)).toBeUndefined(),
  );

  it('is due at the earliest of its tasks', () => {
    const payment = aPayment({
      status: 'succeeded',
      refunds: [
        aRefund({ status: 'pending', asked_at: later(11 * MINUTE).toISOString() }),
        aRefund({ id: 're_2', status: 'pending' }),
      ],
    });
    expect(nextDueAt(payment, undefined)).toBe(later(MINUTE).toISOString());
  });

  it.each<[string, number, number]>([
    ['keeps an earlier due entry', 30_000, 30_000],
    ['replaces a later due entry', HOUR, MINUTE],
  ])('%s', (_, standing, due) =>
    expect(nextDueAt(unknown(), later(standing).toISOString())).toBe(later(due).toISOString()),
  );

  it('loses its due entry with its last task', () =>
    expect(nextDueAt(aPayment({ status: 'succeeded' }), later(30_000).toISOString())).toBeUndefined());
});

describe('reading a payment', () => {
  it.each<[string, Payment, number, boolean]>([
    ['looks it up after 10 seconds without a response', unknown(), 10_000, true],
    ['does not look it up earlier', unknown(), 9_999, false],
    ['looks up a call whose process crashed', aPayment(), 10_000, true],
    [
      'does not look it up within 10 seconds after the last lookup',
      unknown({ asked_at: later(5_000).toISOString() }),
      14_999,
      false,
    ],
    ['looks it up again after 10 seconds', unknown({ asked_at: later(5_000).toISOString() }), 15_000, true],
    ['does not look up a charge that the PSP has accepted', unknown({ phase: 'accepted' }), HOUR, false],
    ['does not look up a charge that has ended', aPayment({ status: 'failed' }), HOUR, false],
    ['does not look up a payment without an attempt', aPayment({ status: 'created' }), HOUR, false],
    ['does not look up a payment under review', { ...unknown(), review: REVIEW }, HOUR, false],
  ])('%s', (_, payment, after, asks) => expect(shouldPollOnRead(payment, later(after))).toBe(asks));
});
