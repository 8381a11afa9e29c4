import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVALS, nextPeriod, periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import {
  beginPeriod,
  cancelAtOnce,
  cancelAtPeriodEnd,
  closeSubscription,
  continueSubscription,
  endSubscription,
  holdSubscription,
  keepBegun,
  noteUpdate,
  pauseSubscription,
  settleLater,
} from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import {
  asBegun,
  billsAt,
  endsNext,
  isClosed,
  shownSubscription,
  subscriptionDueAt,
} from '#shared/domain/billing/subscription.rules.ts';
import { DAY, MINUTE, plus } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';
import { aSubscription } from '#test/support/subscription.builder.ts';

const fresh = (about: Partial<Subscription> = {}) =>
  aSubscription({ next_period: 0, bills_at: START.toISOString(), invoices: 0, ...about });
const types = ({ outbox }: Subscription) => outbox.map(({ type }) => type);

describe('a subscription', () => {
  it('moves on by one period at a time, counted from its anchor', () => {
    const anchored = fresh({ start_at: '2027-01-31T08:30:00.000Z', bills_at: '2027-01-31T08:30:00.000Z' });
    const starts: (string | null)[] = [];
    for (let now = anchored; starts.length < 4; now = beginPeriod(now, 'inv_1', undefined, later(0)))
      starts.push(now.bills_at);
    expect(starts).toEqual([
      '2027-01-31T08:30:00.000Z',
      '2027-02-28T08:30:00.000Z',
      '2027-03-31T08:30:00.000Z',
      '2027-04-30T08:30:00.000Z',
    ]);
  });

  it('keeps which account knows its bare token, and is held no more once it is charged', () => {
    const begun = beginPeriod(
      holdSubscription(fresh(), later(5)),
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

  it('is due while it is active, and while it ends with its period', () => {
    const paused = pauseSubscription(fresh(), later(0)) as Subscription;
    expect(billsAt(fresh())).toBe(START.toISOString());
    expect(billsAt(paused)).toBeUndefined();
    expect(billsAt({ ...paused, cancel_at_period_end: true })).toBe(START.toISOString());
    expect(billsAt(cancelAtOnce(fresh(), later(0)))).toBeUndefined();
  });

  it('is due later while it is held, and earlier while its events wait for long', () => {
    const until = plus(START, DAY);
    const held = holdSubscription(fresh(), until);
    expect(subscriptionDueAt(held)).toBe(until.toISOString());
    const waiting = noteUpdate({ ...held, amount: 5 }, START);
    expect(subscriptionDueAt(waiting)).toBe(plus(START, 5 * MINUTE).toISOString());
  });

  it('resumes with the first date ahead, however long it was paused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...INTERVALS), fc.integer({ min: 0, max: 900 }), (interval, days) => {
        const at = plus(START, days * DAY + 1);
        const paused = pauseSubscription(
          fresh({ interval, next_period: 1, bills_at: periodStart(START.toISOString(), interval, 1) }),
          START,
        ) as Subscription;
        const resumed = continueSubscription(paused, at);
        expect(resumed.status).toBe('active');
        expect(resumed.bills_at && resumed.bills_at > at.toISOString()).toBe(true);
        expect(resumed.next_renewal_at).toBe(resumed.bills_at);
      }),
    );
  });

  it('is charged for each period that began while it was active, by the terms of that moment, whenever that is done', () => {
    const act = fc.record({
      days: fc.integer({ min: 0, max: 20 }),
      what: fc.constantFrom('pause', 'resume', 'change', 'bill'),
    });
    fc.assert(
      fc.property(fc.constantFrom('daily', 'weekly', 'monthly'), fc.array(act, { maxLength: 25 }), (interval, acts) => {
        const charged: (readonly [number, number])[] = [];
        const bill = (subscription: Subscription, at: Date): Subscription => {
          const due = billsAt(subscription);
          if (due === undefined || due > at.toISOString()) return subscription;
          charged.push([subscription.next_period, asBegun(subscription).amount]);
          return bill(beginPeriod(subscription, 'inv_1', undefined, at), at);
        };
        let [now, at, amount] = [
          fresh({ interval, amount: 0, next_renewal_at: START.toISOString() }),
          plus(START, 1),
          0,
        ];
        // From when on it was so: what began before the next one of these began like this.
        const was: { readonly from: number; readonly active: boolean; readonly amount: number }[] = [
          { from: 0, active: true, amount },
        ];
        for (const { days, what } of acts) {
          at = plus(at, days * DAY);
          if (what === 'bill') now = bill(now, at);
          if (what === 'pause') now = pauseSubscription(now, at) ?? now;
          if (what === 'resume' && now.status === 'paused') now = continueSubscription(now, at);
          if (what === 'change') {
            amount += 1;
            now = noteUpdate({ ...keepBegun(now, at), amount }, at);
          }
          was.push({ from: at.getTime(), active: now.status === 'active', amount });
        }
        if (now.status === 'paused') now = continueSubscription(now, at);
        now = bill(now, at);
        const periods = Array.from({ length: nextPeriod(START.toISOString(), interval, at) }, (_, n) => n);
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

  it('keeps nothing of before a change where all that has begun is charged', () => {
    const charged = aSubscription();
    expect(keepBegun(charged, later(1))).toBe(charged);
    expect(pauseSubscription(charged, later(1))).not.toHaveProperty('begun');
  });

  it('ends before the first period that has not begun, and is charged up to it', () => {
    const ending = cancelAtPeriodEnd(fresh({ interval: 'weekly' }), plus(START, 8 * DAY)) as Subscription;
    const end = plus(START, 14 * DAY).toISOString();
    expect([ending.ends_at, ending.next_renewal_at, billsAt(ending), endsNext(ending)]).toEqual([
      end,
      end,
      START.toISOString(),
      false,
    ]);
    const last = beginPeriod(
      beginPeriod(ending, 'inv_1', undefined, plus(START, 8 * DAY)),
      'inv_2',
      undefined,
      plus(START, 8 * DAY),
    );
    expect([last.next_period, last.next_renewal_at, billsAt(last), endsNext(last)]).toEqual([2, end, end, true]);
    expect(billsAt(holdSubscription(last, plus(START, 20 * DAY)))).toBe(end);
    const paused = pauseSubscription(ending, plus(START, 9 * DAY)) as Subscription;
    expect([billsAt(paused), endsNext(paused), paused.next_renewal_at]).toEqual([end, true, null]);
    expect(continueSubscription(ending, plus(START, 9 * DAY))).not.toHaveProperty('ends_at');
  });

  it('that has ended and is owed for keeps its payment method until that is closed', () => {
    const ended = endSubscription(fresh({ sealed_method: 'sealed' }), true, START);
    expect(ended).toMatchObject({
      status: 'canceled',
      sealed_method: 'sealed',
      settles_at: plus(START, DAY).toISOString(),
    });
    expect([isClosed(ended), billsAt(ended), billsAt(settleLater(ended, plus(START, DAY)))]).toEqual([
      false,
      plus(START, DAY).toISOString(),
      plus(START, 2 * DAY).toISOString(),
    ]);
    const closed = closeSubscription(ended);
    expect([
      isClosed(closed),
      closed.sealed_method,
      billsAt(closed),
      subscriptionDueAt({ ...closed, outbox: [] }),
    ]).toEqual([true, null, undefined, undefined]);
    expect(endSubscription(fresh({ sealed_method: 'sealed' }), false, START)).toMatchObject({ sealed_method: null });
  });

  it('is never resumed to a period that it was charged for', () => {
    const ahead = aSubscription({ next_period: 3, bills_at: '2026-06-01T12:00:00.000Z' });
    expect(continueSubscription(pauseSubscription(ahead, later(1)) as Subscription, later(2)).next_period).toBe(3);
  });

  it('announces each change as it is then', () => {
    const paused = pauseSubscription(fresh(), later(1)) as Subscription;
    const resumed = continueSubscription(paused, later(2));
    expect(types(resumed)).toEqual(['subscription.paused', 'subscription.resumed']);
    expect(resumed.outbox.map(({ was }) => was.status)).toEqual(['paused', 'active']);
    expect(resumed.outbox[0]?.was).toEqual(shownSubscription(paused));
  });

  it('shows and announces nothing of what lies inside', () => {
    const changed = noteUpdate(
      fresh({ sealed_method: 'sealed', token_of: { connection_id: 'conn_2', provider: 'adyen' } }),
      later(1),
    );
    expect(JSON.stringify([shownSubscription(changed), changed.outbox])).not.toContain('sealed');
    expect(shownSubscription(changed)).not.toHaveProperty('token_of');
  });

  it('that waits for the end of its period goes on when it is resumed', () => {
    const ending = cancelAtPeriodEnd(fresh(), later(1)) as Subscription;
    expect(cancelAtPeriodEnd(ending, later(2))).toBeUndefined();
    const going = continueSubscription(ending, later(2));
    expect(going).toMatchObject({ cancel_at_period_end: false, status: 'active' });
    expect(types(going)).toEqual(['subscription.updated', 'subscription.updated']);
    expect(() => continueSubscription(going, later(3))).toThrow('no cancel of it is waiting');
  });

  it('that is canceled keeps no payment method, and is changed no more', () => {
    const canceled = cancelAtOnce(fresh({ sealed_method: 'sealed' }), later(1));
    expect(canceled).toMatchObject({
      status: 'canceled',
      sealed_method: null,
      next_renewal_at: null,
      canceled_at: later(1).toISOString(),
    });
    const moves = [cancelAtOnce, cancelAtPeriodEnd, pauseSubscription, continueSubscription, noteUpdate];
    for (const move of moves) expect(() => move(canceled, later(2))).toThrow('which is final');
  });
});
