import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reindex } from '#lib/ops/reindex.ts';
import { MAX_COUNTED } from '#shared/domain/reporting/attention.rules.ts';
import { changesIn } from '#shared/store/changes.ts';
import { indexFaults } from '#shared/store/locate-item.ts';
import { invoiceEntity } from '#shared/store/repos/billing/invoice.repo.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { reviewKeys } from '#shared/store/review-keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { unitLedger } from '#test/bench/unit-ledger.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { aPayment, paymentId } from '#test/support/payment.builder.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  create,
  drain,
  keyWith,
  pay,
  read,
  type Shop,
} from '#test/support/payment-steps.ts';
import { anInvoice, invoiceId } from '#test/support/subscription.builder.ts';

let host: TestHost;
let bare: TablePort;
let shop: Shop;
const ledger = unitLedger();
beforeAll(async () => {
  host = await startHost({
    wrapTable: (table) => {
      bare = table;
      return ledger.through(table);
    },
  });
  shop = await aShop(host, { a: {} });
});
afterAll(() => host.close());

const get = (path: string, key = shop.key): Promise<ApiResponse> => host.call('GET', path, undefined, { key });
const attention = async (key = shop.key): Promise<Body> => (await get('/v1/attention', key)).body;
const reviews = async (query = ''): Promise<Body> => (await get(`/v1/payments/reviews${query}`)).body;

/** A refund that its provider never answers is reviewed after some days. */
async function aReviewedPayment(): Promise<Body> {
  const how = { key: shop.key };
  const payment = await pay(host, 'ok', {}, how);
  await arrange(host, 'http_500', { webhook: 'none', times: 50, match: { operation: 'refund' } });
  await arrange(host, 'garbage', { times: 50, match: { operation: 'fetch_refund' } });
  await act(host, payment.id, 'refund', { amount: 2_000 }, how);
  await advance(host, '8d');
  await host.control('DELETE', '/psp/scenario');
  await drain(host);
  return read(host, payment.id, how);
}

describe('GET /v1/attention', () => {
  it('is empty for a shop where nothing is wrong', async () => {
    const calm = await aShop(host, { b: {} });
    const nothing = { count: 0, more: false, items: [] };
    expect(await attention(calm.key)).toEqual({
      reviews: nothing,
      disputes: nothing,
      connections: nothing,
      invoices: nothing,
      webhooks: { state: 'none', failing_since: null, failed_events: nothing },
      approvals: null,
    });
  });

  it('shows a key only what its scopes read', async () => {
    const key = await keyWith(host, ['payments:read'], { key: shop.key });
    expect(await attention(key)).toMatchObject({
      reviews: { count: 0 },
      disputes: { count: 0 },
      connections: null,
      invoices: null,
      webhooks: null,
      approvals: null,
    });
    const blind = await keyWith(host, ['connections:read'], { key: shop.key });
    expect((await get('/v1/attention', blind)).status).toBe(403);
  });

  it('counts a payment under review until somebody ends it, as its list does', async () => {
    const { id, review } = await aReviewedPayment();
    expect((await attention()).reviews).toEqual({
      count: 1,
      more: false,
      items: [
        {
          payment_id: id,
          reason: 'no_verdict',
          since: review.at,
          amount: 5_000,
          currency: 'EUR',
          status: 'succeeded',
          capturable_until: null,
        },
      ],
    });
    expect((await reviews()).payments).toEqual([await read(host, id, { key: shop.key })]);
    await act(host, id, 'cancel', undefined, { key: shop.key });
    expect((await reviews()).payments).toEqual([]);
    await drain(host);
    expect((await attention()).reviews).toEqual({ count: 0, more: false, items: [] });
  });

  it('shows the disputes that wait for an answer by their deadline, the soonest first', async () => {
    const disputed = async () => {
      const { id } = await pay(host, 'ok', {}, { key: shop.key });
      await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id: id });
      await drain(host);
      return id;
    };
    const first = await disputed();
    await advance(host, '4d');
    const second = await disputed();
    const shown = async () =>
      (await attention()).disputes.items.map(({ payment_id, overdue }: Body) => [payment_id, overdue]);
    expect(await shown()).toEqual([
      [first, false],
      [second, false],
    ]);
    await advance(host, '6d');
    expect(await shown()).toEqual([[second, false]]);
  });

  it('names a connection whose provider does not answer', async () => {
    const { key } = await aShop(host, { down: {} });
    await arrange(host, 'refuse_connection', { times: 24 });
    const body = { amount: 100, currency: 'EUR', payment_method: { type: 'card', token: 'ok' } };
    for (let n = 0; n < 10; n += 1) await create(host, body, { key });
    await host.control('DELETE', '/psp/scenario');
    await drain(host);
    expect((await attention(key)).connections).toMatchObject({
      count: 1,
      items: [{ id: 'down', provider: 'stripe', health_status: 'down' }],
    });
  });
});

describe('the invoices whose collection failed', () => {
  it('are shown also behind hundreds that are under way', async () => {
    const busy = await aShop(host, { i: {} });
    const about = { org_id: busy.org_id, status: 'open' } as const;
    const failed = anInvoice({ ...about, id: invoiceId(1), next_retry_at: '2026-03-05T00:00:00.000Z' });
    await bare.put(invoiceEntity.toItem(failed));
    for (let n = 2; n < 240; n += 1)
      await bare.put(invoiceEntity.toItem(anInvoice({ ...about, id: invoiceId(n), next_retry_at: null })));
    expect((await attention(busy.key)).invoices).toMatchObject({ count: 1, more: false, items: [{ id: failed.id }] });
  });
});

describe('the list of payments under review', () => {
  const at = new Date('2026-02-01T00:00:00Z');
  /** What the projector would have noted of payments with this review. */
  async function note(orgId: string, from: number, count: number): Promise<readonly string[]> {
    const made = Array.from({ length: count }, (_, n) => {
      const review = { reason: 'no_verdict', at: new Date(at.getTime() + (count - n) * 1_000).toISOString() } as const;
      return aPayment({ id: paymentId(from + n), org_id: orgId, status: 'processing', review });
    });
    for (const payment of made) {
      await bare.put(paymentEntity.toItem(payment, at));
      await host.deps.reviews.note(payment, at);
    }
    return made.map(({ id }) => id).reverse();
  }

  it('begins with what waits longest, and every page goes on where the last one ended', async () => {
    const queue = await aShop(host, { q: {} });
    const expected = await note(queue.org_id, 1, 7);
    const found: string[] = [];
    for (let query = '?limit=3'; query !== ''; ) {
      const page = await get(`/v1/payments/reviews${query}`, queue.key);
      found.push(...page.body.payments.map(({ id }: Body) => id));
      query = /\?[^>]+/.exec(page.headers.get('link') ?? '')?.[0] ?? '';
    }
    expect(found).toEqual(expected);
    const second = await get('/v1/payments/reviews?limit=2&offset=2', queue.key);
    expect(second.body.payments.map(({ id }: Body) => id)).toEqual(expected.slice(2, 4));
    expect((await get('/v1/payments/reviews?cursor=nonsense', queue.key)).status).toBe(400);
  });

  it('counts a hundred at most, and costs the same for more', async () => {
    const [some, many] = [await aShop(host, { s: {} }), await aShop(host, { m: {} })];
    await note(some.org_id, 1_000, MAX_COUNTED);
    await note(many.org_id, 2_000, 3 * MAX_COUNTED);
    const cost = async ({ key }: Shop) => {
      const { lines } = await ledger.of(host, () => attention(key).then(() => undefined));
      return lines.reduce((sum, line) => sum + (line.group === 'timers' ? 0 : line.rru), 0);
    };
    expect((await attention(some.key)).reviews).toMatchObject({ count: MAX_COUNTED, more: false });
    expect((await attention(many.key)).reviews).toMatchObject({ count: MAX_COUNTED, more: true });
    const [few, much] = [await cost(some), await cost(many)];
    expect(much).toBeLessThanOrEqual(few + 5);
    expect(few).toBeLessThan(40);
  });

  it('does not bring back an ended review when the feed delivers an older version again', async () => {
    const queue = await aShop(host, { o: {} });
    const [id = ''] = await note(queue.org_id, 10, 1);
    const open = (await host.deps.payments.byId(id))!;
    const ended = { ...open, version: open.version + 1, review: null };
    await host.deps.reviews.note(ended, at);
    await host.deps.reviews.note(open, at);
    expect(await host.deps.reviews.list(queue.org_id, { limit: 10 })).toEqual({ ids: [], next: undefined });
    expect((await bare.get(reviewKeys.review(id)))?.ttl).toBeGreaterThan(0);
  });

  /** In a store of its own, without a projector that would soon do what the operators do. */
  const reviewed = aPayment({
    id: paymentId(5_000),
    status: 'processing',
    review: { reason: 'no_verdict', at: at.toISOString() },
  });

  it('is repaired by the operators: a payment under review without an entry is a fault', async () => {
    const { table, reviews } = memoryStore();
    await table.put(paymentEntity.toItem(reviewed, at));
    const missing = async () =>
      (await indexFaults(table, reviewed.id, at))?.map(({ index, stored }) => [index, stored]);
    expect(await missing()).toEqual([['status', null]]);
    await reviews.note(reviewed, at);
    expect(await missing()).toEqual([]);
  });

  it('loses an entry of an ended review that was left, once the operators make it again', async () => {
    const store = memoryStore();
    await store.reviews.note(reviewed, at);
    await store.table.put(paymentEntity.toItem({ ...reviewed, version: reviewed.version + 1, review: null }, at));
    const faults = () => indexFaults(store.table, reviewed.id, at);
    expect((await faults())?.map(({ expected }) => expected)).toEqual([null]);
    const deadLetters = { names: [], count: async () => 0, redrive: async () => '' };
    const deps = { ...host.deps, ...store };
    const by = { by: 'operator@example.com', command: 'reindex', reason: undefined };
    const ops = { deps, table: store.table, deadLetters, close: async () => undefined };
    await reindex(reviewed.id, { from: undefined, to: undefined }, by, ops);
    expect(await store.reviews.list(reviewed.org_id, { limit: 10 })).toEqual({ ids: [], next: undefined });
    expect(await faults()).toEqual([]);
  });

  it('costs a payment that nobody reviews nothing', async () => {
    const item = paymentEntity.toItem(aPayment({ id: paymentId(900), org_id: shop.org_id, status: 'succeeded' }), at);
    const [change] = changesIn([{ seq: '1', key: item, new: item }]);
    const { listReviews } = await import('#shared/services/reporting/list-reviews.service.ts');
    const never = { note: () => Promise.reject(new Error('It was noted.')), list: () => Promise.reject(new Error()) };
    expect(await listReviews([change!], { ...host.deps, reviews: never })).toBeUndefined();
  });
});
