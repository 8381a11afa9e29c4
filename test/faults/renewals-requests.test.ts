import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import {
  aBuyer,
  aDebt,
  type BilledSubscription,
  decline,
  lastInvoiceOf,
  ledgerOf,
  savedCardOf,
  startHostWithWebhooks,
  verifyLedger,
  verifyNothingLeft,
} from '#test/faults/renewals.support.ts';
import { aSubscriptionBody, changeSubscription, endSubscriptions, subscribe } from '#test/support/billing.ts';
import type { ApiResponse, Body, CallOptions, TestHost } from '#test/support/host.ts';
import { advance } from '#test/support/payment-steps.ts';

/**
 * A process that crashes at any point of a request about subscriptions and invoices: a repeat of the request gets a
 * response, and everything takes effect once.
 */
let host: TestHost;
let crashes = 0;
beforeAll(async () => {
  host = await startHostWithWebhooks();
});
afterAll(async () => {
  console.log(`requests about renewals: ${crashes} crash points`);
  await host?.close();
});

type Case = {
  readonly group: 'subscriptions' | 'invoices';
  readonly make: () => Promise<Body>;
  readonly ask: (about: Body, how: CallOptions) => Promise<ApiResponse>;
  /** The subscription of the request, as the response has it or as it was created. */
  readonly of?: (about: Body, answer: ApiResponse) => Body;
  readonly status: number;
  readonly answered: Body;
  readonly subscription: string;
  readonly invoices: readonly string[];
  /** All events except those of the first charge. */
  readonly told: Body;
};

const debt = (more: Body = {}): Promise<Body> => aDebt(host, more);
const paused = async (): Promise<Body> => {
  const subscription = await subscribe(host, aBuyer());
  await changeSubscription(host, subscription, { status: 'paused' });
  return subscription;
};
const send = (move: string, { id }: Body, body: Body, how: CallOptions) =>
  host.call('POST', `/v1/subscriptions/${id}/${move}`, body, how);
const sendInvoice =
  (move: string) =>
  ({ invoice_id }: Body, how: CallOptions): Promise<ApiResponse> =>
    host.call('POST', `/v1/invoices/${invoice_id}/${move}`, undefined, how);
const withInvoice = async (subscription: Body): Promise<Body> => ({
  ...subscription,
  invoice_id: (await lastInvoiceOf(host, subscription)).id,
});

const CHARGED = {
  'subscription.created': 1,
  'invoice.created': 1,
  'invoice.paid': 1,
  'payment.created': 1,
  'payment.succeeded': 1,
};
const OWED = { 'subscription.created': 1, 'invoice.created': 1, 'payment.created': 1, 'payment.failed': 1 };

const CASES: Readonly<Record<string, Case>> = {
  'creating a subscription': {
    group: 'subscriptions',
    make: async () => aBuyer(),
    ask: (buyer, how) => host.call('POST', '/v1/subscriptions', aSubscriptionBody(buyer), how),
    of: (_, { body }) => body,
    status: 201,
    answered: { status: 'active' },
    subscription: 'active',
    invoices: ['paid'],
    told: CHARGED,
  },
  'pausing it, and changing it in the same request': {
    group: 'subscriptions',
    make: () => subscribe(host, aBuyer()),
    ask: (subscription, how) => changeSubscription(host, subscription, { status: 'paused', amount: 2_990 }, how),
    status: 200,
    answered: { status: 'paused', amount: 2_990 },
    subscription: 'paused',
    invoices: ['paid'],
    told: { ...CHARGED, 'subscription.updated': 1, 'subscription.paused': 1 },
  },
  'giving it another payment method': {
    group: 'subscriptions',
    make: () => subscribe(host, aBuyer()),
    ask: (subscription, how) =>
      changeSubscription(
        host,
        subscription,
        { payment_method: savedCardOf(subscription.customer_id, 'pm_card_mastercard') },
        how,
      ),
    status: 200,
    answered: { status: 'active' },
    subscription: 'active',
    invoices: ['paid'],
    told: { ...CHARGED, 'subscription.updated': 1 },
  },
  'canceling it while its invoice waits for the next attempt': {
    group: 'subscriptions',
    make: debt,
    ask: (subscription, how) => send('cancel', subscription, undefined, how),
    status: 200,
    answered: { status: 'canceled' },
    subscription: 'canceled',
    invoices: ['canceled'],
    told: { ...OWED, 'subscription.canceled': 1, 'invoice.canceled': 1 },
  },
  'canceling it while its invoice waits for the customer': {
    group: 'subscriptions',
    make: () => subscribe(host, aBuyer('needs_3ds')),
    ask: (subscription, how) => send('cancel', subscription, undefined, how),
    status: 200,
    answered: { status: 'canceled' },
    subscription: 'canceled',
    invoices: ['canceled'],
    told: {
      'subscription.created': 1,
      'invoice.created': 1,
      'payment.created': 1,
      'payment.canceled': 1,
      'subscription.canceled': 1,
      'invoice.canceled': 1,
    },
  },
  'canceling it at the end of its period': {
    group: 'subscriptions',
    make: () => subscribe(host, aBuyer()),
    ask: (subscription, how) => send('cancel', subscription, { at_period_end: true }, how),
    status: 200,
    answered: { status: 'active', cancel_at_period_end: true },
    subscription: 'active',
    invoices: ['paid'],
    told: { ...CHARGED, 'subscription.updated': 1 },
  },
  'resuming it': {
    group: 'subscriptions',
    make: paused,
    ask: (subscription, how) => send('resume', subscription, undefined, how),
    status: 200,
    answered: { status: 'active' },
    subscription: 'active',
    invoices: ['paid'],
    told: { ...CHARGED, 'subscription.updated': 1, 'subscription.paused': 1, 'subscription.resumed': 1 },
  },
  'a retry that succeeds': {
    group: 'invoices',
    make: async () => withInvoice(await debt()),
    ask: sendInvoice('retry'),
    status: 200,
    answered: { status: 'paid', attempts: 2, next_retry_at: null },
    subscription: 'active',
    invoices: ['paid'],
    told: { ...CHARGED, 'payment.failed': 1 },
  },
  'a retry that is declined': {
    group: 'invoices',
    make: async () => {
      const subscription = await debt();
      await decline(host, subscription);
      return withInvoice(subscription);
    },
    ask: sendInvoice('retry'),
    status: 200,
    answered: { status: 'open', attempts: 2, next_retry_at: expect.any(String) },
    subscription: 'active',
    invoices: ['open'],
    told: { ...OWED, 'payment.failed': 2 },
  },
  'canceling an invoice that waits for the next attempt': {
    group: 'invoices',
    make: async () => withInvoice(await debt()),
    ask: sendInvoice('cancel'),
    status: 200,
    answered: { status: 'canceled', next_retry_at: null },
    subscription: 'active',
    invoices: ['canceled'],
    told: { ...OWED, 'invoice.canceled': 1 },
  },
  'canceling an invoice that waits for the customer': {
    group: 'invoices',
    make: async () => withInvoice(await subscribe(host, aBuyer('needs_3ds'))),
    ask: sendInvoice('cancel'),
    status: 200,
    answered: { status: 'canceled', next_retry_at: null },
    subscription: 'active',
    invoices: ['canceled'],
    told: {
      'subscription.created': 1,
      'invoice.created': 1,
      'payment.created': 1,
      'payment.canceled': 1,
      'invoice.canceled': 1,
    },
  },
};

type Crashed = { readonly about: Body; readonly how: { readonly idempotencyKey: string }; readonly where: string };

/** The process crashes at each point of the request, each time for another subscription. */
async function crash({ group, make, ask }: Case, go: (crashed: Crashed) => Promise<unknown>) {
  const probe = await make();
  const points = await crashPointsOf(host, group, () => ask(probe, {}));
  expect(points.length).toBeGreaterThanOrEqual(4);
  for (const point of points) {
    const [about, how] = [await make(), { idempotencyKey: randomUUID() }];
    const { method: _, ...fault } = point;
    await host.control('POST', '/faults', { ...fault, kind: 'crash', handler: group });
    if (!(await crashesAt(host, () => ask(about, how), describePoint(point)))) continue;
    crashes += 1;
    await go({ about, how, where: describePoint(point) });
  }
}

describe('a crash at any point of', () => {
  it.each(Object.entries(CASES))(
    '%s takes effect once, and its repeat gets a response',
    async (_, expected) => {
      const { ask, of = (about) => about } = expected;
      const crashed: { readonly made: Body; readonly where: string }[] = [];
      await crash(expected, async ({ about, how, where }) => {
        await expireLease(host);
        const answer = await retryUntilDone(host, () => ask(about, how));
        expect([answer.status, answer.body], where).toEqual([
          expected.status,
          expect.objectContaining(expected.answered),
        ]);
        crashed.push({ made: of(about, answer), where });
      });
      await runScheduledWork(host);
      await verifyNothingLeft(host);
      const books = await ledgerOf(host);
      for (const { made, where } of crashed) {
        const {
          subscription,
          invoices,
          eventCounts: told,
        }: BilledSubscription = await verifyLedger(host, made, books, where);
        expect([subscription.status, invoices.map(({ status }) => status), told], where).toEqual([
          expected.subscription,
          expected.invoices,
          expected.told,
        ]);
      }
      await endSubscriptions(host);
    },
    300_000,
  );
});

describe('a crash without a repeated request, at any point of', () => {
  it.each<readonly [string, readonly string[]]>([
    ['creating a subscription', ['active paid']],
    ['canceling it while its invoice waits for the next attempt', ['active paid', 'canceled canceled']],
    // A customer has a day to authenticate; then the retries follow.
    ['canceling it while its invoice waits for the customer', ['active open', 'canceled canceled']],
    ['a retry that succeeds', ['active paid']],
    ['canceling an invoice that waits for the next attempt', ['active paid', 'active canceled']],
    ['canceling an invoice that waits for the customer', ['active open', 'active canceled']],
  ])(
    '%s takes effect once or not at all',
    async (name, ends) => {
      const abandoned: Crashed[] = [];
      await crash(CASES[name]!, async (crashed) => abandoned.push(crashed));
      await runScheduledWork(host);
      await advance(host, '50h');
      await verifyNothingLeft(host);
      const books = await ledgerOf(host);
      const seen = new Set<string>();
      for (const { about, where } of abandoned) {
        const made = (await host.call('GET', `/v1/subscriptions?customer_id=${about.customer_id}`)).body;
        expect(made.length, where).toBeLessThanOrEqual(1);
        for (const each of made) {
          const { subscription, invoices } = await verifyLedger(host, each, books, where);
          seen.add([subscription.status, ...invoices.map(({ status }) => status)].join(' '));
        }
      }
      expect(seen).toEqual(new Set(ends));
      await endSubscriptions(host);
    },
    300_000,
  );
});
