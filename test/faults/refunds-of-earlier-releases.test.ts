import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chargedAttempt } from '#shared/domain/payments/refund.rules.ts';
import { newId } from '#shared/kernel/ids.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, aShop, askProvider, drain, moneyOf, pay, read } from '#test/support/payment-steps.ts';

/** Refunds that the release before sent to Stripe without our id, and whose answers were lost. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterAll(() => host?.close());

async function lost(): Promise<{ id: string; look: () => Promise<Body>; sendAtProvider: () => Promise<Body> }> {
  const shop = await aShop(host, { a: {} });
  const how = { key: shop.key };
  const { id } = await pay(host, 'ok', {}, how);
  await drain(host);
  const refundId = newId('refund', host.clock.now());
  const payment = (await host.deps.payments.byId(id))!;
  const charge = chargedAttempt(payment)!;
  await host.deps.payments.change(payment, (p) => ({
    ...p,
    refunds: [
      {
        id: refundId,
        amount: 2_000,
        status: 'pending',
        reason: null,
        failure: null,
        metadata: {},
        attempt_id: charge.id,
        psp_reference: null,
        created_at: host.clock.now().toISOString(),
        phase: 'unknown',
      },
    ],
  }));
  const metadata = { org_id: payment.org_id, connection_id: charge.connection_id, payment_id: id };
  const form = {
    payment_intent: charge.psp_reference!,
    amount: '2000',
    ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value])),
  };
  const sendAtProvider = () =>
    askProvider(host, shop.credentials.a!.secret_key, 'POST', '/v1/refunds', form, { 'idempotency-key': refundId });
  return { id, look: () => read(host, id, how), sendAtProvider };
}

describe('a refund that the release before sent without our id', () => {
  it('is found by a repeat while its key lives, and counted once', async () => {
    const { id, look, sendAtProvider } = await lost();
    await sendAtProvider();
    await drain(host);
    await advance(host, '61s');
    expect(await look()).toMatchObject({ amount_refunded: 2_000, refunds: [{ status: 'succeeded' }] });
    expect((await moneyOf(host, id)).refunded).toBe(2_000);
  });

  it('that never arrived is sent once', async () => {
    const { id, look } = await lost();
    await advance(host, '61s');
    expect(await look()).toMatchObject({ amount_refunded: 2_000, refunds: [{ status: 'succeeded' }] });
    expect((await moneyOf(host, id)).refunded).toBe(2_000);
  });
});
