import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/kernel/ids.ts';
import { relayPayment } from '#shared/services/relay/relay-events.service.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { putMixed } from '#test/bench/mixed-payments.ts';
import { type Line, unitLedger } from '#test/bench/unit-ledger.ts';
import { subscribe } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, aShop, drain, faultsIn, keyWith, pay, type Shop } from '#test/support/payment-steps.ts';
import { workflowShopOf } from '#test/support/workflow-shop.ts';

/** What was written, by the partition. */
const changes: [string, Item | undefined][] = [];
const ledger = unitLedger(({ pk }, _, next) => void changes.push([pk, next]));
let bare: TablePort;
let host: TestHost;
let shop: Shop;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) => {
      bare = table;
      return ledger.through(table);
    },
  });
  shop = await aShop(host, { conn_a: {} });
});
afterAll(() => host.close());

const how = () => ({ key: shop.key });
const ask = (q: string, key = shop.key) =>
  host.call('GET', `/v1/search?q=${encodeURIComponent(q)}`, undefined, { key });
const found = async (q: string, key = shop.key): Promise<Body[]> => (await ask(q, key)).body.results;
const make = async (path: string, body: Body): Promise<Body> => (await host.call('POST', path, body, how())).body;

/** One record of every kind that has an id of ours, by the type that the search calls it. */
async function everyKind(): Promise<Readonly<Record<string, Body>>> {
  const flows = workflowShopOf(host, shop);
  await flows.when('payment.succeeded', { type: 'delay', for: '1d' });
  const subscription = await subscribe(host, {}, how());
  const payment_link = await make('/v1/payment-links', { amount: 500, currency: 'EUR' });
  const payment = await pay(host, 'ok', {}, how());
  await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: payment.id });
  await drain(host);
  const first = async (path: string, list: string) =>
    (await host.call('GET', `/v1/${path}`, undefined, how())).body[list][0];
  return {
    payment,
    payment_link,
    subscription,
    dispute: await first('disputes', 'disputes'),
    invoice: await first('invoices', 'invoices'),
    event: await first('webhooks/events', 'events'),
    workflow_run: await first('workflows/executions', 'executions'),
    connection: { id: 'conn_a' },
  };
}

describe('GET /v1/search', () => {
  it('finds every kind of record by its id, and the payment that it belongs to', async () => {
    const records = await everyKind();
    for (const [type, { id }] of Object.entries(records))
      expect(await found(id), type).toMatchObject([{ type, id, found_by: 'id' }]);
    const [dispute] = await found(records.dispute!.id);
    expect(dispute!.payment_id).toBe(records.payment!.id);
    const [invoice] = await found(records.invoice!.id);
    expect(invoice!.payment_id).toBe(records.invoice!.payment_id);
  });

  it("finds a payment and a dispute by the provider's reference", async () => {
    const payment = await pay(host, 'ok', {}, how());
    expect(await found(payment.psp_reference)).toEqual([
      { type: 'payment', id: payment.id, found_by: 'psp_reference', payment_id: payment.id },
    ]);
    const { body } = await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: payment.id });
    await drain(host);
    expect(await found(body.reference)).toMatchObject([{ type: 'dispute', payment_id: payment.id }]);
  });

  it('finds a customer with the newest of their payments', async () => {
    const payments: Body[] = [];
    for (let n = 0; n < 11; n += 1) payments.push(await pay(host, 'ok', { customer_id: 'kim #1/ä' }, how()));
    const results = await found('kim #1/ä');
    expect(results[0]).toEqual({ type: 'customer', id: 'kim #1/ä', found_by: 'customer_id', payment_id: null });
    expect(results.slice(1).map(({ id }) => id)).toEqual(
      payments
        .slice(1)
        .reverse()
        .map(({ id }) => id),
    );
  });

  it("finds the newest payments of a customer's address, in any spelling, and only where it was given", async () => {
    const first = await pay(host, 'ok', { customer_email: 'Kim.Doe@example.com', customer_id: 'kim-doe' }, how());
    const second = await pay(host, 'ok', { customer_email: 'kim.doe@EXAMPLE.com' }, how());
    await drain(host);
    expect(await found('kim.doe@example.com')).toEqual(
      [second, first].map(({ id }) => ({ type: 'payment', id, found_by: 'customer_email', payment_id: id })),
    );
    expect(await found('kim.do@example.com')).toEqual([]);
    const other = await aShop(host, { conn_a: {} });
    expect(await found('kim.doe@example.com', other.key)).toEqual([]);
  });

  it('keeps no address, and writes one unit more for a payment with one and none without', async () => {
    const rows: [string, Item | undefined][] = [];
    const { lines } = await ledger.of(host, () => pay(host, 'ok', {}, how()));
    const withMail = await ledger.of(host, () => pay(host, 'ok', { customer_email: 'lee@example.com' }, how()));
    const own = (of: readonly Line[]) => of.filter(({ group }) => group !== 'timers' && group !== 'projector');
    const wru = (of: readonly Line[]) =>
      own(of).reduce((all, { item, entries }) => all + item + Object.values(entries).reduce((a, b) => a + b, 0), 0);
    expect(wru(withMail.lines) - wru(lines)).toBe(1);
    for (const change of changes) if (change[0].startsWith('PMAIL#')) rows.push(change);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/lee|kim|@/);
  });

  it('finds nothing by an address once its customer is erased', async () => {
    const gone = { customer_id: 'gone', customer_email: 'gone@example.com' };
    const payment = await pay(host, 'ok', gone, how());
    await drain(host);
    expect(await found('gone@example.com')).toHaveLength(1);
    await host.call('DELETE', '/v1/customers/gone', undefined, how());
    await advance(host, '1h');
    await drain(host);
    expect((await host.call('GET', `/v1/payments/${payment.id}`, undefined, how())).body.customer_email).toBeNull();
    expect(await found('gone@example.com')).toEqual([]);
    expect(await host.deps.paymentMails.find(shop.org_id, 'gone@example.com', 10)).toEqual([]);
  });

  it('does not file an erased address again, where the feed delivers an old version of its payment', async () => {
    const late = { customer_id: 'late', customer_email: 'late@example.com' };
    const { id } = await pay(host, 'ok', late, how());
    await drain(host);
    const old = changes.find(([, item]) => item?.id === id && item?.mail_hash !== undefined)?.[1];
    await host.call('DELETE', '/v1/customers/late', undefined, how());
    await advance(host, '1h');
    await drain(host);
    await relayPayment(paymentEntity.fromItem(old!), host.deps);
    expect(await host.deps.paymentMails.find(shop.org_id, 'late@example.com', 10)).toEqual([]);
  });

  it('drops blanks that were pasted with the text', async () => {
    const payment = await pay(host, 'ok', {}, how());
    expect(await found(` ${payment.id}\n`)).toHaveLength(1);
  });

  it('finds nothing of another organization, and nothing that does not exist', async () => {
    const other = await aShop(host, { conn_a: {} });
    const payment = await pay(host, 'ok', { customer_id: 'theirs' }, { key: other.key });
    for (const q of [
      payment.id,
      payment.psp_reference,
      'theirs',
      newId('payment', new Date()),
      'pay_',
      'x'.repeat(320),
    ])
      expect(await found(q), q).toEqual([]);
    expect(await found(payment.id, other.key)).toHaveLength(1);
  });

  it('leaves out kinds that the caller may not read', async () => {
    const key = await keyWith(host, ['payments:read'], how());
    const [event] = (await host.call('GET', '/v1/webhooks/events', undefined, how())).body.events;
    expect([await found(event.id, key), await found('conn_a', key)]).toEqual([[], []]);
  });

  it.each([
    ['an empty text', ''],
    ['blanks', '%20%20'],
    ['a text that is too long', 'x'.repeat(321)],
  ])('refuses %s', async (_, q) => {
    const answer = await host.call('GET', `/v1/search?q=${q}`, undefined, how());
    expect([answer.status, faultsIn(answer)]).toEqual([400, ['query.q']]);
  });

  it('reads as many units with thousands of payments as with a few', async () => {
    const payment = await pay(host, 'ok', {}, how());
    await drain(host);
    const rru = async (q: string) => {
      const { lines } = await ledger.of(host, () => ask(q));
      return lines.filter(({ group }) => group === 'search').reduce((sum, line) => sum + line.rru, 0);
    };
    const all = async () => [await rru(payment.id), await rru(payment.psp_reference), await rru('nobody')];
    // What a process keeps for some seconds is read first.
    await all();
    const few = Math.max(...(await all()));
    await putMixed(bare, shop.org_id, 0, 2_000);
    expect(Math.max(...(await all()))).toBeLessThanOrEqual(few);
    expect(few).toBeLessThanOrEqual(13);
  });
});
