import { randomUUID } from 'node:crypto';
import { reconcile } from '#lib/recovery/reconcile.ts';
import type { RecoveryReport } from '#lib/recovery/recovery-report.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { aSubscriptionBody, subscribe } from '#test/support/billing.ts';
import { aConnection, anOrganization, type Body, type TestHost } from '#test/support/host.ts';
import { act, advance, drain } from '#test/support/payment-steps.ts';

/** What a shop at each provider charges in. */
export const SHOPS: Readonly<Record<string, { readonly currency: string; readonly beside?: Body }>> = {
  adyen: { currency: 'EUR' },
  checkout: { currency: 'EUR' },
  flutterwave: { currency: 'NGN' },
  mollie: { currency: 'EUR' },
  paypal: { currency: 'EUR' },
  paystack: { currency: 'NGN' },
  razorpay: { currency: 'INR', beside: { phone: '+919900000000' } },
  stripe: { currency: 'EUR' },
};

export type Shop = {
  readonly provider: Provider;
  readonly key: string;
  readonly orgId: string;
  /** Paid before the copy was made. */
  readonly before: Body;
};

/** What happened after the copy was made, which the copy does not have. */
export type Gap = {
  readonly from: Date;
  readonly payments: readonly { readonly shop: Shop; readonly idempotencyKey: string; readonly payment: Body }[];
};

const bodyOf = (provider: Provider): Body => {
  const { currency, beside } = SHOPS[provider] ?? { currency: 'EUR' };
  return {
    amount: 5_000,
    currency,
    customer_email: 'kim@example.com',
    payment_method: { type: 'card', token: 'ok', ...beside },
  };
};

export async function pay(host: TestHost, shop: Pick<Shop, 'provider' | 'key'>, idempotencyKey: string) {
  const { provider, key } = shop;
  return host.call('POST', '/v1/payments', bodyOf(provider), { key, idempotencyKey });
}

/** A shop at each provider, each with a payment. */
export async function openShops(host: TestHost): Promise<readonly Shop[]> {
  const shops: Shop[] = [];
  for (const provider of Object.keys(SHOPS)) {
    const { org_id: orgId, key } = await anOrganization(host);
    await aConnection(host, { key }, { provider });
    const { body, status } = await pay(host, { provider, key }, randomUUID());
    if (status !== 201 || body.status === 'failed') throw new Error(`${provider}: ${JSON.stringify(body)}`);
    shops.push({ provider, key, orgId, before: body });
  }
  await drain(host);
  return shops;
}

/** A monthly subscription that renews in 31 days at most. */
export function openSubscription(host: TestHost, { key, provider }: Shop): Promise<Body> {
  const { currency, beside } = SHOPS[provider] ?? { currency: 'EUR' };
  const payment_method = { type: 'card', tokens: { [provider]: 'ok' }, ...beside };
  return subscribe(host, aSubscriptionBody({ currency, customer_email: 'kim@example.com', payment_method }), { key });
}

/** A month passes, then each shop takes a payment and refunds a part of its first one. */
export async function goOn(host: TestHost, shops: readonly Shop[]): Promise<Gap> {
  const from = host.clock.now();
  await advance(host, '32d');
  const payments: Gap['payments'][number][] = [];
  for (const shop of shops) {
    const idempotencyKey = `order-${shop.provider}`;
    const { body } = await pay(host, shop, idempotencyKey);
    payments.push({ shop, idempotencyKey, payment: body });
    await act(host, shop.before.id, 'refund', { amount: 1_000 }, { key: shop.key });
  }
  await drain(host);
  return { from, payments };
}

export const reconcileGap = (host: TestHost, { from }: Gap, write: boolean): Promise<RecoveryReport> =>
  reconcile({ from, until: host.clock.now(), write }, host.deps);
