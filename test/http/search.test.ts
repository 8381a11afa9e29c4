import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, randomBits } from '#shared/kernel/ids.ts';
import { relayPayment } from '#shared/services/relay/relay-events.service.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { fileRefunds } from '#shared/store/repos/payments/payment-index.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { putMixed } from '#test/bench/mixed-payments.ts';
import { type Line, unitLedger } from '#test/bench/unit-ledger.ts';
import { subscribe } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  drain,
  faultsIn,
  keyWith,
  pay,
  payAnywhere,
  type Shop,
} from '#test/support/payment-steps.ts';
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

  it('finds the payment of a refund, whoever made it, and whether or not it succeeded', async () => {
    const payment = await pay(host, 'ok', {}, how());
    await arrange(host, 'pending', { webhook: 'none', match: { operation: 'refund' } });
    const { body: pending } = await act(host, payment.id, 'refund', { amount: 100 }, how());
    await host.control('DELETE', '/psp/scenario');
    const { body: both } = await act(host, payment.id, 'refund', { amount: 200 }, how());
    const ids = both.refunds.map(({ id }: Body) => id);
    expect([pending.refunds[0].status, ids.length]).toEqual(['pending', 2]);
    for (const id of ids)
      expect(await found(id)).toEqual([{ type: 'refund', id, found_by: 'id', payment_id: payment.id }]);
    const other = await aShop(host, { conn_a: {} });
    expect(await found(ids[0], other.key)).toEqual([]);
    expect(await found(newId('refund', new Date()))).toEqual([]);
  });

  it('finds nothing by a refund that lost its race, and was never made', async () => {
    const payment = await pay(host, 'ok', {}, how());
    const { refunds } = (await act(host, payment.id, 'refund', { amount: 100 }, how())).body;
    const stored = (await host.deps.payments.get(shop.org_id, payment.id))!;
    const lost = newId('refund', new Date());
    await fileRefunds(bare, stored, { id: stored.id, refunds: [{ ...refunds[0], id: lost }] });
    expect(await host.deps.refundIndex.paymentOf(lost)).toBe(payment.id);
    expect(await found(lost)).toEqual([]);
  });

  it('finds the payment of an attempt of the request that created it, also after a failover', async () => {
    const two = await aShop(host, { conn_a: {}, conn_b: {} });
    await arrange(host, 'decline:issuer_unavailable', { times: 1 });
    const { id, attempts } = await payAnywhere(host, 'ok', {}, { key: two.key });
    expect(attempts).toHaveLength(2);
    for (const attempt of attempts)
      expect(await found(attempt.id, two.key)).toEqual([
        { type: 'attempt', id: attempt.id, found_by: 'id', payment_id: id },
      ]);
    expect(await found(attempts[0].id)).toEqual([]);
  });

  it('writes one unit for a refund to be found, and none for an attempt', async () => {
    const payment = await pay(host, 'ok', {}, how());
    await drain(host);
    changes.length = 0;
    const { refunds } = (await act(host, payment.id, 'refund', { amount: 100 }, how())).body;
    await pay(host, 'ok', {}, how());
    const filed = changes.filter(([, item]) => item?.item_type === 'filed_refund');
    expect(filed).toEqual([[`PAY#${randomBits(refunds[0].id)}`, expect.objectContaining({ payment_id: payment.id })]]);
    expect(itemSize(filed[0]![1]!)).toBeLessThan(1_024);
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
    const { refunds, attempts } = (await act(host, payment.id, 'refund', { amount: 100 }, how())).body;
    await drain(host);
    const rru = async (q: string) => {
      const { lines } = await ledger.of(host, () => ask(q));
      return lines.filter(({ group }) => group === 'search').reduce((sum, line) => sum + line.rru, 0);
    };
    const looked = [payment.id, payment.psp_reference, 'nobody', refunds[0].id, attempts[0].id];
    const all = async () => {
      const read: number[] = [];
      for (const q of looked) read.push(await rru(q));
      return read;
    };
    // What a process keeps for some seconds is read first.
    await all();
    const few = await all();
    await putMixed(bare, shop.org_id, 0, 2_000);
    const many = await all();
    for (const [n, read] of many.entries()) expect(read, looked[n]).toBeLessThanOrEqual(few[n]!);
    expect(Math.max(...few)).toBeLessThanOrEqual(20);
  });
});
