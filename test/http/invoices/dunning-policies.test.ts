import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aDebtor,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  millisecondsBetween,
  savePolicy,
  throughAllRetries,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { changeSubscription } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aShop } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Runs all attempts, and returns the wait after each failure. */
async function waits(debtor: Debtor): Promise<number[]> {
  const found: number[] = [];
  for (;;) {
    const [{ updated_at, next_retry_at }, { attempts }] = [await debtor.invoice(), await debtor.payment()];
    expect(attempts).toHaveLength(found.length + 1);
    if (next_retry_at === null) return found;
    found.push(millisecondsBetween(updated_at, next_retry_at));
    await toNextRetry(host, debtor);
    // Made when it was due, and failed at that moment, because the clock stood still meanwhile.
    expect((await debtor.payment()).attempts.at(-1).started_at).toBe(next_retry_at);
    expect((await debtor.invoice()).updated_at).toBe(next_retry_at);
  }
}

const TABLE: readonly (readonly [string, readonly Body[], readonly number[]])[] = [
  ['the usual one where nobody has saved any', [], [24 * HOUR, 72 * HOUR, 120 * HOUR]],
  ["the organization's", [{ delays: ['15m', '2h'], max_retries: 2 }], [15 * MINUTE, 2 * HOUR]],
  [
    "the plan's before the organization's",
    [{ delays: ['15m'] }, { plan_id: 'basic', delays: ['1h', '3d'], max_retries: 2 }],
    [HOUR, 72 * HOUR],
  ],
  [
    "the organization's where only another plan has one",
    [
      { delays: ['1m'], max_retries: 1 },
      { plan_id: 'gold', delays: ['2h'] },
    ],
    [MINUTE],
  ],
  [
    'the usual one where only another plan has one',
    [{ plan_id: 'gold', delays: ['2h'] }],
    [24 * HOUR, 72 * HOUR, 120 * HOUR],
  ],
  [
    'one whose last delay repeats',
    [{ delays: ['30m', '30d'], max_retries: 5 }],
    [30 * MINUTE, ...Array(4).fill(720 * HOUR)],
  ],
  ['one with more delays than retries', [{ delays: ['1h', '2h', '3h'], max_retries: 1 }], [HOUR]],
  ['one of no retries', [{ max_retries: 0 }], []],
  ['one of no delays', [{ delays: [], max_retries: 3 }], []],
  ["a plan's of no retries before the organization's", [{ delays: ['1h'] }, { plan_id: 'basic', max_retries: 0 }], []],
];

describe('the retry policy of an invoice', () => {
  it.each(TABLE)('is %s', async (_, policies, delays) => {
    const shop = await aShop(host, { a: {} });
    for (const policy of policies) expect((await savePolicy(host, shop, policy)).status).toBe(200);
    const debtor = await aDebtor(host, undefined, { interval: 'yearly' }, shop);
    expect(await waits(debtor)).toEqual(delays);
    const tries = delays.length + 1;
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: tries, next_retry_at: null });
    expect([(await debtor.subscription()).status, await debtor.taken()]).toEqual(['paused', [[0, 0]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': tries,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });

  it('counts delays from the moment at which the attempt failed', async () => {
    const debtor = await aDebtor(host);
    const [{ updated_at, next_retry_at }, payment] = [await debtor.invoice(), await debtor.payment()];
    expect(millisecondsBetween(updated_at, next_retry_at)).toBe(24 * HOUR);
    expect(payment.updated_at >= payment.attempts[0].started_at && updated_at >= payment.updated_at).toBe(true);
    expect(millisecondsBetween(payment.updated_at, updated_at)).toBeLessThan(5_000);
  });

  it('starts again with the next invoice', async () => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, { delays: ['1h', '2h'], max_retries: 2 });
    const debtor = await aDebtor(host, undefined, {}, shop);
    await toNextRetry(host, debtor);
    await changeSubscription(host, debtor, { payment_method: { type: 'card', tokens: { stripe: 'ok' } } }, debtor.how);
    await toNextRetry(host, debtor);
    expect((await debtor.invoice()).status).toBe('paid');
    await changeSubscription(
      host,
      debtor,
      { payment_method: { type: 'card', tokens: { stripe: 'decline_do_not_honor' } } },
      debtor.how,
    );
    await host.control('POST', '/clock', { set: (await debtor.subscription()).next_renewal_at });
    expect((await debtor.invoice()).status).toBe('open');
    expect(await waits(debtor)).toEqual([HOUR, 2 * HOUR]);
  });
});

describe('a retry policy that is changed between two attempts', () => {
  it('keeps the planned retry, and applies from the next failure on', async () => {
    const debtor = await aDebtor(host);
    const { next_retry_at } = await debtor.invoice();
    await savePolicy(host, debtor.shop, { delays: ['1h', '2h', '5h'], max_retries: 3 });
    expect((await debtor.invoice()).next_retry_at).toBe(next_retry_at);
    await toNextRetry(host, debtor);
    const second = await debtor.invoice();
    expect([second.updated_at, millisecondsBetween(second.updated_at, second.next_retry_at)]).toEqual([
      next_retry_at,
      2 * HOUR,
    ]);
    await savePolicy(host, debtor.shop, { plan_id: 'basic', delays: ['10m'], max_retries: 3 });
    await toNextRetry(host, debtor);
    const third = await debtor.invoice();
    expect([third.updated_at, millisecondsBetween(third.updated_at, third.next_retry_at)]).toEqual([
      second.next_retry_at,
      10 * MINUTE,
    ]);
  });

  it('makes the next failure the last one if it leaves no retries', async () => {
    const debtor = await aDebtor(host);
    await savePolicy(host, debtor.shop, { max_retries: 1 });
    expect((await debtor.invoice()).status).toBe('open');
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 2, next_retry_at: null });
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 2,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });

  it('does not revive a failed invoice', async () => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, { max_retries: 0 });
    const debtor = await aDebtor(host, undefined, {}, shop);
    await savePolicy(host, shop, { max_retries: 9 });
    await host.control('POST', '/clock', { advance: '20d' });
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 1, next_retry_at: null });
  });

  it('does not affect an invoice that was created for another plan', async () => {
    const debtor = await aDebtor(host);
    await savePolicy(host, debtor.shop, { plan_id: 'gold', delays: ['1m'], max_retries: 10 });
    await changeSubscription(host, debtor, { plan_id: 'gold' }, debtor.how);
    await throughAllRetries(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', plan_id: 'basic', attempts: 4 });
  });
});
