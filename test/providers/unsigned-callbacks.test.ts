import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Traits } from '#test/providers/journeys.ts';
import { type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { callsAbout, drain } from '#test/support/payment-steps.ts';

/**
 * Anybody can send a callback that nobody signs, and each leads to a call with the merchant's key. The callback address
 * of a charge has a token that only its provider gets.
 */

const traits = { declines: [], cancel: 'refused', neverArrived: 'failed', noDecimals: 'JPY' } as const;
const MOLLIE: Traits = { ...traits, provider: 'mollie', currency: 'EUR' };
const FLUTTERWAVE: Traits = { ...traits, provider: 'flutterwave', currency: 'NGN' };

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ rateLimits: true, demoProviders: [] });
});
afterAll(() => host?.close());

/** The calls that these callbacks lead to. */
async function callsBy({ id }: Body, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await callsAbout(host, id)).length;
  await work();
  return (await callsAbout(host, id)).slice(before).map(({ operation }) => operation);
}

const wait = (by: string) => host.control('POST', '/clock', { advance: by });

describe('a form callback of Mollie', () => {
  let shop: OwnShop;
  let payment: Body;
  let query: URLSearchParams;
  beforeAll(async () => {
    shop = await openShop(host, MOLLIE);
  });

  /** A payment on Mollie's page, and the query of its callback address. */
  async function aPayment(): Promise<void> {
    const { id, next_action } = await shop.pay(null);
    payment = (await host.call('GET', `/v1/payments/${id}`, undefined, { key: shop.key })).body;
    payment.page = next_action.url;
    const headers = { authorization: `Bearer ${shop.credentials.api_key}` };
    const charge = await fetch(`${host.info.simulators}/mollie/v2/payments/${payment.psp_reference}`, { headers });
    query = new URL(((await charge.json()) as { webhookUrl: string }).webhookUrl).searchParams;
    await wait('11s');
  }

  async function post(changed: Readonly<Record<string, string | null>> = {}, id = payment.psp_reference) {
    const sent = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changed))
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    const address = `${host.info.function_url}/webhooks/mollie?${sent}`;
    return fetch(address, { method: 'POST', body: new URLSearchParams({ id }) });
  }

  it.each<[string, string | null]>([
    ['without the token of the callback address', null],
    ['with a wrong token', 'AAAAAAAAAAAAAAAAAAAAAA'],
  ])('%s leads to one call in ten seconds, however often it is sent', async (_, t) => {
    await aPayment();
    const replies: Response[] = [];
    const calls = await callsBy(payment, async () => {
      for (let n = 0; n < 20; n += 1) replies.push(await post({ t }));
      replies.push(...(await Promise.all(Array.from({ length: 20 }, () => post({ t }, `tr_${'x'.repeat(10)}`)))));
    });
    expect(calls).toEqual(['fetch']);
    expect(replies.map(({ status }) => status)).toEqual([200, ...Array(39).fill(429)]);
    expect(Number(replies[1]?.headers.get('retry-after'))).toBeGreaterThan(0);
    await wait('11s');
    expect((await post({ t })).status).toBe(200);
  });

  it('with the token is looked up each time, by one call, though others are limited', async () => {
    await aPayment();
    await post({ t: null });
    const calls = await callsBy(payment, async () => {
      for (let n = 0; n < 5; n += 1) expect((await post()).status).toBe(200);
    });
    expect(calls).toEqual(Array(5).fill('fetch'));
  });

  it('about a paid and refunded charge takes one call, and reports its refunds', async () => {
    await aPayment();
    await press(payment.page, 'pay');
    await shop.later(payment);
    const headers = { authorization: `Bearer ${shop.credentials.api_key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ amount: { value: '1.00', currency: 'EUR' }, description: 'By hand' });
    const url = `${host.info.simulators}/mollie/v2/payments/${payment.psp_reference}/refunds`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201);
    expect(await callsBy(payment, async () => expect((await post()).status).toBe(200))).toEqual(['fetch']);
    const { refunds } = await shop.later(payment);
    expect(refunds).toMatchObject([{ amount: 100 }]);
  });

  it('to an address that the merchant set by hand goes on working', async () => {
    expect((await shop.arrange('approve', { webhook: 'none' })).status).toBe(200);
    await aPayment();
    await press(payment.page, 'pay');
    await drain(host);
    await host.control('DELETE', '/psp/scenario');
    expect((await host.call('GET', `/v1/payments/${payment.id}`, undefined, { key: shop.key })).body.status).toBe(
      'requires_action',
    );
    expect((await post({ t: null })).status).toBe(200);
    expect((await shop.later(payment)).status).toBe('succeeded');
  });

  it('with the token of another payment counts as one without', async () => {
    await aPayment();
    const other = query.get('t');
    await aPayment();
    expect(query.get('t')).not.toBe(other);
    const statuses = [(await post({ t: other })).status, (await post({ t: other })).status, (await post()).status];
    expect(statuses).toEqual([200, 429, 200]);
  });
});

describe('a callback of Flutterwave that proves its sender alone', () => {
  it('is looked up once in ten seconds, and other events of the payment at once', async () => {
    const shop = await openShop(host, FLUTTERWAVE);
    const { id: payment_id, ...payment } = await shop.pay(null);
    const [{ id: tx_ref }] = payment.attempts;
    const meta_data = { org_id: shop.org_id, connection_id: shop.connection_id, payment_id };
    const tell = (id: number, hash = shop.credentials.webhook_secret) =>
      shop.tell(JSON.stringify({ event: 'charge.completed', data: { id, tx_ref, status: 'failed' }, meta_data }), {
        'verif-hash': hash,
      });
    expect(await tell(1, 'a wrong secret hash')).toBe(401);
    const first = await tell(1);
    expect(first).not.toBe(429);
    expect(await callsBy({ id: payment_id }, async () => expect(await tell(1)).toBe(429))).toEqual([]);
    expect(await tell(2)).toBe(first);
    await wait('11s');
    expect(await tell(1)).toBe(first);
  });
});
