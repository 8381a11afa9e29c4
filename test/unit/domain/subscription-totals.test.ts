import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVALS } from '#shared/domain/billing/billing-calendar.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { type SubscriptionTotals, subscriptionStatsOf } from '#shared/domain/billing/subscription-stats.rules.ts';
import { standingOf, subscriptionDeltas } from '#shared/domain/billing/subscription-totals.rules.ts';
import { addSums } from '#shared/domain/reporting/totals.rules.ts';
import { aSubscription, subscriptionId } from '#test/support/subscription.builder.ts';

const FIRST = '2026-03-01T12:00:00.000Z';
const dayAfter = (days: number) => new Date(Date.parse(FIRST) + days * 86_400_000).toISOString();

/** A subscription that starts on some day, and then changes from day to day as its rules allow. */
const aHistory = fc
  .record({
    interval: fc.constantFrom(...INTERVALS),
    amounts: fc.array(fc.integer({ min: 1, max: 99_999 }), { minLength: 1, maxLength: 5 }),
    start: fc.integer({ min: 0, max: 4 }),
    steps: fc.array(fc.constantFrom('amount', 'pause', 'resume', 'cancel', 'renew', 'end_later'), { maxLength: 8 }),
  })
  .map(({ interval, amounts, start, steps }) => {
    const images: Subscription[] = [];
    const made = { interval, amount: amounts[0]!, start_at: dayAfter(start), updated_at: FIRST, invoices: 0 };
    images.push(aSubscription({ ...made, created_at: FIRST }));
    images.push({ ...images[0]!, invoices: 1, updated_at: dayAfter(start) });
    for (const [n, step] of steps.entries()) {
      const last = images.at(-1)!;
      if (last.status !== 'canceled') images.push(stepped(last, step, amounts[n % amounts.length]!, start + n));
    }
    return images;
  });

function stepped(last: Subscription, step: string, amount: number, day: number): Subscription {
  const updated_at = dayAfter(day);
  switch (step) {
    case 'amount':
      return { ...last, updated_at, amount };
    case 'pause':
      return { ...last, updated_at, status: 'paused' };
    case 'resume':
      return { ...last, updated_at, status: 'active' };
    case 'cancel':
      return { ...last, updated_at, status: 'canceled' };
    case 'end_later':
      return { ...last, updated_at, cancel_at_period_end: true };
    default:
      return { ...last, updated_at, invoices: last.invoices + 1 };
  }
}

/** The totals after all these changes, as they are stored. */
function totalsOf(histories: readonly (readonly Subscription[])[]): readonly SubscriptionTotals[] {
  const deltas = histories.flatMap((images) => images.flatMap((next, n) => subscriptionDeltas(images[n - 1], next)));
  const rows = deltas.flatMap(({ of, add }) =>
    of.kind === 'subscriptions' ? [{ day: of.day, currency: of.currency, sums: add }] : [],
  );
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, own]) => ({
    day,
    currency: 'EUR',
    sums: addSums(own.map(({ sums }) => sums)),
  }));
}

const PERIODS = { daily: 365, weekly: 52, monthly: 12, quarterly: 4, yearly: 1 };
const isActive = (subscription: Subscription) => standingOf(subscription) === 'active';
const revenue = (all: readonly Subscription[]) =>
  Math.round(all.filter(isActive).reduce((sum, { amount, interval }) => sum + amount * PERIODS[interval], 0) / 12);

describe('the totals of subscriptions', () => {
  it('say how subscriptions stand, and stood at the end of every day, whatever happened to them', () => {
    fc.assert(
      fc.property(fc.array(aHistory, { minLength: 1, maxLength: 6 }), (histories) => {
        const stats = subscriptionStatsOf({ from: '2026-03-01', to: '2026-03-20' }, totalsOf(histories));
        const [own] = stats.by_currency;
        const last = histories.map((images) => images.at(-1)!);
        expect(own?.now.active).toBe(last.filter(isActive).length);
        expect(own?.now.canceled).toBe(last.filter(({ status }) => status === 'canceled').length);
        expect(own?.now.ending).toBe(last.filter((each) => isActive(each) && each.cancel_at_period_end).length);
        expect(own?.now.mrr).toBe(revenue(last));
        for (const { day, active, mrr } of own?.by_day ?? []) {
          const then = histories.flatMap((images) =>
            images.filter((each) => each.updated_at.slice(0, 10) <= day).slice(-1),
          );
          expect([day, active, mrr]).toEqual([day, then.filter(isActive).length, revenue(then)]);
        }
        expect(own?.start).toEqual({ active: 0, mrr: 0 });
      }),
      { numRuns: 200 },
    );
  });

  it('are the same when they are counted again from the records', () => {
    fc.assert(
      fc.property(fc.array(aHistory, { minLength: 1, maxLength: 6 }), (histories) => {
        const again = histories.flatMap((images) => subscriptionDeltas(undefined, images.at(-1)));
        const counted = addSums(again.filter(({ of }) => 'day' in of && of.day === null).map(({ add }) => add));
        expect(totalsOf(histories).find(({ day }) => day === null)?.sums ?? {}).toEqual(counted);
      }),
      { numRuns: 100 },
    );
  });

  it('are not written by a renewal, nor by a subscription that is canceled before its start twice', () => {
    const active = aSubscription({ id: subscriptionId(1) });
    expect(subscriptionDeltas(active, { ...active, invoices: 2, updated_at: dayAfter(31) })).toEqual([]);
    const scheduled = aSubscription({ invoices: 0, start_at: dayAfter(9) });
    const moved = subscriptionDeltas(scheduled, { ...scheduled, status: 'canceled' });
    expect(moved).toEqual([{ of: expect.objectContaining({ day: null }), add: { scheduled: -1, never_started: 1 } }]);
  });

  it('are not below zero where an earlier release counted none', () => {
    const older = aSubscription();
    const deltas = subscriptionDeltas(older, { ...older, status: 'canceled', updated_at: dayAfter(2) });
    const rows = deltas.map(({ of, add }) => ({ day: 'day' in of ? of.day : null, currency: 'EUR', sums: add }));
    const [own] = subscriptionStatsOf({ from: '2026-03-02', to: '2026-03-04' }, rows).by_currency;
    expect(own?.now).toMatchObject({ active: 0, canceled: 1, mrr: 0 });
  });
});
