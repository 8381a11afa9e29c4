import type { TablePort } from '#shared/ports/table.port.ts';
import { fillWithPayments } from '#test/bench/many-payments.ts';
import { type Account, printed, unitLedger } from '#test/bench/unit-ledger.ts';
import { aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, aShop, bring, eventText, type Shop } from '#test/support/payment-steps.ts';

/**
 * What each operation costs on DynamoDB, counted call by call by its own arithmetic (transactions too, which the emulator
 * counts wrongly), on DynamoDB Local. Figures, no verdicts.
 */
const RUNS = 5;
const ledger = unitLedger();
let bare: TablePort | undefined;
const host = await startHost({
  store: 'dynamodb',
  through: (table) => {
    bare = table;
    return ledger.through(table);
  },
});

async function measured(title: string, run: (n: number) => Promise<Account>): Promise<void> {
  const accounts: Account[] = [];
  for (let n = 0; n < RUNS; n += 1) accounts.push(await run(n));
  console.log(printed(`${title} (mean of ${RUNS})`, accounts));
}

/** A shop that hears of everything. */
async function aListeningShop(): Promise<Shop> {
  const shop = await aShop(host, { main: {} });
  await host.call('POST', '/v1/webhooks/config', { url: `${host.controlUrl}/receiver/shop/hook`, events: ['*'] }, { key: shop.key });
  return shop;
}

const create = (shop: Shop, token: string, more: Body = {}) =>
  host.call('POST', '/v1/payments', aPaymentBody(token, { metadata: { order: '1001' }, ...more }), { key: shop.key });

async function settled(shop: Shop, token = 'ok'): Promise<string> {
  const { body } = await create(shop, token);
  await host.drain();
  return body.id;
}

try {
  await costOfPayments(host, await aListeningShop());
  await costOfLists(await aListeningShop());
} finally {
  await host.close();
}

async function costOfPayments({ control }: TestHost, shop: Shop): Promise<void> {
  // Once before it counts: data keys are unwrapped, connections warm.
  await settled(shop);
  await measured('a payment: created, two events delivered, the PSP’s callbacks', () => ledger.of(host, () => create(shop, 'ok')));
  await measured('the same, of a known customer', () => ledger.of(host, () => create(shop, 'ok', { customer_id: 'cus_1' })));
  await measured('a payment that is declined', () => ledger.of(host, () => create(shop, 'decline_card_declined')));
  await measured('a refund: its event delivered, the PSP’s callbacks', async () => {
    const id = await settled(shop);
    return ledger.of(host, () => host.call('POST', `/v1/payments/${id}/refund`, { amount: 1_000 }, { key: shop.key }));
  });

  const told = async (id: string): Promise<string> => {
    const reference = (await host.call('GET', `/v1/payments/${id}`, undefined, { key: shop.key })).body.psp_reference;
    const metadata = { org_id: shop.org_id, connection_id: 'main', payment_id: id };
    return eventText({ type: 'payment_intent.succeeded', object: { id: reference, object: 'payment_intent', status: 'succeeded', metadata } });
  };
  const secret = shop.credentials.main?.webhook_secret ?? '';
  const letters: string[] = [];
  await arrange(host, 'pending', { webhook: 'none', times: RUNS });
  await measured('one callback that settles a payment, its event delivered', async () => {
    const id = await settled(shop);
    const text = await told(id);
    letters.push(text);
    await control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
    return ledger.of(host, () => bring(host, text, secret));
  });
  await measured('one callback that changes nothing', (n) => ledger.of(host, () => bring(host, letters[n] ?? '', secret)));
  await measured('one event delivered', () => ledger.of(host, () => host.call('POST', '/v1/webhooks/test', undefined, { key: shop.key })));
  await measured('a payment read', async () => {
    const id = await settled(shop);
    return ledger.of(host, () => host.call('GET', `/v1/payments/${id}`, undefined, { key: shop.key }));
  });
  await measured('a minute in which nothing is due', () => ledger.of(host, () => advance(host, '1m')));
}

async function costOfLists(shop: Shop): Promise<void> {
  if (!bare) throw new Error('The host has no table.');
  const page = (query: string) => () => ledger.of(host, () => host.call('GET', `/v1/payments?limit=50${query}`, undefined, { key: shop.key }));
  let had = 0;
  for (const many of [1_000, 20_000]) {
    await fillWithPayments(bare, shop.org_id, 'main', had, many);
    had = many;
    await measured(`a page of 50 of ${many} payments`, page(''));
    await measured(`a page of 50 at offset 500 of ${many} payments`, page('&offset=500'));
  }
}
