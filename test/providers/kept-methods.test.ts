import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { aConnection, anOrganization, startHost, type TestHost } from '#test/support/host.ts';
import { arrange, drain, read } from '#test/support/payment-steps.ts';

/** Methods that a provider keeps when they are used on its page, where its token comes last. */
const PAGES: readonly (readonly [provider: string, method: string, card: object | undefined])[] = [
  ['adyen', 'card', { brand: 'visa', last4: '1142' }],
  ['paypal', 'wallet', undefined],
  ['stripe', 'card', { brand: 'visa', last4: '4242' }],
  ['stripe', 'wallet', { brand: 'visa', last4: '4242' }],
  ['checkout', 'card', { brand: 'visa', last4: '4242' }],
  ['checkout', 'wallet', { brand: 'visa', last4: '4242' }],
  ['mollie', 'card', { brand: 'mastercard', last4: '4444' }],
  ['mollie', 'paypal', undefined],
];

const DETAILS = {
  billing: {
    name: 'Ada Lovelace',
    address: { line1: 'Main Street 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
  },
  shipping: {
    name: 'Ada Lovelace',
    address: { line1: 'Main Street 1', city: 'Berlin', postal_code: '10115', country: 'DE' },
  },
  statement_descriptor: 'SHOP EXAMPLE',
  order: { lines: [{ name: 'Mug', quantity: 2, unit_amount: 2_450, total_amount: 4_900, kind: 'physical' }] },
};

describe('a method that is kept on the page of its provider', () => {
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost({ demoProviders: [] });
  });
  afterAll(() => host?.close());

  it.each(PAGES)('is charged at %s in the absence of the customer (%s)', async (provider, type, card) => {
    const { key } = await anOrganization(host);
    await aConnection(host, { key }, { provider, credentials: randomCredentials(provider, 'sandbox') });
    const pay = async (more: object) => {
      const body = { amount: 4_900, currency: 'EUR', customer_id: 'cust_1', ...more };
      return (await host.call('POST', '/v1/payments', body, { key })).body;
    };
    const { id, next_action } = await pay({ payment_method: { type }, save: true, ...DETAILS });
    expect(next_action).toMatchObject({ type: 'redirect' });
    await host.control('POST', '/psp/complete', { provider, reference: id, outcome: 'succeeded' });
    await drain(host);
    const paid = await read(host, id, { key });
    expect(paid).toMatchObject({ status: 'succeeded', payment_method_id: expect.stringMatching(/^pm_/) });
    if (card) expect(paid.attempts[0]).toMatchObject({ card });
    const sent = await pay({ payment_method: { id: paid.payment_method_id }, mit: { reason: 'unscheduled' } });
    await drain(host);
    const later = await read(host, sent.id, { key });
    expect(later).toMatchObject({ status: 'succeeded', payment_method_id: paid.payment_method_id });
    expect(JSON.stringify([paid, later])).not.toMatch(/vault_id|storedPaymentMethodId|Lovelace/);
  });

  // Adyen tells only by its callbacks.
  it.each(PAGES.slice(1))('is kept at %s where our own question learns first that it is paid (%s)', async (...row) => {
    const [provider, type] = row;
    const { key } = await anOrganization(host);
    await aConnection(host, { key }, { provider, credentials: randomCredentials(provider, 'sandbox') });
    await arrange(host, 'approve', { provider, webhook: 'none' });
    for (const action of ['confirm', 'cancel']) {
      const body = { amount: 4_900, currency: 'EUR', customer_id: action, payment_method: { type }, save: true };
      const { id } = (await host.call('POST', '/v1/payments', { ...body, ...DETAILS }, { key })).body;
      await host.control('POST', '/psp/complete', { provider, reference: id, outcome: 'succeeded' });
      await host.call('POST', `/v1/payments/${id}/${action}`, {}, { key });
      const kept = { status: 'succeeded', payment_method_id: expect.stringMatching(/^pm_/) };
      expect(await read(host, id, { key }), action).toMatchObject(kept);
    }
    await host.control('DELETE', '/psp/scenario');
  });
});
