import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import {
  type CrashPoint,
  crashPointsOf,
  describePoint,
  retryUntilDone,
  runScheduledWork,
  strike,
} from '#test/faults/crash-sweep.support.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { eventTypesOf } from '#test/support/payment-steps.ts';

/** Processes that die while money is captured or given back: nothing is taken twice, and nothing stays held. */
let host: TestHost;
let crashes = 0;
const shops = new Map<Provider, string>();
beforeAll(async () => {
  host = await startHost({ demoProviders: [], hangUpAfterMs: HANG_UP_AFTER_MS });
  for (const provider of ['stripe', 'mollie', 'razorpay'] as const) {
    const org = await anOrganization(host);
    await aConnection(host, org, { id: 'main', provider });
    shops.set(provider, org.key);
  }
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(async () => {
  console.log(`crash sweep of captures: ${crashes} crash points`);
  await host?.close();
});

const AMOUNT = 5_000;

const callAs = (provider: Provider, method: string, path: string, body?: Body, idempotencyKey: string = randomUUID()) =>
  host.call(method, path, body, { key: shops.get(provider) ?? '', ...(method === 'POST' && { idempotencyKey }) });

const created = (provider: Provider, more: Body = {}, idempotencyKey: string = randomUUID()): Promise<ApiResponse> => {
  // Razorpay wants the customer's number and address beside a token.
  const payment_method = { type: 'card', token: 'ok', phone: '+919900000000' };
  const customer_email = 'kim@example.com';
  const body = { amount: AMOUNT, currency: 'EUR', capture: 'manual', customer_email, payment_method, ...more };
  return callAs(provider, 'POST', '/v1/payments', body, idempotencyKey);
};

const held = async (provider: Provider): Promise<Body> => {
  const { body } = await created(provider);
  expect(body.status).toBe('authorized');
  await host.control('POST', '/drain');
  return body;
};

const read = async (provider: Provider, id: string): Promise<Body> =>
  (await callAs(provider, 'GET', `/v1/payments/${id}`)).body;

const capture = (provider: Provider, id: string, body: Body, key: string = randomUUID()): Promise<ApiResponse> =>
  callAs(provider, 'POST', `/v1/payments/${id}/capture`, body, key);

const cancel = (provider: Provider, id: string, key: string = randomUUID()): Promise<ApiResponse> =>
  callAs(provider, 'POST', `/v1/payments/${id}/cancel`, undefined, key);

type Books = { readonly held: number; readonly taken: number; readonly released: number };

const booksOf = (id: string): Books => {
  const { authorized = 0, captured = 0, released = 0 } = host.simulators.calls({ payment_id: id }).holds?.[id] ?? {};
  return { held: authorized - captured - released, taken: captured, released };
};

/** The provider repeats a callback that was not answered after a quarter of a second, and then after one second. */
async function settled(provider: Provider, id: string, isSettled: (payment: Body) => boolean): Promise<Body> {
  for (let n = 0; n < 8 && !isSettled(await read(provider, id)); n += 1) {
    await host.control('POST', '/drain');
    await pause(200);
  }
  await runScheduledWork(host);
  return read(provider, id);
}

type Case = {
  readonly provider: Provider;
  /** The function that dies. */
  readonly group: string;
  readonly prepare: () => Promise<Body>;
  readonly work: (payment: Body, key: string) => Promise<unknown>;
  /** The client repeats the request. */
  readonly repeats?: true;
  readonly status: string;
  readonly books: Books;
  readonly told: readonly string[];
};

const WHOLE = { status: 'succeeded', books: { held: 0, taken: AMOUNT, released: 0 } };
const PART = { status: 'succeeded', books: { held: 0, taken: 2_000, released: 3_000 } };
const OPEN = { status: 'authorized', books: { held: 3_000, taken: 2_000, released: 0 } };
const GIVEN_BACK = { status: 'canceled', books: { held: 0, taken: 0, released: AMOUNT } };

const CAPTURED = ['authorized', 'captured', 'created', 'succeeded'];
const CANCELED = ['authorized', 'canceled', 'created'];

const byRequest = (provider: Provider, body: Body) => ({
  provider,
  group: 'payment-actions',
  prepare: () => held(provider),
  work: ({ id }: Body, key: string) => capture(provider, id, body, key),
  repeats: true as const,
});

const byCallback = (provider: Provider, work: (id: string) => number | undefined) => ({
  provider,
  group: 'psp-webhooks',
  prepare: () => held(provider),
  work: async ({ id }: Body) => {
    expect(work(id)).toBeLessThan(300);
    await host.control('POST', '/drain');
  },
});

/** A capture that did not reach the provider. */
const unsent = async (): Promise<Body> => {
  const payment = await held('stripe');
  const behaviour = { provider: 'stripe', behaviour: 'refuse_connection', match: { operation: 'capture' } };
  await host.control('POST', '/psp/scenario', behaviour);
  await capture('stripe', payment.id, { amount: 2_000 });
  return payment;
};

/** The bank has not decided about a final capture of a part yet. */
const undecided = async (): Promise<Body> => {
  const payment = await held('mollie');
  const behaviour = { provider: 'mollie', behaviour: 'pending', match: { operation: 'capture' } };
  await host.control('POST', '/psp/scenario', behaviour);
  const { body } = await capture('mollie', payment.id, { amount: 2_000 });
  expect(body.captures).toMatchObject([{ status: 'pending' }]);
  await host.control('POST', '/drain');
  return body;
};

const dashboard = (provider: Provider) => ({
  capture: (id: string) => host.simulators.captureInDashboard(provider, id, 2_000, false),
  void: (id: string) => host.simulators.voidInDashboard(provider, id),
});

const CASES: Readonly<Record<string, Case>> = {
  'capturing the whole amount': { ...byRequest('stripe', {}), ...WHOLE, told: CAPTURED },
  'capturing a part and releasing the rest': { ...byRequest('stripe', { amount: 2_000 }), ...PART, told: CAPTURED },
  'capturing a part by one call and releasing the rest by another': {
    ...byRequest('mollie', { amount: 2_000 }),
    ...PART,
    told: CAPTURED,
  },
  'capturing where the provider has no key for it': { ...byRequest('razorpay', {}), ...WHOLE, told: CAPTURED },
  'capturing a part of several': {
    ...byRequest('stripe', { amount: 2_000, final: false }),
    ...OPEN,
    told: ['authorized', 'captured', 'created'],
  },
  'canceling an authorized payment': {
    ...byRequest('stripe', {}),
    work: ({ id }, key) => cancel('stripe', id, key),
    ...GIVEN_BACK,
    told: CANCELED,
  },
  'canceling where the provider answers later': {
    ...byRequest('mollie', {}),
    work: ({ id }, key) => cancel('mollie', id, key),
    ...GIVEN_BACK,
    told: CANCELED,
  },
  'hearing of a capture in the dashboard': {
    ...byCallback('mollie', (id) => dashboard('mollie').capture(id)),
    ...OPEN,
    told: ['authorized', 'captured', 'created'],
  },
  'hearing of a final capture that the bank decides later': {
    provider: 'mollie',
    group: 'psp-webhooks',
    prepare: undecided,
    work: async ({ captures }) => {
      const { psp_reference: reference } = captures[0];
      await host.control('POST', '/psp/complete', { provider: 'mollie', reference, outcome: 'succeeded' });
      await host.control('POST', '/drain');
    },
    ...PART,
    told: CAPTURED,
  },
  'hearing of a void in the dashboard': {
    ...byCallback('stripe', (id) => dashboard('stripe').void(id)),
    ...GIVEN_BACK,
    told: CANCELED,
  },
  'sending a capture that did not reach the provider': {
    provider: 'stripe',
    group: 'timers',
    prepare: unsent,
    work: () => host.control('POST', '/clock', { advance: '61s' }),
    ...PART,
    told: CAPTURED,
  },
};

describe.each(Object.keys(CASES))('a crash at any point of %s', (name) => {
  const { provider, group, prepare, work, repeats, ...end } = CASES[name]!;

  async function struck(point: CrashPoint): Promise<void> {
    const [payment, key, where] = [await prepare(), randomUUID(), describePoint(point)];
    if (await strike(host, point, group, () => work(payment, key))) crashes += 1;
    if (repeats) {
      const again = await retryUntilDone(host, () => work(payment, key) as Promise<ApiResponse>);
      expect([again.status, again.body.code], where).toEqual([200, undefined]);
    }
    const seen = await settled(provider, payment.id, ({ status }) => status === end.status);
    const told = await eventTypesOf(host, payment.id, { key: shops.get(provider) ?? '' });
    expect([seen.status, booksOf(payment.id), told.toSorted()], where).toEqual([end.status, end.books, end.told]);
    expect([seen.captured_amount, seen.review], where).toEqual([end.books.taken, null]);
  }

  it('takes the money once, and tells it once', async () => {
    const probe = await prepare();
    const points = await crashPointsOf(host, group, () => work(probe, randomUUID()));
    expect(points.length).toBeGreaterThanOrEqual(3);
    for (const point of points) await struck(point);
  }, 300_000);
});

describe('a crash at any point of creating a payment that is captured later', () => {
  it('holds the money once, and takes none', async () => {
    const points = await crashPointsOf(host, 'payments', () => created('stripe'));
    expect(points.length).toBeGreaterThanOrEqual(4);
    for (const point of points) {
      const [key, where] = [randomUUID(), describePoint(point)];
      if (await strike(host, point, 'payments', () => created('stripe', {}, key))) crashes += 1;
      const { body } = await retryUntilDone(host, () => created('stripe', {}, key));
      const seen = await settled('stripe', body.id, ({ status }) => status === 'authorized');
      expect([seen.status, booksOf(body.id)], where).toEqual(['authorized', { held: AMOUNT, taken: 0, released: 0 }]);
      expect(host.simulators.calls({ payment_id: body.id }).holds?.[body.id]?.count, where).toBe(1);
    }
  }, 300_000);
});
