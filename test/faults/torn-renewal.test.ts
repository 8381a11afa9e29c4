import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecoveryReport } from '#lib/recovery/recovery-report.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, Key, TablePort } from '#shared/store/table/table.port.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, drain, moneyOf } from '#test/support/payment-steps.ts';
import { openSubscription, reconcileGap, type Shop } from '#test/support/restore-drill.ts';

let host: TestHost;
let table: TablePort;
let shop: Shop;

beforeAll(async () => {
  const wrapTable = (bare: TablePort): TablePort => {
    table = bare;
    return bare;
  };
  host = await startHost({ wrapTable });
  const { org_id: orgId, key } = await anOrganization(host);
  await aConnection(host, { key }, { provider: 'stripe' });
  shop = { provider: 'stripe', key, orgId, before: {} };
});
afterAll(() => host?.close());

const invoicesOf = async (id: string): Promise<Body[]> =>
  (await host.call('GET', `/v1/invoices?subscription_id=${id}`, undefined, { key: shop.key })).body.invoices;

const itemAt = async (key: Key): Promise<Item> => {
  const item = await table.get(key, { consistent: true });
  if (!item) throw new Error(`There is no item ${key.pk}.`);
  return item;
};

type Lost = 'subscription' | 'invoice' | 'payment';

/** A renewal is one transaction. Of the three items a replica lacks these, as each is replicated by itself. */
async function renewedWithout(lost: readonly Lost[], charge?: string) {
  const subscription = await openSubscription(host, shop);
  await drain(host);
  const before = await itemAt(keys.subscription(subscription.id));
  const from = host.clock.now();
  if (charge !== undefined) await arrange(host, charge, { webhook: 'none' });
  await host.control('POST', '/clock', { set: subscription.next_renewal_at });
  await drain(host);
  const renewed = await invoicesOf(subscription.id);
  const [newest] = renewed;
  if (lost.includes('subscription')) await table.put(before);
  if (lost.includes('invoice')) await table.delete(keys.invoice(newest?.id));
  if (lost.includes('payment')) await table.delete(keys.payment(newest?.payment_id));
  return { id: subscription.id as string, renewed, newest: newest ?? {}, from };
}

describe('a renewal of which only a part has reached the other region', () => {
  // First, as the scenario is for the next charge, and other subscriptions would renew at the same time.
  it.each<readonly [string, readonly Lost[]]>([
    ['that has begun', ['subscription']],
    ['that is lost', ['subscription', 'payment']],
  ])('is not billed beside the payment %s, if the provider had not charged it yet', async (_, lost) => {
    const { id, renewed, newest, from } = await renewedWithout(lost, 'http_500');
    expect(newest.status).toBe('open');
    const { charges } = await reconcileGap(host, { from, payments: [] }, true);
    expect(charges.map(({ payment_id }) => payment_id)).not.toContain(newest.payment_id);
    await advance(host, '2h');
    await drain(host);
    expect((await invoicesOf(id)).map((invoice) => invoice.id)).toEqual(renewed.map((invoice) => invoice.id));
    const { status } = await host.call('POST', `/v1/subscriptions/${id}/cancel`, undefined, { key: shop.key });
    expect(status).toBe(200);
  });

  it.each<readonly [string, readonly Lost[]]>([
    ['the subscription', ['subscription']],
    ['the subscription and the invoice', ['subscription', 'invoice']],
    ['the subscription and the payment', ['subscription', 'payment']],
  ])('is not charged again if %s did not arrive', async (_, lost) => {
    const { id, renewed, newest, from } = await renewedWithout(lost);
    const report: RecoveryReport = await reconcileGap(host, { from, payments: [] }, true);
    expect(report.renewals.find(({ subscription_id }) => subscription_id === id)).toMatchObject({
      result: 'billed',
      payment_id: newest.payment_id,
    });
    await advance(host, '10m');
    await drain(host);
    const after = await invoicesOf(id);
    expect(after.map((invoice) => [invoice.id, invoice.status, invoice.payment_id])).toEqual(
      renewed.map((invoice) => [invoice.id, invoice.status, invoice.payment_id]),
    );
    expect(await moneyOf(host, newest.payment_id)).toMatchObject({ count: 1, refunded: 0 });
  });
});
