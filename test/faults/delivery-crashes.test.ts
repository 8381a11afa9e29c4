import { afterAll, describe, expect, it } from 'vitest';
import { CRASHES } from '#test/faults/crash-sweep.support.ts';
import { type Case, sweepDeliveries } from '#test/faults/deliveries.support.ts';
import { changeSubscription, goTo, moveSubscription, savedCard, subscribe } from '#test/support/billing.ts';
import type { Body, TestHost } from '#test/support/host.ts';
import { act, advance, drain, pay } from '#test/support/payment-steps.ts';

/**
 * Whatever is on the way of an event fails at each step, or dies there: nothing is lost, nothing invented, and who goes
 * by ids sees each once.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const inTime = (host: TestHost, ms: number): string => new Date(host.clock.now().getTime() + ms).toISOString();

const paid = (host: TestHost, customer_id: string): Promise<Body> => pay(host, 'ok', { customer_id });
const PAID = { 'payment.created': 1, 'payment.succeeded': 1 };

const aPayment: Pick<Case, 'work' | 'told'> = { work: paid, told: PAID };

/** The payment's own events are through before. */
const aRefund: Pick<Case, 'prepare' | 'work' | 'told'> = {
  prepare: paid,
  work: (host, _, { id }) => act(host, id, 'refund'),
  told: { ...PAID, 'payment.refunded': 1 },
};

/** Of each day, so that the others' renewals don't come between; it ends before its next one. */
const aRenewal: Pick<Case, 'prepare' | 'work' | 'afterwards' | 'told'> = {
  prepare: (host, customer_id) => subscribe(host, { customer_id, payment_method: savedCard(), interval: 'daily' }),
  work: (host, _, { next_renewal_at }) => goTo(host, next_renewal_at),
  afterwards: (host, subscription) => moveSubscription(host, subscription, 'cancel'),
  told: {
    'subscription.created': 1,
    'subscription.renewed': 1,
    'subscription.canceled': 1,
    'invoice.created': 2,
    'invoice.paid': 2,
    'payment.created': 2,
    'payment.succeeded': 2,
  },
};

/** One that is not charged in these tests. */
const aChange: Pick<Case, 'prepare' | 'work' | 'told'> = {
  prepare: (host, customer_id) => subscribe(host, { customer_id, start_at: inTime(host, 1_000 * DAY) }),
  work: (host, _, subscription) => changeSubscription(host, subscription, { status: 'paused', amount: 2_490 }),
  told: { 'subscription.created': 1, 'subscription.updated': 1, 'subscription.paused': 1 },
};

const aNewSubscription: Pick<Case, 'work' | 'told'> = {
  work: (host, customer_id) => subscribe(host, { customer_id, start_at: inTime(host, 1_000 * DAY) }),
  told: { 'subscription.created': 1 },
};

/**
 * Refused three times before: its receiver counts as dead for certain, and what is left of its tries takes the slow
 * lane.
 */
const afterThreeTries: Pick<Case, 'prepare' | 'work' | 'told'> = {
  prepare: async (host, customer) => {
    await aNewSubscription.work(host, customer, undefined);
    await advance(host, '3m');
  },
  work: (host) => advance(host, '45m'),
  told: aNewSubscription.told,
};

/** What stands in the due index is found in so long. */
const later = (
  { work, ...rest }: Pick<Case, 'prepare' | 'work' | 'told'>,
  by: string,
): Pick<Case, 'prepare' | 'work' | 'told'> => ({
  ...rest,
  work: async (host, customer, prepared) => {
    await work(host, customer, prepared);
    await drain(host);
    await advance(host, by);
  },
});

const CASES: Readonly<Record<string, Case>> = {
  'the relay, with a payment': { ...aPayment, group: 'relay', calls: 3 },
  'the relay, with a refund': { ...aRefund, group: 'relay', calls: 2 },
  'the relay, with a renewal': { ...aRenewal, group: 'relay', kinds: CRASHES, calls: 5 },
  'a delivery, with a payment': { ...aPayment, group: 'webhook-delivery', calls: 8 },
  'a delivery, with a refund': { ...aRefund, group: 'webhook-delivery', calls: 4 },
  'a delivery that is refused first': {
    ...later(aNewSubscription, '10s'),
    group: 'webhook-delivery',
    refusals: 1,
    calls: 9,
  },
  'a delivery, with a renewal': { ...aRenewal, group: 'webhook-delivery', kinds: CRASHES, calls: 20 },
  'a delivery whose message fails each time it comes': {
    ...aNewSubscription,
    group: 'webhook-delivery',
    eachReceive: true,
    refusals: 1,
    calls: 5,
  },
  'the timers, with what the relay has not passed on': {
    ...later(aPayment, '6m'),
    group: 'timers',
    relay: 'loses',
    calls: 5,
  },
  'the timers, with what was refused four times': {
    ...later(aNewSubscription, '45m'),
    group: 'timers',
    refusals: 4,
    calls: 3,
  },
  'the slow lane, with what was refused four times': {
    ...afterThreeTries,
    group: 'slow-deliveries',
    refusals: 4,
    calls: 9,
  },
  'renewals, with what the relay has not passed on': {
    ...later(aChange, '6m'),
    group: 'renewals',
    relay: 'loses',
    calls: 5,
  },
  'the sweep, with what the relay has not passed on': {
    ...later(aPayment, '6m'),
    group: 'sweep-due',
    relay: 'loses',
    kinds: CRASHES,
    calls: 5,
  },
};

let struck = 0;
afterAll(() => console.log(`deliveries: ${struck} runs with a fault each`));

describe.concurrent('events whose way is cut', () => {
  it.each(Object.entries(CASES))(
    'at each step of %s arrive, once each',
    async (_, line) => {
      const runs = await sweepDeliveries(line);
      expect(runs).toBeGreaterThan(2);
      struck += runs - 1;
    },
    300_000,
  );
});
