import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { drain, read } from '#test/support/payment-steps.ts';

/** A card that is given by a token, or on the page of a provider in Africa, is kept and charged without the customer. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterAll(() => host?.close());

const ADYEN_CARD = {
  encryptedCardNumber: 'adyenjs_1',
  encryptedExpiryMonth: 'adyenjs_2',
  encryptedExpiryYear: 'adyenjs_3',
};

it.each<[provider: Provider, currency: string, method: Body]>([
  ['stripe', 'EUR', { type: 'card', token: 'pm_card_visa' }],
  ['checkout', 'EUR', { type: 'card', token: 'tok_nwd3m4in3hkuddfpjsaevunhdy' }],
  ['adyen', 'EUR', { type: 'card', token: ADYEN_CARD }],
  ['paystack', 'NGN', { type: 'card' }],
  ['flutterwave', 'NGN', { type: 'card' }],
])('at %s in %s a payment by %o is charged again with what it has saved', async (provider, currency, method) => {
  const { key } = await anOrganization(host);
  await aConnection(host, { key }, { id: 'main', provider });
  const how = { key };
  const common = { amount: 5_000, currency, customer_email: 'kim@example.com' };
  const save = { ...common, customer_id: 'kim', save: true, payment_method: method };
  const made = await host.call('POST', '/v1/payments', save, how);
  expect(made.status, made.text).toBe(201);
  const acted = { provider, reference: made.body.id, outcome: 'succeeded' };
  if (made.body.status === 'requires_action') await host.control('POST', '/psp/complete', acted);
  await drain(host);
  const first = await read(host, made.body.id, how);
  expect(first).toMatchObject({ status: 'succeeded', payment_method_id: expect.stringMatching(/^pm_/) });
  const { payment_methods } = (await host.call('GET', '/v1/payment-methods?customer_id=kim', undefined, how)).body;
  expect(payment_methods).toMatchObject([
    { id: first.payment_method_id, type: method.type, providers: [provider], default: true },
  ]);
  const mit = { ...common, payment_method: { id: first.payment_method_id }, mit: { reason: 'unscheduled' } };
  const later = await host.call('POST', '/v1/payments', mit, how);
  expect(later.status, later.text).toBe(201);
  // Some tell by a callback that they have captured.
  await drain(host);
  expect(await read(host, later.body.id, how)).toMatchObject({ status: 'succeeded', customer_id: 'kim' });
});
