import { afterAll, describe, expect, it } from 'vitest';
import { CRASHES } from '#test/faults/crash-sweep.support.ts';
import { type Case, sweepDeliveries } from '#test/faults/deliveries.support.ts';
import { changeSubscription, goTo, moveSubscription, savedCard, subscribe } from '#test/support/billing.ts';
import type { Body, TestHost } from '#test/support/host.ts';
import { act, advance, drain, pay } from '#test/support/payment-steps.ts';

/**
 * Every call on the way of an event fails or crashes in turn: no event is lost or invented, and a shop that goes by
 * ids sees each once.
 */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const inTime = (host: TestHost, ms: number): string => new Date(host.clock.now().getTime() + ms).toISOString();

const paid = (host: TestHost, customer_id: string): Promise<Body> => pay(host, 'ok', { customer_id });
const PAID = { 'payment.created': 1, 'payment.succeeded': 1 };

const aPayment: Pick<Case, 'work' | 'told'> = { work: paid, told: PAID };

/** The events of the payment itself are delivered before. */
const aRefund: Pick<Case, 'prepare' | 'work' | 'told'> = {
  prepare: paid,
  work: (host, _, { id }) => act(host, id, 'refund'),
  told: { ...PAID, 'payment.refunded': 1 },
};

/** One per day, so that the renewals of others do not interfere; it ends before its next period. */
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

/** A subscription that is not charged in these tests. */
const aChange: Pick<Case, 'prepare' | 'work' | 'told'> = {
  prepare: (host, customer_id) => subscribe(host, { customer_id, start_at: inTime(host, 1_000 * DAY) }),
  work: (host, _, subscription) => changeSubscription(host, subscription, { status: 'paused', amount: 2_490 }),
  told: { 'subscription.created': 1, 'subscription.updated': 1, 'subscription.paused': 1 },
};

const aNewSubscription: Pick<Case, 'work' | 'told'> = {
  work: (host, customer_id) => subscribe(host, { customer_id, start_at: inTime(host, 1_000 * DAY) }),
  told: { 'subscription.created': 1 },
};

/** Failed three times before: the endpoint counts as failing, and the remaining attempts use the slow queue. */
const afterThreeTries: Pick<Case, 'prepare' | 'work' | 'told'> = {
  prepare: async (host, customer) => {
    await aNewSubscription.work(host, customer, undefined);
    await advance(host, '3m');
  },
  work: (host) => advance(host, '45m'),
  told: aNewSubscription.told,
};

/** Entries of the due index are found within this time. */
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
  'the relay with a payment': { ...aPayment, group: 'relay', calls: 3 },
  'the relay with a refund': { ...aRefund, group: 'relay', calls: 2 },
  'the relay with a renewal': { ...aRenewal, group: 'relay', kinds: CRASHES, calls: 5 },
  "the delivery of a payment's events": { ...aPayment, group: 'webhook-delivery', calls: 5 },
  "the delivery of a refund's events": { ...aRefund, group: 'webhook-delivery', calls: 3 },
  'a delivery that fails at first': {
    ...later(aNewSubscription, '10s'),
    group: 'webhook-delivery',
    refusals: 1,
    calls: 8,
  },
  "the delivery of a renewal's events": { ...aRenewal, group: 'webhook-delivery', kinds: CRASHES, calls: 14 },
  'a delivery whose message fails on every receive': {
    ...aNewSubscription,
    group: 'webhook-delivery',
    eachReceive: true,
    refusals: 1,
    calls: 4,
  },
  'the timers with events that the relay did not publish': {
    ...later(aPayment, '6m'),
    group: 'timers',
    relay: 'loses',
    calls: 5,
  },
  'the timers with events that failed four times': {
    ...later(aNewSubscription, '45m'),
    group: 'timers',
    refusals: 4,
    calls: 3,
  },
  'the slow queue with events that failed four times': {
    ...afterThreeTries,
    group: 'slow-deliveries',
    refusals: 4,
    calls: 7,
  },
  'renewals with events that the relay did not publish': {
    ...later(aChange, '6m'),
    group: 'renewals',
    relay: 'loses',
    calls: 5,
  },
  'the sweep with events that the relay did not publish': {
    ...later(aPayment, '6m'),
    group: 'sweep-due',
    relay: 'loses',
    kinds: CRASHES,
    // It reads the shards with anything due, and sends what it finds there.
    calls: 2,
  },
};

let struck = 0;
afterAll(() => console.log(`deliveries: ${struck} runs with a fault each`));

describe.concurrent('events whose delivery is interrupted', () => {
  it.each(Object.entries(CASES))(
    'arrive once each after a fault at any point of %s',
    async (_, line) => {
      const runs = await sweepDeliveries(line);
      expect(runs).toBeGreaterThan(2);
      struck += runs - 1;
    },
    300_000,
  );
});
