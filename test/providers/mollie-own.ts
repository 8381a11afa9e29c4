import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Traits } from '#test/providers/journeys.ts';
import { type OwnShop, openShop, press } from '#test/providers/own-shop.ts';
import { HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';

/** What Mollie alone has: a callback address with each charge, and reasons of its own and of the schemes. */
export function describeMollieOwn(traits: Traits): void {
  let host: TestHost;
  let shop: OwnShop;
  beforeAll(async () => {
    host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
    shop = await openShop(host, traits);
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  it('a charge of this host names a callback address that Mollie takes, and its callback arrives here', async () => {
    const payment = await shop.pay(null);
    expect(payment).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect' } });
    await press(payment.next_action.url, 'pay');
    const paid = await shop.later(payment);
    expect(paid).toMatchObject({ status: 'succeeded' });
    const headers = { authorization: `Bearer ${shop.credentials.api_key}` };
    const charge = await fetch(`${host.info.simulators}/mollie/v2/payments/${paid.psp_reference}`, { headers });
    const { webhookUrl } = (await charge.json()) as { webhookUrl: string };
    const { protocol, hostname, pathname, searchParams } = new URL(webhookUrl);
    expect([protocol, pathname, searchParams.get('payment_id')]).toEqual(['https:', '/webhooks/mollie', payment.id]);
    expect(hostname).not.toMatch(/localhost|^[\d.]+$/);
  });

  it.each([
    ['failed_card_declined', 'card_declined', true],
    ['failed_stolen_card', 'stolen_card', false],
    ['failed_policy_related', 'transaction_not_allowed', false],
    ['failed_vip_approval', 'card_declined', true],
    ['failed_duplicate_transaction', 'card_declined', true],
  ])('a charge with %s fails with %s', async (token, code, retryable) => {
    const payment = await shop.pay(token);
    expect(payment).toMatchObject({ status: 'failed', failure: { code, retryable } });
    expect((await shop.money(payment))?.count ?? 0).toBe(0);
  });
}
