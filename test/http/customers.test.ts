import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processErasure } from '#shared/services/payment-methods/erase-customer.service.ts';
import {
  armCrash,
  type CrashPoint,
  crashPointsOf,
  describePoint,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { cancel, invoicesOf, subscribe } from '#test/http/subscriptions/subscriptions.support.ts';
import {
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { act, advance, create, drain, keyWith, pay, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

let number = 0;
/** A reference as merchants have them: also a mail address, with what addresses must encode. */
const aCustomer = (): string => {
  number += 1;
  return `kim+${number}/doe@example.com`;
};
const address = (customer: string): string => `/v1/customers/${encodeURIComponent(customer)}`;
const show = (customer: string, how: CallOptions = {}) => host.call('GET', address(customer), undefined, how);
const erase = (customer: string, how: CallOptions = {}) => host.call('DELETE', address(customer), undefined, how);
const saved = async (customer_id: string): Promise<Body> =>
  (await host.call('POST', '/v1/payment-methods', { customer_id, type: 'card', tokens: { stripe: 'ok' } })).body;
const PERSONAL = {
  customer_email: 'kim@example.com',
  customer_ip: '198.51.100.77',
  description: 'Shoes for Kim Doe',
  metadata: { name: 'Kim Doe' },
};
const payFor = (customer_id: string, more: Body = {}): Promise<Body> =>
  pay(host, 'ok', { customer_id, ...PERSONAL, ...more });
const isForgotten = async (customer: string): Promise<boolean> => (await show(customer)).status === 404;

const NOBODY = { customer_id: null, customer_email: null, customer_ip: null, description: null, metadata: {} };

describe('a customer', () => {
  it('is shown with the number of records that name them', async () => {
    const customer = aCustomer();
    expect((await show(customer)).status).toBe(404);
    const [method] = [await saved(customer), await payFor(customer), await payFor(customer)];
    expect((await show(customer)).body).toEqual({
      customer_id: customer,
      payment_methods: 1,
      default_payment_method_id: method.id,
      payments: 2,
      payment_links: 0,
      invoices: 0,
      subscriptions: 0,
      erasure: null,
    });
  });

  it('is erased: methods at once, then what names them in payments, and nothing else of those', async () => {
    const customer = aCustomer();
    const method = await saved(customer);
    const payment = await payFor(customer);
    await act(host, payment.id, 'refund', { amount: 100, reason: 'Kim asked', metadata: { by: 'Kim' } });
    await drain(host);
    const before = await read(host, payment.id);
    const reply = await erase(customer);
    expect([reply.status, reply.body]).toMatchObject([
      202,
      { payment_methods: 0, erasure: { id: expect.stringMatching(/^era_/) } },
    ]);
    expect((await host.call('GET', `/v1/payment-methods/${method.id}`)).status).toBe(404);
    await advance(host, '1h');
    const { card: _, avs: __, ...attempt } = before.attempts[0];
    expect(await read(host, payment.id)).toEqual({
      ...before,
      ...NOBODY,
      attempts: [attempt],
      refunds: [{ ...before.refunds[0], reason: null, metadata: {} }],
      updated_at: expect.any(String),
    });
    expect(await isForgotten(customer)).toBe(true);
  });

  it('is erased from the stored response of a payment, which a repeat of the request still finds', async () => {
    const [customer, how] = [aCustomer(), { headers: { 'idempotency-key': `erased-${number}` } }];
    const body = aPaymentBody('ok', { customer_id: customer, ...PERSONAL });
    const { id } = (await create(host, body, how)).body;
    await act(host, id, 'refund', { amount: 100 });
    expect((await create(host, body, how)).body).toMatchObject({ customer_id: customer, amount_refunded: 0 });
    await erase(customer);
    await advance(host, '1h');
    expect((await create(host, body, how)).body).toMatchObject({ id, ...NOBODY });
    const [other, again] = [aCustomer(), { headers: { 'idempotency-key': `unchanged-${number}` } }];
    const unchanged = aPaymentBody('ok', { customer_id: other, ...PERSONAL });
    await create(host, unchanged, again);
    await erase(other);
    await advance(host, '1h');
    expect((await create(host, unchanged, again)).body).toMatchObject(NOBODY);
    const untouched = await payFor(aCustomer());
    expect((await host.deps.payments.byId(untouched.id))?.claim?.kept).toBeUndefined();
  });

  it('is erased from closed subscriptions and their invoices, and is refused before they are closed', async () => {
    const customer = aCustomer();
    const subscription = await subscribe(host, { customer_id: customer, customer_email: 'kim@example.com' });
    const [invoice] = await invoicesOf(host, subscription);
    const refused = await erase(customer);
    expect([refused.status, refused.body.code]).toEqual([409, 'customer_in_use']);
    expect(refused.body.message).toContain(subscription.id);
    expect((await show(customer)).body.erasure).toBeNull();
    await cancel(host, subscription.id);
    expect((await erase(customer)).status).toBe(202);
    await advance(host, '1h');
    const { body } = await host.call('GET', `/v1/subscriptions/${subscription.id}`);
    expect(body).toMatchObject({ customer_id: expect.stringMatching(/^erased_/), customer_email: null, amount: 5_000 });
    const kept = (await host.call('GET', `/v1/invoices/${invoice?.id}`)).body;
    expect([kept.customer_id, kept.status]).toEqual([body.customer_id, 'paid']);
    expect(await isForgotten(customer)).toBe(true);
  });

  it('is erased from an authorization once that has ended, and from what comes while the erasure runs', async () => {
    const customer = aCustomer();
    const authorized = await payFor(customer, { capture: 'manual' });
    expect(authorized.status).toBe('authorized');
    await erase(customer);
    await advance(host, '20m');
    expect(await read(host, authorized.id)).toMatchObject({ customer_id: customer, status: 'authorized' });
    const late = await payFor(customer);
    const kept = await host.call('POST', '/v1/payment-methods', {
      customer_id: customer,
      type: 'card',
      tokens: { stripe: 'ok' },
    });
    expect([kept.status, kept.body.code]).toEqual([409, 'customer_being_erased']);
    await act(host, authorized.id, 'capture');
    await advance(host, '3d');
    expect([await read(host, authorized.id), await read(host, late.id)]).toMatchObject([NOBODY, NOBODY]);
    expect(await isForgotten(customer)).toBe(true);
  });

  it('is erased from a disputed payment once the dispute is closed: its data may be evidence', async () => {
    const customer = aCustomer();
    const { id: payment_id } = await payFor(customer);
    const { reference } = (await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id })).body;
    await drain(host);
    await erase(customer);
    await advance(host, '1h');
    expect(await read(host, payment_id)).toMatchObject({ customer_id: customer, customer_email: 'kim@example.com' });
    await host.control('POST', '/psp/disputes/move', { provider: 'stripe', reference, step: 'lost' });
    await advance(host, '3d');
    expect(await read(host, payment_id)).toMatchObject(NOBODY);
    expect(await isForgotten(customer)).toBe(true);
  });

  it('is unknown under a reference that is longer than any that is kept', async () => {
    for (const how of [show, erase]) expect((await how('x'.repeat(3_000))).status).toBe(404);
  });

  it('is erased from an intent that nobody has confirmed, with its payment method', async () => {
    const customer = aCustomer();
    const intent = (await host.call('POST', '/v1/payments/intents', aPaymentBody('ok', { customer_id: customer })))
      .body;
    await erase(customer);
    await advance(host, '1h');
    expect(await host.deps.payments.byId(intent.id)).toMatchObject({ ...NOBODY, sealed_method: null });
  });

  it('is erased once, however often that is asked for at once', async () => {
    const customer = aCustomer();
    await payFor(customer);
    const replies = await Promise.all(Array.from({ length: 5 }, () => erase(customer)));
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(202));
    await drain(host);
    const ids = new Set([(await show(customer)).body.erasure.id, (await erase(customer)).body.erasure.id]);
    expect(ids.size).toBe(1);
    await advance(host, '1h');
    expect(await isForgotten(customer)).toBe(true);
  });

  it('is nobody of another organization, and needs the scope of payments', async () => {
    const customer = aCustomer();
    await payFor(customer);
    const stranger = await anOrganization(host);
    expect((await show(customer, { key: stranger.key })).status).toBe(404);
    expect((await erase(customer, { key: stranger.key })).status).toBe(404);
    const reads = await keyWith(host, ['payments:read']);
    expect((await erase(customer, { key: reads })).status).toBe(403);
    expect((await show(customer, { key: reads })).body.payments).toBe(1);
  });
});

describe('an erasure whose process dies', () => {
  const prepared = async (): Promise<string> => {
    const customer = aCustomer();
    await saved(customer);
    await create(host, aPaymentBody('ok', { customer_id: customer, ...PERSONAL }));
    await drain(host);
    return customer;
  };

  it('goes on by itself after each of its writes', { timeout: 60_000 }, async () => {
    const points = await crashPointsOf(host, 'customers', async () => erase(await prepared()));
    expect(points.length).toBeGreaterThan(2);
    for (const point of points) await strikes(point);
  });

  it('is taken up again after each write of its job', { timeout: 60_000 }, async () => {
    const points = await crashPointsOf(host, 'timers', async () => {
      await erase(await prepared());
      await advance(host, '6m');
    });
    expect(points.some(({ method }) => method === 'delete' || method === 'transact' || method === 'put')).toBe(true);
    let struck = 0;
    for (const point of points) {
      const customer = await prepared();
      await erase(customer);
      await armCrash(host, point, 'timers');
      await advance(host, '6m');
      struck += host.faults.waiting.length === 0 ? 1 : 0;
      await host.control('DELETE', '/faults');
      await advance(host, '2h');
      expect(await isForgotten(customer), describePoint(point)).toBe(true);
    }
    expect(struck).toBeGreaterThan(points.length / 2);
  });

  it('leaves alone what was saved after its end, if its job died there and runs again', async () => {
    const customer = await prepared();
    const { id } = (await erase(customer)).body.erasure;
    await advance(host, '6m');
    const erasure = await host.deps.erasures.byId(id);
    await advance(host, '1h');
    const method = await saved(customer);
    if (!erasure) throw new Error('It takes a quarter of an hour.');
    await processErasure(erasure, host.deps);
    expect((await show(customer)).body).toMatchObject({ default_payment_method_id: method.id, erasure: null });
  });

  async function strikes(point: CrashPoint): Promise<void> {
    const customer = await prepared();
    await armCrash(host, point, 'customers');
    const how = { headers: { 'idempotency-key': `erase-${number}` } };
    expect((await erase(customer, how)).status, describePoint(point)).toBe(503);
    await runScheduledWork(host);
    const again = await erase(customer, how);
    expect([202, 404], describePoint(point)).toContain(again.status);
    await advance(host, '1h');
    expect(await isForgotten(customer), describePoint(point)).toBe(true);
  }
});
