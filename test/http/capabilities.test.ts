import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  aShop,
  drain,
  moneyOf,
  operationsOf,
  pay,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

/** A shop whose one connection gets these capabilities after the payment was made. */
async function shopWith(capabilities: Body) {
  const shop = await aShop(host, { conn_a: {} });
  const how = { key: shop.key };
  const limit = async () =>
    expect((await host.call('POST', '/v1/connections', { id: 'conn_a', capabilities }, how)).status).toBe(201);
  return { how, limit };
}
const names = (capability: string) => ({
  status: 409,
  body: { error: 'conflict', message: expect.stringMatching(`conn_a .*capabilities\\.${capability}`) },
});

describe('a connection without refunds', () => {
  it('refuses them with its id, and its provider is not called', async () => {
    const { how, limit } = await shopWith({ refunds: false });
    const { id } = await pay(host, 'ok', {}, how);
    await limit();
    expect(await act(host, id, 'refund', undefined, how)).toMatchObject(names('refunds'));
    expect([(await moneyOf(host, id)).refunded, (await read(host, id, how)).refunds]).toEqual([0, []]);
  });

  it('completes a refund that was requested before and crashed', async () => {
    const { how, limit } = await shopWith({ refunds: false });
    const { id } = await pay(host, 'ok', {}, how);
    const again = { ...how, idempotencyKey: 'before' };
    await host.control('POST', '/faults', {
      point: 'psp',
      nth: 1,
      kind: 'crash',
      when: 'before',
      handler: 'payment-actions',
    });
    expect((await act(host, id, 'refund', { amount: 100 }, again)).status).toBe(503);
    await limit();
    await advance(host, '36s');
    expect((await act(host, id, 'refund', { amount: 100 }, again)).body).toMatchObject({
      amount_refunded: 100,
      refunds: [{ status: 'succeeded' }],
    });
    expect((await moneyOf(host, id)).refunded).toBe(100);
  });
});

describe('a connection with full refunds only', () => {
  it('refuses a partial refund, and accepts a full one', async () => {
    const { how, limit } = await shopWith({ partial_refunds: false });
    const { id, amount } = await pay(host, 'ok', {}, how);
    await limit();
    expect(await act(host, id, 'refund', { amount: amount - 1 }, how)).toMatchObject(names('partial_refunds'));
    expect((await act(host, id, 'refund', undefined, how)).body).toMatchObject({
      status: 'refunded',
      amount_refunded: amount,
    });
  });

  it('refuses the rest of a payment that was partly refunded before', async () => {
    const { how, limit } = await shopWith({ partial_refunds: false });
    const { id } = await pay(host, 'ok', {}, how);
    expect((await act(host, id, 'refund', { amount: 100 }, how)).status).toBe(200);
    await limit();
    expect(await act(host, id, 'refund', undefined, how)).toMatchObject(names('partial_refunds'));
  });
});

describe('a connection without cancels', () => {
  it('refuses a cancel with its id; the provider is queried for the status only', async () => {
    const { how, limit } = await shopWith({ cancel: false });
    const { id } = await payOnPage(host, {}, how);
    await limit();
    expect(await act(host, id, 'cancel', undefined, how)).toMatchObject(names('cancel'));
    expect([(await read(host, id, how)).status, (await operationsOf(host, id)).includes('cancel')]).toEqual([
      'requires_action',
      false,
    ]);
  });

  it('still accepts the money of a payment whose cancel it refused', async () => {
    const { how, limit } = await shopWith({ cancel: false });
    const { id } = await payOnPage(host, {}, how);
    await limit();
    await act(host, id, 'cancel', undefined, how);
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
    await drain(host);
    expect(await read(host, id, how)).toMatchObject({ status: 'succeeded', refunds: [] });
  });

  it('still allows a cancel of a payment that no provider knows', async () => {
    const { how, limit } = await shopWith({ cancel: false });
    const { id } = (await host.call('POST', '/v1/payments/intents', { amount: 100, currency: 'EUR' }, how)).body;
    await limit();
    expect((await act(host, id, 'cancel', undefined, how)).body.status).toBe('canceled');
  });
});

describe('a list of capabilities', () => {
  it('lists nothing twice', async () => {
    const { key } = await aShop(host, { conn_a: {} });
    const capabilities = { methods: ['card', 'card'], currencies: ['EUR', 'eur', 'usd'], countries: ['DE', 'de'] };
    const { body } = await host.call(
      'POST',
      '/v1/connections',
      { id: 'conn_a', capabilities, routing_hints: { country_preference: ['fr', 'FR'] } },
      { key },
    );
    expect(body.capabilities).toMatchObject({ methods: ['card'], currencies: ['EUR', 'USD'], countries: ['DE'] });
    expect(body.routing_hints.country_preference).toEqual(['FR']);
  });
});
