import { setTimeout as pause } from 'node:timers/promises';
import type { DueIndex } from '#shared/ports/due.port.ts';
import { dueShards } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { figureOf, keepUnits, type UnitFigure } from '#test/bench/cost/figures.ts';
import { costOf } from '#test/bench/counted-table.ts';
import { fillWithPayments } from '#test/bench/many-payments.ts';
import { countPayments } from '#test/bench/payment-load.ts';
import { type Account, unitLedger } from '#test/bench/unit-ledger.ts';
import { unitTable } from '#test/bench/unit-table.ts';
import { goTo, moveSubscription, subscribe } from '#test/support/billing.ts';
import { aPaymentBody, type Body, startHost } from '#test/support/host.ts';
import { advance, arrange, aShop, bring, eventText, type Shop } from '#test/support/payment-steps.ts';
import { signIn } from '#test/support/people.ts';

/**
 * The cost of each operation on DynamoDB: counted per call on its emulator, by DynamoDB's own rules (those of the
 * emulator are wrong for transactions). Prints figures without a verdict. `-- renewals` runs one section only, and
 * `-- --write` keeps what docs/cost.md says; `npm run bench:cost` then makes that page.
 */
const RUNS = 5;
/** PSPs send callbacks after their response; on this machine they would arrive before the service has stored it. */
const LATE_MS = 400;

const [only, ...flags] = process.argv.slice(2).filter((word) => word !== '--write');
const writes = process.argv.includes('--write');
if (flags.length > 0)
  throw new Error(`Unknown: ${flags.join(' ')}. Name one section, and --write to keep the figures.`);

const figures: UnitFigure[] = [];
const ledger = unitLedger();
let bare: TablePort | undefined;
const through = (table: TablePort): TablePort => {
  bare = table;
  return ledger.through(table);
};
// On AWS a sweep reads every shard of the index of due work. A local host knows which of them have anything due.
const wrapDue = (due: DueIndex): DueIndex => ({ ...due, shards: async () => dueShards });
const host = await startHost({ store: 'dynamodb', wrapTable: through, wrapDue });

async function measured(title: string, run: (n: number) => Promise<Account>): Promise<void> {
  const accounts: Account[] = [];
  for (let n = 0; n < RUNS; n += 1) accounts.push(await run(n));
  note(title, accounts);
}

function note(title: string, accounts: readonly Account[]): void {
  console.log(unitTable(`${title} (mean of ${RUNS})`, accounts));
  figures.push(figureOf(title, accounts));
}

/** A shop that receives all events. */
async function aListeningShop(): Promise<Shop> {
  const shop = await aShop(host, { main: {} });
  await host.call(
    'POST',
    '/v1/webhooks/config',
    { url: `${host.controlUrl}/receiver/shop/hook`, events: ['*'] },
    { key: shop.key },
  );
  return shop;
}

const ask = (shop: Shop, method: string, path: string, body?: Body) => host.call(method, path, body, { key: shop.key });
const create = (shop: Shop, more: Body = {}) =>
  ask(shop, 'POST', '/v1/payments', aPaymentBody('ok', { metadata: { order: '1001' }, ...more }));

async function settled(shop: Shop): Promise<string> {
  const { body } = await create(shop);
  await host.drain();
  return body.id;
}

/** With callbacks that arrive when the response is stored. */
async function calledBackLater(behaviour: string, work: () => Promise<unknown>, operation?: string): Promise<Account> {
  await arrange(host, behaviour, { webhook: `late:${LATE_MS}`, ...(operation && { match: { operation } }) });
  return ledger.of(host, async () => {
    await work();
    await pause(LATE_MS * 2);
  });
}

async function costOfPayments(shop: Shop): Promise<void> {
  // Once before the measurement, so that data keys are cached and connections open.
  await settled(shop);
  await measured('a payment: created, two events delivered, the PSP’s callbacks', () =>
    calledBackLater('approve', () => create(shop)),
  );
  await measured('the same, of a known customer', () =>
    calledBackLater('approve', () => create(shop, { customer_id: 'cus_1' })),
  );
  await measured('the same, with callbacks that are ahead of the answer', () => ledger.of(host, () => create(shop)));
  await measured('a payment that is declined', () => calledBackLater('decline:card_declined', () => create(shop)));
  await measured('a refund: its event delivered, the PSP’s callbacks', async () => {
    const id = await settled(shop);
    return calledBackLater(
      'approve',
      () => ask(shop, 'POST', `/v1/payments/${id}/refund`, { amount: 1_000 }),
      'refund',
    );
  });
  await measured('a payment read', async () => {
    const id = await settled(shop);
    return ledger.of(host, () => ask(shop, 'GET', `/v1/payments/${id}`));
  });
}

async function costOfCaptures(shop: Shop): Promise<void> {
  const authorize = () => create(shop, { capture: 'manual' });
  await authorize();
  await host.drain();
  await measured('a payment that is authorized: two events delivered, the PSP’s callbacks', () =>
    calledBackLater('approve', authorize),
  );
  await measured('its capture: two events delivered, the PSP’s callbacks', async () => {
    const { body } = await authorize();
    await host.drain();
    return calledBackLater('approve', () => ask(shop, 'POST', `/v1/payments/${body.id}/capture`), 'capture');
  });
  await measured('its cancel: an event delivered, the PSP’s callbacks', async () => {
    const { body } = await authorize();
    await host.drain();
    return calledBackLater('approve', () => ask(shop, 'POST', `/v1/payments/${body.id}/cancel`), 'cancel');
  });
}

async function costOfCallbacks(shop: Shop): Promise<void> {
  const secret = shop.credentials.main?.webhook_secret ?? '';
  const letters: string[] = [];
  await measured('one callback that settles a payment, its event delivered', async () => {
    await arrange(host, 'pending', { webhook: 'none' });
    const id = await settled(shop);
    const { psp_reference } = (await ask(shop, 'GET', `/v1/payments/${id}`)).body;
    const metadata = { org_id: shop.org_id, connection_id: 'main', payment_id: id };
    const text = eventText({
      type: 'payment_intent.succeeded',
      object: { id: psp_reference, object: 'payment_intent', status: 'succeeded', metadata },
    });
    letters.push(text);
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
    return ledger.of(host, () => bring(host, text, secret));
  });
  await measured('one callback that changes nothing', (n) =>
    ledger.of(host, () => bring(host, letters[n] ?? '', secret)),
  );
}

/** A link is requested and used; with a session a request for a key also reads the membership. */
async function costOfPeople(shop: Shop): Promise<void> {
  const person = await signIn(host, 'known@example.com');
  await measured('a sign-in of an address that was here before', () =>
    ledger.of(host, () => signIn(host, 'known@example.com')),
  );
  await measured('a sign-in of a new address', (n) => ledger.of(host, () => signIn(host, `new-${n}@example.com`)));
  await measured('a request with a session', () =>
    ledger.of(host, () => person.call('GET', '/v1/routing-rules', undefined, { org: person.org })),
  );
  await measured('the same with a key', () => ledger.of(host, () => ask(shop, 'GET', '/v1/routing-rules')));
}

/** One at a time: when the clock is moved, everything that is due by then is charged. */
async function costOfRenewals(shop: Shop): Promise<void> {
  const how = { key: shop.key };
  const end = (subscription: Body) => moveSubscription(host, subscription, 'cancel', undefined, how);
  await measured('a subscription that begins now: created, its invoice paid, five events delivered', async () => {
    let subscription: Body;
    const account = await calledBackLater('approve', async () => {
      subscription = await subscribe(host, {}, how);
    });
    await end(subscription);
    return account;
  });
  const renewed = async (behaviour: string) => {
    const subscription = await subscribe(host, {}, how);
    return { subscription, account: await calledBackLater(behaviour, () => goTo(host, subscription.next_renewal_at)) };
  };
  await measured('a renewal: its invoice paid, five events delivered, the PSP’s callbacks', async () => {
    const { subscription, account } = await renewed('approve');
    await end(subscription);
    return account;
  });
  const retries: Account[] = [];
  await measured('a renewal whose first try is declined', async () => {
    const { subscription, account } = await renewed('decline:insufficient_funds');
    const [invoice] = (await ask(shop, 'GET', `/v1/invoices?subscription_id=${subscription.id}&status=open`)).body
      .invoices;
    retries.push(await calledBackLater('approve', () => goTo(host, invoice.next_retry_at)));
    await end(subscription);
    return account;
  });
  note('its second try, which succeeds', retries);
}

async function costOfTheRest(shop: Shop): Promise<void> {
  await measured('one event, asked for and delivered', () =>
    ledger.of(host, () => ask(shop, 'POST', '/v1/webhooks/test')),
  );
  await measured('a minute in which nothing is due', () =>
    ledger.of(host, async () => {
      await advance(host, '1m');
      await pause(LATE_MS);
    }),
  );
}

/** The projector beside payments, on a stream of four shards: the fuller its batches, the less a payment takes. */
async function costOfProjector(): Promise<void> {
  for (const batch of [1, 10, 100]) {
    const { projector } = await countPayments({ payments: 1, projector: { shards: 4, batch, rounds: 200 / batch } });
    const per = (n: number) => Math.round((n / projector.payments) * 100) / 100;
    const title = `the projector for a payment, in batches of ${batch === 1 ? 'one change' : `${batch} changes`}`;
    const [wru, rru] = [per(sum(projector.costs.map(costOf))), per(sum(projector.costs.map(({ rru: n }) => n)))];
    console.log(`\n${title}: ${wru} WRU, ${rru} RRU`);
    figures.push({ title, calls: per(projector.costs.length), wru, rru });
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, n) => all + n, 0);

async function costOfLists(shop: Shop): Promise<void> {
  if (!bare) throw new Error('The host has no table.');
  const page = (query: string) => () => ledger.of(host, () => ask(shop, 'GET', `/v1/payments?limit=50${query}`));
  let had = 0;
  for (const many of [1_000, 20_000]) {
    await fillWithPayments(bare, shop.org_id, 'main', had, many);
    had = many;
    await measured(`a page of 50 of ${many} payments`, page(''));
    await measured(`a page of 50 at offset 500 of ${many} payments`, page('&offset=500'));
  }
}

const SECTIONS: Readonly<Record<string, (shop: Shop) => Promise<void>>> = {
  payments: costOfPayments,
  projector: costOfProjector,
  callbacks: costOfCallbacks,
  rest: costOfTheRest,
  people: costOfPeople,
  renewals: costOfRenewals,
  lists: costOfLists,
  // Last: what stays authorized is due some day, and would be counted with what comes after it.
  captures: costOfCaptures,
};

try {
  for (const [name, cost] of Object.entries(SECTIONS))
    if (only === undefined || only === name) await cost(await aListeningShop());
  if (writes) await keepUnits(figures);
} finally {
  await host.close();
}
