import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVALS, nextPeriodNumber, periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import {
  cancelAtPeriodEnd,
  cancelImmediately,
  closeSubscription,
  endSubscription,
  keepStartedPeriods,
  pauseSubscription,
  postponeBilling,
  recordUpdate,
  resumeOrUndoCancel,
  scheduleInvoiceCheck,
  startPeriod,
} from '#shared/domain/billing/subscription.machine.ts';
import {
  isBilledToEnd,
  isClosed,
  nextBillingAt,
  type Subscription,
  subscriptionDueAt,
  toPublicSubscription,
  withTermsOfDuePeriod,
} from '#shared/domain/billing/subscription.model.ts';
import { DAY, MINUTE, plus } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';
import { aSubscription } from '#test/support/subscription.builder.ts';

const fresh = (about: Partial<Subscription> = {}) =>
  aSubscription({ next_period: 0, bills_at: START.toISOString(), invoices: 0, ...about });
const types = ({ outbox }: Subscription) => outbox.map(({ type }) => type);

describe('a subscription', () => {
  it('advances one period at a time, counted from its anchor', () => {
    const anchored = fresh({ start_at: '2027-01-31T08:30:00.000Z', bills_at: '2027-01-31T08:30:00.000Z' });
    const starts: (string | null)[] = [];
    for (let now = anchored; starts.length < 4; now = startPeriod(now, 'inv_1', undefined, later(0)))
      starts.push(now.bills_at);
    expect(starts).toEqual([
      '2027-01-31T08:30:00.000Z',
      '2027-02-28T08:30:00.000Z',
      '2027-03-31T08:30:00.000Z',
      '2027-04-30T08:30:00.000Z',
    ]);
  });

  it('keeps the connection of its token, and is no longer postponed once it is charged', () => {
    const begun = startPeriod(
      postponeBilling(fresh(), later(5)),
      'inv_1',
      { connection_id: 'conn_1', provider: 'stripe' },
      later(10),
    );
    expect(begun).toMatchObject({
      token_of: { connection_id: 'conn_1', provider: 'stripe' },
      last_invoice_id: 'inv_1',
      invoices: 1,
      next_period: 1,
    });
    expect(begun.held_until).toBeUndefined();
  });

  it('is due while it is active, and while a cancel is scheduled', () => {
    const paused = pauseSubscription(fresh(), later(0)) as Subscription;
    expect(nextBillingAt(fresh())).toBe(START.toISOString());
    expect(nextBillingAt(paused)).toBeUndefined();
    expect(nextBillingAt({ ...paused, cancel_at_period_end: true })).toBe(START.toISOString());
    expect(nextBillingAt(cancelImmediately(fresh(), later(0)))).toBeUndefined();
  });

  it('is due later while it is postponed, and earlier while its events wait for long', () => {
    const until = plus(START, DAY);
    const held = postponeBilling(fresh(), until);
    expect(subscriptionDueAt(held)).toBe(until.toISOString());
    const waiting = recordUpdate({ ...held, amount: 5 }, START);
    expect(subscriptionDueAt(waiting)).toBe(plus(START, 5 * MINUTE).toISOString());
  });

  it('resumes at the first date ahead, however long it was paused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...INTERVALS), fc.integer({ min: 0, max: 900 }), (interval, days) => {
        const at = plus(START, days * DAY + 1);
        const paused = pauseSubscription(
          fresh({ interval, next_period: 1, bills_at: periodStart(START.toISOString(), interval, 1) }),
          START,
        ) as Subscription;
        const resumed = resumeOrUndoCancel(paused, at);
        expect(resumed.status).toBe('active');
        expect(resumed.bills_at && resumed.bills_at > at.toISOString()).toBe(true);
        expect(resumed.next_renewal_at).toBe(resumed.bills_at);
      }),
    );
  });

  it('is charged for each period that started while it was active, on the terms of that moment', () => {
    const act = fc.record({
      days: fc.integer({ min: 0, max: 20 }),
      what: fc.constantFrom('pause', 'resume', 'change', 'bill'),
    });
    fc.assert(
      fc.property(fc.constantFrom('daily', 'weekly', 'monthly'), fc.array(act, { maxLength: 25 }), (interval, acts) => {
        const charged: (readonly [number, number])[] = [];
        const bill = (subscription: Subscription, at: Date): Subscription => {
          const due = nextBillingAt(subscription);
          if (due === undefined || due > at.toISOString()) return subscription;
          charged.push([subscription.next_period, withTermsOfDuePeriod(subscription).amount]);
          return bill(startPeriod(subscription, 'inv_1', undefined, at), at);
        };
        let [now, at, amount] = [
          fresh({ interval, amount: 0, next_renewal_at: START.toISOString() }),
          plus(START, 1),
          0,
        ];
        // The time from which each state applied: periods before the next entry started in this state.
        const was: { readonly from: number; readonly active: boolean; readonly amount: number }[] = [
          { from: 0, active: true, amount },
        ];
        for (const { days, what } of acts) {
          at = plus(at, days * DAY);
          if (what === 'bill') now = bill(now, at);
          if (what === 'pause') now = pauseSubscription(now, at) ?? now;
          if (what === 'resume' && now.status === 'paused') now = resumeOrUndoCancel(now, at);
          if (what === 'change') {
            amount += 1;
            now = recordUpdate({ ...keepStartedPeriods(now, at), amount }, at);
          }
          was.push({ from: at.getTime(), active: now.status === 'active', amount });
        }
        if (now.status === 'paused') now = resumeOrUndoCancel(now, at);
        now = bill(now, at);
        const periods = Array.from({ length: nextPeriodNumber(START.toISOString(), interval, at) }, (_, n) => n);
        const expected = periods.flatMap((n) => {
          const begun = was.findLast(({ from }) => from < Date.parse(periodStart(START.toISOString(), interval, n)));
          return begun?.active ? [[n, begun.amount]] : [];
        });
        expect(charged).toEqual(expected);
        expect([now.begun, now.next_period]).toEqual([undefined, periods.length]);
        expect(now.next_renewal_at).toBe(now.bills_at);
      }),
    );
  });

  it('stores no earlier terms if all started periods are charged', () => {
    const charged = aSubscription();
    expect(keepStartedPeriods(charged, later(1))).toBe(charged);
    expect(pauseSubscription(charged, later(1))).not.toHaveProperty('begun');
  });

  it('ends before the first period that has not started, and is charged up to it', () => {
    const ending = cancelAtPeriodEnd(fresh({ interval: 'weekly' }), plus(START, 8 * DAY)) as Subscription;
    const end = plus(START, 14 * DAY).toISOString();
    expect([ending.ends_at, ending.next_renewal_at, nextBillingAt(ending), isBilledToEnd(ending)]).toEqual([
      end,
      end,
      START.toISOString(),
      false,
    ]);
    const last = startPeriod(
      startPeriod(ending, 'inv_1', undefined, plus(START, 8 * DAY)),
      'inv_2',
      undefined,
      plus(START, 8 * DAY),
    );
    expect([last.next_period, last.next_renewal_at, nextBillingAt(last), isBilledToEnd(last)]).toEqual([
      2,
      end,
      end,
      true,
    ]);
    expect(nextBillingAt(postponeBilling(last, plus(START, 20 * DAY)))).toBe(end);
    const paused = pauseSubscription(ending, plus(START, 9 * DAY)) as Subscription;
    expect([nextBillingAt(paused), isBilledToEnd(paused), paused.next_renewal_at]).toEqual([end, true, null]);
    expect(resumeOrUndoCancel(ending, plus(START, 9 * DAY))).not.toHaveProperty('ends_at');
  });

  it('keeps its payment method after the end until its invoices are closed', () => {
    const ended = endSubscription(fresh({ sealed_method: 'sealed' }), true, START);
    expect(ended).toMatchObject({
      status: 'canceled',
      sealed_method: 'sealed',
      settles_at: plus(START, DAY).toISOString(),
    });
    expect([
      isClosed(ended),
      nextBillingAt(ended),
      nextBillingAt(scheduleInvoiceCheck(ended, plus(START, DAY))),
    ]).toEqual([false, plus(START, DAY).toISOString(), plus(START, 2 * DAY).toISOString()]);
    const closed = closeSubscription(ended);
    expect([
      isClosed(closed),
      closed.sealed_method,
      nextBillingAt(closed),
      subscriptionDueAt({ ...closed, outbox: [] }),
    ]).toEqual([true, null, undefined, undefined]);
    expect(endSubscription(fresh({ sealed_method: 'sealed' }), false, START)).toMatchObject({ sealed_method: null });
  });

  it('never resumes to a period that was charged', () => {
    const ahead = aSubscription({ next_period: 3, bills_at: '2026-06-01T12:00:00.000Z' });
    expect(resumeOrUndoCancel(pauseSubscription(ahead, later(1)) as Subscription, later(2)).next_period).toBe(3);
  });

  it('announces each change with a snapshot of that moment', () => {
    const paused = pauseSubscription(fresh(), later(1)) as Subscription;
    const resumed = resumeOrUndoCancel(paused, later(2));
    expect(types(resumed)).toEqual(['subscription.paused', 'subscription.resumed']);
    expect(resumed.outbox.map(({ was }) => was.status)).toEqual(['paused', 'active']);
    expect(resumed.outbox[0]?.was).toEqual(toPublicSubscription(paused));
  });

  it('shows and announces no internal fields', () => {
    const changed = recordUpdate(
      fresh({ sealed_method: 'sealed', token_of: { connection_id: 'conn_2', provider: 'adyen' } }),
      later(1),
    );
    expect(JSON.stringify([toPublicSubscription(changed), changed.outbox])).not.toContain('sealed');
    expect(toPublicSubscription(changed)).not.toHaveProperty('token_of');
  });

  it('continues if it is resumed before its scheduled cancel', () => {
    const ending = cancelAtPeriodEnd(fresh(), later(1)) as Subscription;
    expect(cancelAtPeriodEnd(ending, later(2))).toBeUndefined();
    const going = resumeOrUndoCancel(ending, later(2));
    expect(going).toMatchObject({ cancel_at_period_end: false, status: 'active' });
    expect(types(going)).toEqual(['subscription.updated', 'subscription.updated']);
    expect(() => resumeOrUndoCancel(going, later(3))).toThrow('has no scheduled cancel');
  });

  it('deletes its payment method when canceled, and accepts no more changes', () => {
    const canceled = cancelImmediately(fresh({ sealed_method: 'sealed' }), later(1));
    expect(canceled).toMatchObject({
      status: 'canceled',
      sealed_method: null,
      next_renewal_at: null,
      canceled_at: later(1).toISOString(),
    });
    const moves = [cancelImmediately, cancelAtPeriodEnd, pauseSubscription, resumeOrUndoCancel, recordUpdate];
    for (const move of moves) expect(() => move(canceled, later(2))).toThrow('which is final');
  });
});
