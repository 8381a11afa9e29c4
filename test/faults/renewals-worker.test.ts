import { afterAll, describe, expect, it } from 'vitest';
import {
  aBuyer,
  aDebt,
  type BilledSubscription,
  type CrashedWork,
  crashAtEachCall,
  decline,
  lastInvoiceOf,
  ledgerOf,
  savedCardOf,
  startHostWithWebhooks,
  verifyLedger,
  verifyNothingLeft,
  type Work,
} from '#test/faults/renewals.support.ts';
import { changeSubscription, moveSubscription, subscribe, subscriptionOf } from '#test/support/billing.ts';
import { aConnection, type Body, type TestHost } from '#test/support/host.ts';
import { act, advance, complete, read } from '#test/support/payment-steps.ts';

/** A worker that crashes at any point of its work for a subscription: scheduled work completes it, once. */
let crashes = 0;
afterAll(() => console.log(`renewals: ${crashes} crash points`));

const renewal = async (host: TestHost, made: Body): Promise<string> =>
  (await subscriptionOf(host, made)).next_renewal_at;
const nextTry = async (host: TestHost, subscription: Body): Promise<string> =>
  (await lastInvoiceOf(host, subscription)).next_retry_at;
const starting = (host: TestHost, start_at: string): Promise<Body> => subscribe(host, { ...aBuyer(), start_at });
const statusOf = ({ status }: Body): string => status;
const asItIs = async (): Promise<void> => undefined;

/** Every customer who has to authenticate on a page of the provider does so and pays. */
async function authenticate(host: TestHost, crashed: readonly CrashedWork[]): Promise<void> {
  for (const { made } of crashed) {
    const { payment_id } = await lastInvoiceOf(host, made);
    const { status } = await read(host, payment_id);
    if (status === 'requires_action') await complete(host, payment_id, 'succeeded');
  }
}

type Case = Work & {
  /** Settings of the shop before the work. */
  readonly setUp?: (host: TestHost) => Promise<unknown>;
  /** Actions after the work. */
  readonly meanwhile?: (host: TestHost, struck: readonly CrashedWork[]) => Promise<unknown>;
  /** The longest time until everything is done. */
  readonly within: string;
  /** The minimum number of crash points. */
  readonly states: number;
  readonly subscription: string;
  readonly invoices: readonly (readonly [status: string, attempts: number])[];
  readonly payments: readonly string[];
  /** Further expected events. */
  readonly told: Body;
  /** The outcome without a crash, and after most crashes. */
  readonly usual?: (billed: BilledSubscription) => boolean;
};

const CASES: Readonly<Record<string, Case>> = {
  'a first charge': {
    make: starting,
    dueAt: async (_, { start_at }) => start_at,
    within: '1d',
    states: 4,
    subscription: 'active',
    invoices: [['paid', 1]],
    payments: ['succeeded'],
    told: {},
  },
  'a renewal': {
    make: starting,
    prepare: asItIs,
    dueAt: renewal,
    within: '1d',
    states: 4,
    subscription: 'active',
    invoices: [
      ['paid', 1],
      ['paid', 1],
    ],
    payments: ['succeeded', 'succeeded'],
    told: {},
  },
  'a renewal that the first connection declines and the second approves': {
    setUp: (host) => aConnection(host, { key: host.info.keys.service }, { id: 'second' }),
    make: starting,
    prepare: (host, subscription) => decline(host, subscription, 1, 'card_declined'),
    dueAt: renewal,
    within: '2d',
    states: 7,
    subscription: 'active',
    // After a crash before the response the timer finds the decline, without failover: the next attempt succeeds.
    invoices: [
      ['paid', 1],
      ['paid', expect.any(Number)],
    ],
    payments: ['succeeded', 'succeeded'],
    told: {},
    usual: ({ payments, eventCounts: told }) =>
      payments[1].attempts.map(statusOf).join() === 'failed,succeeded' && told['payment.failed'] === undefined,
  },
  'a renewal that requires the customer': {
    make: starting,
    prepare: (host, subscription) =>
      changeSubscription(host, subscription, { payment_method: savedCardOf(subscription.customer_id, 'needs_3ds') }),
    dueAt: renewal,
    meanwhile: async (host, struck) => {
      await authenticate(host, struck);
      await advance(host, '25h');
      await authenticate(host, struck);
    },
    within: '1d',
    states: 5,
    subscription: 'active',
    // Whoever sees that authentication is required asks the customer.
    invoices: [
      ['paid', 1],
      ['paid', 1],
    ],
    payments: ['succeeded', 'succeeded'],
    told: { 'subscription.updated': 1 },
    usual: ({ payments }) => payments[1].attempts.map(statusOf).join() === 'failed,succeeded',
  },
  'a cancel at the end of the period': {
    make: starting,
    prepare: (host, subscription) => moveSubscription(host, subscription, 'cancel', { at_period_end: true }),
    dueAt: renewal,
    within: '40d',
    states: 2,
    subscription: 'canceled',
    invoices: [['paid', 1]],
    payments: ['succeeded'],
    told: { 'subscription.updated': 1 },
  },
  'a retry that succeeds': {
    make: (host, start_at) => aDebt(host, { start_at }),
    prepare: asItIs,
    dueAt: nextTry,
    within: '1d',
    states: 5,
    subscription: 'active',
    invoices: [['paid', 2]],
    payments: ['succeeded'],
    told: { 'payment.failed': 1 },
  },
  'a retry that is declined, with more to come': {
    make: (host, start_at) => aDebt(host, { start_at }, 2),
    prepare: asItIs,
    dueAt: nextTry,
    within: '4d',
    states: 6,
    subscription: 'active',
    invoices: [['paid', 3]],
    payments: ['succeeded'],
    told: { 'payment.failed': 2 },
  },
  'the last attempt': {
    setUp: (host) => host.call('POST', '/v1/policies/retry', { plan_id: 'once', delays: ['6h'], max_retries: 1 }),
    make: (host, start_at) => aDebt(host, { start_at, plan_id: 'once' }, 2),
    prepare: asItIs,
    dueAt: nextTry,
    within: '40d',
    states: 7,
    subscription: 'paused',
    invoices: [['failed', 2]],
    payments: ['failed'],
    told: { 'payment.failed': 2, 'invoice.failed': 1, 'subscription.paused': 1 },
  },
  'a retry with another payment': {
    make: (host, start_at) => subscribe(host, { ...aBuyer('needs_3ds'), start_at }),
    prepare: async (host, subscription) => {
      await act(host, (await lastInvoiceOf(host, subscription)).payment_id, 'cancel');
      await changeSubscription(host, subscription, { payment_method: savedCardOf(subscription.customer_id) });
    },
    dueAt: nextTry,
    within: '1d',
    states: 4,
    subscription: 'active',
    invoices: [['paid', 2]],
    payments: ['canceled', 'succeeded'],
    told: { 'payment.canceled': 1, 'subscription.updated': 1 },
  },
};

const outcome = ({ status, attempts }: Body) => [status, attempts];

describe.concurrent('a worker that crashes at any point of', () => {
  it.each(Object.entries(CASES))(
    '%s takes effect once',
    async (_, { setUp, meanwhile, within, states, ...expected }) => {
      const host = await startHostWithWebhooks();
      try {
        await setUp?.(host);
        const struck = await crashAtEachCall(host, expected);
        crashes += struck.length;
        expect(struck.length).toBeGreaterThanOrEqual(states);
        await meanwhile?.(host, struck);
        await advance(host, within);
        await verifyNothingLeft(host);
        const books = await ledgerOf(host);
        let usual = 0;
        for (const { made, where } of struck) {
          const billed = await verifyLedger(host, made, books, where);
          const { subscription, invoices, payments, eventCounts: told } = billed;
          if (expected.usual?.(billed) ?? true) usual += 1;
          expect([subscription.status, invoices.map(outcome), payments.map(statusOf)], where).toEqual([
            expected.subscription,
            expected.invoices,
            expected.payments,
          ]);
          expect(told, where).toMatchObject(expected.told);
          if (subscription.status === 'paused') expect(invoices.at(-1).updated_at, where).toBe(subscription.updated_at);
        }
        expect(usual).toBeGreaterThan(struck.length / 2);
      } finally {
        await host.close();
      }
    },
    600_000,
  );
});
