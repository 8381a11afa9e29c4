import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { arrange, drain } from '#test/support/payment-steps.ts';

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
