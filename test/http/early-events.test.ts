import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { arrange, bring, drain, eventText } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

/**
 * Those whose later events may name nothing but the charge. PayPal's charges are taken by us, Mollie's callbacks name our
 * payment, and Adyen has no look-up, so that it has to send such an event again.
 */
const PROVIDERS = ['stripe', 'checkout', 'razorpay', 'flutterwave', 'paystack'] as const;

/** Paid on the provider's page, which has told nobody. */
async function paidUnheard(provider: Provider): Promise<{ readonly key: string; readonly payment: Body }> {
  const { key, ...shop } = await anOrganization(host);
  await aConnection(host, { key, ...shop }, { provider });
  await arrange(host, 'approve', { provider, webhook: 'none' });
  const currency = ['flutterwave', 'paystack'].includes(provider) ? 'NGN' : 'USD';
  const body = { amount: 5_000, currency, customer_email: 'kim@example.com' };
  const { body: payment } = await host.call('POST', '/v1/payments', body, { key });
  expect(payment.status).toBe('requires_action');
  await host.control('POST', '/psp/complete', { provider, reference: payment.psp_reference, outcome: 'succeeded' });
  await drain(host);
  return { key, payment };
}

const seen = async (payment: Body): Promise<Body | undefined> => host.deps.payments.byId(payment.id);

describe.each(PROVIDERS)('before the service knows that a customer of %s has paid', (provider) => {
  it('a refund in the dashboard is recorded, and so is the charge', async () => {
    const { payment } = await paidUnheard(provider);
    expect(host.simulators.refundInDashboard(provider, payment.id, 2_000)).toBeLessThan(300);
    await drain(host);
    expect(await seen(payment)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 2_000,
      refunds: [{ amount: 2_000, reason: 'made_at_provider' }],
    });
  });

  it('a dispute is recorded, and withholds the money', async () => {
    const { key, payment } = await paidUnheard(provider);
    const reference = host.simulators.openDispute(provider, payment.id, { amount: 2_000 });
    expect(reference).toEqual(expect.any(String));
    // Flutterwave tells of none: the account's list is read once an hour.
    if (provider === 'flutterwave') await host.control('POST', '/clock', { advance: '2h' });
    await drain(host);
    const { body } = await host.call('GET', `/v1/disputes?payment_id=${payment.id}`, undefined, { key });
    expect(body.disputes).toMatchObject([{ psp_reference: reference, amount: 2_000 }]);
    expect(await seen(payment)).toMatchObject({ amount_disputed: 2_000 });
  });
});

it('a dispute with metadata of the merchant that have the names of ours is recorded, too', async () => {
  const { key, ...shop } = await anOrganization(host);
  const credentials: Body = { ...randomCredentials('stripe', 'sandbox') };
  const { callback_url } = await aConnection(host, { key, ...shop }, { credentials });
  await arrange(host, 'approve', { webhook: 'none' });
  const { body: payment } = await host.call('POST', '/v1/payments', { amount: 5_000, currency: 'USD' }, { key });
  await host.control('POST', '/psp/complete', { provider: 'stripe', reference: payment.id, outcome: 'succeeded' });
  const reference = host.simulators.openDispute('stripe', payment.id, { webhook: 'none' });
  const { disputes } = (await host.control('GET', `/psp/calls?payment_id=${payment.id}`)).body;
  const metadata = { org_id: 'shop 7', connection_id: 'till#2', payment_id: 'order-7001' };
  for (const named of [{ payment_id: metadata.payment_id }, metadata]) {
    const object = { id: reference, payment_intent: disputes[0].charge, metadata: named };
    const text = eventText({ type: 'charge.dispute.created', object });
    const address = `${host.info.api}/webhooks/stripe${new URL(callback_url).search}`;
    expect((await bring(host, text, credentials.webhook_secret, address)).status).toBe(200);
    expect(await seen(payment)).toMatchObject({ status: 'succeeded', amount_disputed: 5_000 });
  }
});

it('a refund at Adyen that overtakes the late payment of an old attempt is recorded, once it comes again', async () => {
  const { key, ...shop } = await anOrganization(host);
  await aConnection(host, { key, ...shop }, { provider: 'adyen' });
  await arrange(host, 'requires_action', { provider: 'adyen', webhook: 'late:200' });
  const body = { amount: 5_000, currency: 'USD', payment_method: { type: 'card', tokens: { adyen: 'ok' } } };
  const { body: payment } = await host.call('POST', '/v1/payments', body, { key });
  expect(payment.status).toBe('requires_action');
  await host.control('POST', '/clock', { advance: '25h' });
  await host.control('POST', '/psp/complete', { provider: 'adyen', reference: payment.id, outcome: 'succeeded' });
  expect(host.simulators.refundInDashboard('adyen', payment.id, 2_000)).toBeLessThan(300);
  await drain(host);
  await expect
    .poll(() => seen(payment), { timeout: 5_000 })
    .toMatchObject({ status: 'succeeded', amount_refunded: 2_000, refunds: [{ reason: 'made_at_provider' }] });
});
