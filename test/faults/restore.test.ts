import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPoints, type RecoveryReport, reportText } from '#lib/recovery/recovery-report.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, moneyOf, read } from '#test/support/payment-steps.ts';
import {
  type Gap,
  goOn,
  openShops,
  openSubscription,
  pay,
  reconcileGap,
  SHOPS,
  type Shop,
} from '#test/support/restore-drill.ts';
import { copyOfDatabase, replaceableTable, tableIn } from '#test/support/restored-table.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const PATIENCE = 60_000;

/** Providers that list what they charged in a time range. */
const LISTING = Object.keys(SHOPS).filter((provider) => provider !== 'adyen');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let host: TestHost;
let shops: readonly Shop[];
let gap: Gap;
let subscription: Body;
let renewed: Body;
/** Its provider cannot be asked whether it was charged. */
let unknowable: Body;
/** Paid, and repeated with its key when the table was back and not compared yet. */
let early: { readonly first: Body; readonly again: Body };
/** Authorized, and not captured yet. */
let held: Body;
let rehearsal: RecoveryReport;
let report: RecoveryReport;

const shopAt = (provider: string): Shop => {
  const shop = shops.find((each) => each.provider === provider);
  if (!shop) throw new Error(`There is no shop at ${provider}.`);
  return shop;
};
const gapAt = (provider: string) => {
  const found = gap.payments.find(({ shop }) => shop.provider === provider);
  if (!found) throw new Error(`There is no payment at ${provider}.`);
  return found;
};
const invoicesOf = async ({ id }: Body): Promise<Body> =>
  (await host.call('GET', `/v1/invoices?subscription_id=${id}`, undefined, { key: shopAt('stripe').key })).body
    .invoices;

async function authorize({ key }: Shop): Promise<Body> {
  const payment_method = { type: 'card', token: 'ok' };
  const asked = { amount: 2_500, currency: 'EUR', capture: 'manual', payment_method };
  return (await host.call('POST', '/v1/payments', asked, { key })).body;
}

/** The table is lost, and comes back as it was before a month of renewals, payments and refunds. */
beforeAll(async () => {
  folder = await temporaryFolder();
  const table = replaceableTable();
  const dataDir = folder.path('data');
  host = await startHost({
    dataDir,
    store: 'sqlite',
    emulator: undefined,
    wrapTable: table.wrap,
    wrapDue: table.wrapDue,
  });
  shops = await openShops(host);
  subscription = await openSubscription(host, shopAt('stripe'));
  unknowable = await openSubscription(host, shopAt('adyen'));
  copyOfDatabase(`${dataDir}/sandbox.sqlite`, folder.path('copy.sqlite'));
  gap = await goOn(host, shops);
  renewed = await invoicesOf(subscription);
  const first = (await pay(host, shopAt('stripe'), 'early')).body;
  held = await authorize(shopAt('stripe'));
  await drain(host);
  table.replaceBy(tableIn(folder.path('copy.sqlite')));
  early = { first, again: (await pay(host, shopAt('stripe'), 'early')).body };
  rehearsal = await reconcileGap(host, gap, false);
  report = await reconcileGap(host, gap, true);
}, PATIENCE);
afterAll(async () => {
  await host?.close();
  await folder?.remove();
});

describe('a table that was restored to an earlier time', () => {
  it('is only compared with the providers, unless that is to be written', () => {
    expect(reportText(rehearsal)).toContain('Would reconcile ');
    expect(rehearsal.charges.filter(({ result }) => result === 'recovered')).toHaveLength(LISTING.length + 2);
    const again = report.charges.filter(({ result }) => result === 'recovered');
    expect(again).toHaveLength(LISTING.length + 2);
  });

  it.each(LISTING)(
    'gets back the payment that %s charged after that time, and charges it no second time',
    async (provider) => {
      const { payment, idempotencyKey, shop } = gapAt(provider);
      const found = await read(host, payment.id, { key: shop.key });
      expect(found).toMatchObject({
        id: payment.id,
        status: 'succeeded',
        amount: payment.amount,
        currency: payment.currency,
        provider,
        created_at: payment.created_at,
      });
      const repeated = await pay(host, shop, idempotencyKey);
      expect([repeated.status, repeated.body.id]).toEqual([201, payment.id]);
      expect(await moneyOf(host, payment.id)).toMatchObject({ amount: payment.amount, count: 1 });
    },
  );

  it('says what cannot be known: Adyen lists nothing', () => {
    const adyen = report.connections.find(({ provider }) => provider === 'adyen');
    expect(adyen).toMatchObject({ result: 'no_list', org_id: shopAt('adyen').orgId });
    expect(openPoints(report).join('\n')).toContain('Received payments');
    expect(report.charges.filter(({ result }) => result === 'not_recovered')).toEqual([]);
  });

  it('says that PayPal may list the newest hours later', () => {
    const paypal = report.connections.find(({ provider }) => provider === 'paypal');
    // The payment of the gap, and the one a moment before, as the provider's clock may be behind.
    expect(paypal).toMatchObject({ result: 'incomplete', ours: 2 });
  });

  it('bills the period of a renewal that was charged after that time, and does not charge it again', async () => {
    const renewal = report.renewals.find(({ subscription_id }) => subscription_id === subscription.id);
    expect(renewal).toMatchObject({ result: 'billed', payment_id: renewed[0].payment_id });
    const invoices = await invoicesOf(subscription);
    expect(invoices.map(({ status, number }: Body) => [status, number])).toEqual(
      renewed.map(({ status, number }: Body) => [status, number]),
    );
    expect(invoices[0].payment_id).toBe(renewed[0].payment_id);
    await advance(host, '5m');
    await drain(host);
    expect(await invoicesOf(subscription)).toHaveLength(renewed.length);
    expect(await moneyOf(host, renewed[0].payment_id)).toMatchObject({ count: 1 });
  });

  it('pauses a subscription whose provider cannot be asked, as it may have been charged', async () => {
    const renewal = report.renewals.find(({ subscription_id }) => subscription_id === unknowable.id);
    expect(renewal).toMatchObject({ result: 'paused', org_id: shopAt('adyen').orgId });
    expect(rehearsal.renewals.find(({ subscription_id }) => subscription_id === unknowable.id)).toEqual(renewal);
    const { key } = shopAt('adyen');
    const { body } = await host.call('GET', `/v1/subscriptions/${unknowable.id}`, undefined, { key });
    expect(body.status).toBe('paused');
  });

  it('refunds a second charge, if a key was repeated before the comparison', async () => {
    const { first, again } = early;
    expect(again.id).not.toBe(first.id);
    expect(report.charges.find(({ payment_id }) => payment_id === first.id)).toMatchObject({ result: 'added' });
    await advance(host, '5m');
    await drain(host);
    const taken = [await moneyOf(host, first.id), await moneyOf(host, again.id)];
    expect(taken.map(({ amount, refunded }) => amount - refunded)).toEqual([0, again.amount]);
  });

  it('gets back a payment that its merchant captures later, and captures nothing by itself', async () => {
    const { key } = shopAt('stripe');
    await advance(host, '3h');
    await drain(host);
    const found = await read(host, held.id, { key });
    expect(found).toMatchObject({ status: 'authorized', capture: 'manual', authorized_amount: 2_500 });
    expect((await moneyOf(host, held.id)).amount).toBe(0);
    const { body } = await host.call('POST', `/v1/payments/${held.id}/capture`, { amount: 2_000 }, { key });
    expect(body).toMatchObject({ status: 'succeeded', captured_amount: 2_000 });
  });

  it.each(LISTING)('learns of the refund that %s made after that time', async (provider) => {
    const { before, key } = shopAt(provider);
    await advance(host, '2m');
    await drain(host);
    expect(await read(host, before.id, { key })).toMatchObject({ amount_refunded: 1_000 });
  });

  it('finds nothing more when it is compared again', async () => {
    const again = await reconcileGap(host, gap, true);
    expect(again.charges.filter(({ result }) => result !== 'known')).toEqual([]);
  });
});
