import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type CrashPoint,
  crashesAt,
  crashPointsOf,
  describePoint,
  expireLease,
  retryUntilDone,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import {
  aDebtor,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  SOFT_DECLINE,
  savePolicy,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, aShop } from '#test/support/payment-steps.ts';

/** A process that crashes at any step of an attempt, a retry or a cancel: everything takes effect once in the end. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const PATIENCE = 180_000;
/** The relay sometimes comes in between, so that a run makes one call less than the counted run. */
const MAX_MISSED = 4;

const open = async (): Promise<Debtor> => {
  await arrange(host, 'decline:insufficient_funds');
  return aDebtor(host, 'ok', { interval: 'yearly' });
};

/** With one attempt left, which will be declined. */
const nearlyExhausted = async (): Promise<Debtor> => {
  const shop = await aShop(host, { a: {} });
  await savePolicy(host, shop, { delays: ['1h'], max_retries: 1 });
  return aDebtor(host, SOFT_DECLINE, { interval: 'yearly' }, shop);
};

const crash = ({ point, nth, when }: CrashPoint, handler: string) =>
  host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler });

/** What the API shows of the debt, for one comparison. */
const seen = async (debtor: Debtor) => {
  const { status, attempts, next_retry_at } = await debtor.invoice();
  return [
    status,
    attempts,
    next_retry_at,
    (await debtor.payment()).attempts.length,
    (await debtor.subscription()).status,
    await debtor.taken(),
  ];
};

describe('a worker that crashes at any step', () => {
  it.each([
    [
      'of an attempt that pays',
      open,
      ['paid', 2, null, 2, 'active', [[1, 1_990]]],
      { ...FIRST_CHARGE_EVENTS, 'payment.failed': 1, 'payment.succeeded': 1, 'invoice.paid': 1 },
    ],
    [
      'of the last attempt, which is declined',
      nearlyExhausted,
      ['failed', 2, null, 2, 'paused', [[0, 0]]],
      { ...FIRST_CHARGE_EVENTS, 'payment.failed': 2, 'invoice.failed': 1, 'subscription.paused': 1 },
    ],
  ] as const)(
    '%s',
    async (_, make, end, events) => {
      const probe = await make();
      const points = await crashPointsOf(host, 'renewals', () => toNextRetry(host, probe));
      expect(points.length).toBeGreaterThanOrEqual(4);
      let missed = 0;
      for (const where of points) {
        const debtor = await make();
        await crash(where, 'renewals');
        await toNextRetry(host, debtor);
        missed += host.faults.waiting.length;
        await runScheduledWork(host);
        expect(await seen(debtor), describePoint(where)).toEqual(end);
        expect(await debtor.events(), describePoint(where)).toEqual(events);
      }
      expect(missed).toBeLessThanOrEqual(MAX_MISSED);
    },
    PATIENCE,
  );
});

describe('a request that crashes at any step and is repeated with its idempotency key', () => {
  it.each([
    [
      'retry',
      open,
      ['paid', 2, null, 2, 'active', [[1, 1_990]]],
      { ...FIRST_CHARGE_EVENTS, 'payment.failed': 1, 'payment.succeeded': 1, 'invoice.paid': 1 },
    ],
    [
      'retry',
      nearlyExhausted,
      // The policy's planned attempt comes after it, and is the last one.
      ['failed', 3, null, 3, 'paused', [[0, 0]]],
      { ...FIRST_CHARGE_EVENTS, 'payment.failed': 3, 'invoice.failed': 1, 'subscription.paused': 1 },
    ],
    [
      'cancel',
      open,
      ['canceled', 1, null, 1, 'active', [[0, 0]]],
      { ...FIRST_CHARGE_EVENTS, 'payment.failed': 1, 'invoice.canceled': 1 },
    ],
    [
      'cancel',
      () => aDebtor(host, 'needs_3ds', { interval: 'yearly' }),
      ['canceled', 1, null, 2, 'active', [[0, 0]]],
      { ...FIRST_CHARGE_EVENTS, 'payment.canceled': 1, 'invoice.canceled': 1 },
    ],
  ] as const)(
    'takes effect once: %s',
    async (action, make, end, events) => {
      const points = await crashPointsOf(host, 'invoices', await (await make()).ready(action));
      expect(points.length).toBeGreaterThanOrEqual(4);
      for (const where of points) {
        const [debtor, same] = [await make(), { idempotencyKey: randomUUID() }];
        const send = await debtor.ready(action);
        await crash(where, 'invoices');
        if (!(await crashesAt(host, () => send(same), describePoint(where)))) continue;
        await expireLease(host);
        const { status, body } = await retryUntilDone(host, () => send(same));
        expect([status, body.code], describePoint(where)).toEqual([200, undefined]);
        await advance(host, '2h');
        expect(await seen(debtor), describePoint(where)).toEqual(end);
        expect(await debtor.events(), describePoint(where)).toEqual(events);
      }
    },
    PATIENCE,
  );
});
