import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCursor } from '#shared/http/schema/common.schema.ts';
import {
  cancel,
  faultsOf,
  INVOICES,
  invoicesOf,
  itKnowsItsCallers,
  pagesOf,
  subscribe,
  typesOf,
  update,
  verdictOf,
} from '#test/http/subscriptions/subscriptions.support.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { advance, aShop, moneyOf, read, type Shop } from '#test/support/payment-steps.ts';

const NEVER = 'inv_01jzzzzzzzfz0a1b2c3d4e5f6g';
const BROKE = { payment_method: { type: 'card', token: 'decline_insufficient_funds' } };
const LOST = { payment_method: { type: 'card', token: 'decline_lost_card' } };
const GOOD = { payment_method: { type: 'card', token: 'ok' } };

let host: TestHost;
let shop: Shop;
const made: Record<string, Body> = {};
/** Invoices by name; the newest is `canceled`. */
const invoices: Record<string, Body> = {};

beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { a: {} });
  const wishes: Readonly<Record<string, Body>> = {
    paid: {},
    bob: { customer_id: 'bob', plan_id: 'silver' },
    open: { ...BROKE, customer_id: 'bob' },
    failed: { ...LOST, plan_id: 'silver' },
    canceled: { ...BROKE },
  };
  for (const [name, wish] of Object.entries(wishes)) {
    await advance(host, '1m');
    made[name] = await subscribe(host, wish, how());
    await invoicesOf(host, made[name], how());
  }
  await cancel(host, made.canceled.id, undefined, how());
  for (const name of Object.keys(wishes)) invoices[name] = (await invoicesOf(host, made[name], how()))[0];
});
afterAll(() => host?.close());

const how = () => ({ key: shop.key });
const ask = (path: string, options: CallOptions = how()): Promise<ApiResponse> =>
  host.call('GET', INVOICES + path, undefined, options);
const namesOf = (listed: Body[]) =>
  listed.map(({ id }) => Object.keys(invoices).find((name) => invoices[name].id === id));
const names = async (query: string) => namesOf((await ask(query)).body.invoices);
const act = (id: string, action: 'retry' | 'cancel', options: CallOptions = how()): Promise<ApiResponse> =>
  host.call('POST', `${INVOICES}/${id}/${action}`, undefined, options);
const showInvoice = async (id: string): Promise<Body> => (await ask(`/${id}`)).body;

/** The one invoice of a new subscription. */
async function owed(wish: Body): Promise<{ readonly subscription: Body; readonly invoice: Body }> {
  const subscription = await subscribe(host, wish, how());
  const [invoice] = await invoicesOf(host, subscription, how());
  return { subscription, invoice };
}

describe('GET /v1/invoices/{id}', () => {
  it('returns the invoice without internal fields', async () => {
    const { status, body } = await ask(`/${invoices.paid.id}`);
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
        org_id: shop.org_id,
        subscription_id: made.paid.id,
        customer_id: 'ann',
        plan_id: 'gold',
        number: expect.stringMatching(/^[0-9A-Z]{8}-0001$/),
        amount: 5_000,
        currency: 'EUR',
        status: 'paid',
        period_start: made.paid.start_at,
        period_end: made.paid.next_renewal_at,
        attempts: 1,
        next_retry_at: null,
        payment_id: expect.stringMatching(/^pay_/),
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await read(host, body.payment_id, how())).toMatchObject({
      status: 'succeeded',
      amount: 5_000,
      customer_id: 'ann',
    });
  });
});

describe('GET /v1/invoices', () => {
  it('lists the newest first, each as GET returns it', async () => {
    const { status, body } = await ask('');
    expect([status, body.pagination, namesOf(body.invoices)]).toEqual([
      200,
      { limit: 50, offset: 0, has_more: false, next_cursor: null },
      ['canceled', 'failed', 'open', 'bob', 'paid'],
    ]);
    for (const invoice of body.invoices) expect(invoice).toEqual(await showInvoice(invoice.id));
  });

  it.each([
    ['?status=open', ['open']],
    ['?status=paid', ['bob', 'paid']],
    ['?status=failed', ['failed']],
    ['?status=canceled', ['canceled']],
    ['?customer_id=bob', ['open', 'bob']],
    ['?customer_id=bob&status=open', ['open']],
    ['?customer_id=nobody', []],
    ['?plan_id=silver', ['failed', 'bob']],
    ['?plan_id=silver&customer_id=bob&status=paid', ['bob']],
    ['?plan_id=none', []],
    [`?subscription_id=sub_${NEVER.slice(4)}`, []],
    ['?subscription_id=nonsense', []],
    ['?limit=2', ['canceled', 'failed']],
    ['?limit=2&offset=3', ['bob', 'paid']],
    ['?status=paid&limit=1&offset=1', ['paid']],
    ['?offset=10000', []],
  ])('returns %s', async (query, expected) => expect(await names(query)).toEqual(expected));

  it('lists the invoices of one subscription', async () => {
    expect(await names(`?subscription_id=${made.open.id}`)).toEqual(['open']);
    expect(await names(`?subscription_id=${made.open.id}&status=paid`)).toEqual([]);
    expect(await names(`?subscription_id=${made.open.id}&customer_id=ann`)).toEqual([]);
  });

  it('includes the exact millisecond of `created_after` and excludes that of `created_before`', async () => {
    const [from, to] = [invoices.bob.created_at, invoices.failed.created_at];
    expect(await names(`?created_after=${from}&created_before=${to}`)).toEqual(['open', 'bob']);
    expect(await names(`?created_before=${from}`)).toEqual(['paid']);
    expect(await names(`?created_after=${to}&status=canceled`)).toEqual(['canceled']);
  });

  it.each([
    '?limit=1',
    '?limit=2&offset=1',
    '?limit=1&status=paid',
    '?limit=1&plan_id=silver',
    '?limit=1&customer_id=bob',
  ])('links from page to page: %s', async (query) => {
    const all = await names(query.replace(/limit=\d+&?/, '').replace(/^\?$/, ''));
    const pages = await pagesOf(host, INVOICES + query, how());
    expect(pages.flatMap(({ body }) => namesOf(body.invoices))).toEqual(all);
    expect(pages.map(({ body }) => body.pagination.has_more)).toEqual(pages.map((_, n) => n < pages.length - 1));
  });

  it('returns nothing of another organization', async () => {
    const { key } = await anOrganization(host);
    for (const query of ['', '?customer_id=bob', `?subscription_id=${made.paid.id}`, '?status=paid']) {
      expect((await ask(query, { key })).body.invoices).toEqual([]);
    }
  });

  it.each([
    ['limit=0', 'query.limit'],
    ['limit=201', 'query.limit'],
    ['offset=10001', 'query.offset'],
    ['status=due', 'query.status'],
    ['customer_id=', 'query.customer_id'],
    ['subscription_id=', 'query.subscription_id'],
    ['created_after=yesterday', 'query.created_after'],
    [`cursor=${writeCursor(NEVER.replace('inv_', 'sub_'))}`, 'query.cursor'],
    [`cursor=${writeCursor(`${NEVER}+0`)}`, 'query.cursor'],
    ['number=1', 'query.number'],
  ])('answers 400 for ?%s', async (query, path) => {
    const answer = await ask(`?${query}`);
    expect([verdictOf(answer), faultsOf(answer)]).toEqual([[400, 'invalid_request'], [path]]);
  });
});

describe('POST /v1/invoices/{id}/retry', () => {
  it.each<readonly [string, Body]>([
    ['an open one', BROKE],
    ['a failed one', LOST],
  ])('collects %s with the current payment method of the subscription', async (_, wish) => {
    const { subscription, invoice } = await owed(wish);
    await update(host, subscription.id, GOOD, how());
    const { status, body } = await act(invoice.id, 'retry');
    expect([status, body]).toMatchObject([
      200,
      { id: invoice.id, status: 'paid', attempts: 2, next_retry_at: null, payment_id: expect.any(String) },
    ]);
    expect(await showInvoice(invoice.id)).toEqual(body);
    expect(await moneyOf(host, body.payment_id)).toMatchObject({ amount: 5_000, count: 1 });
    expect((await typesOf(host, invoice.id, how())).at(-1)).toBe('paid');
  });

  it('returns 200 even if it is declined again, and keeps the planned retry', async () => {
    const { invoice } = await owed(BROKE);
    await advance(host, '1h');
    const { status, body } = await act(invoice.id, 'retry');
    expect([status, body]).toMatchObject([200, { status: 'open', attempts: 2, next_retry_at: invoice.next_retry_at }]);
  });

  it('does not resume the subscription of a failed invoice', async () => {
    const { subscription, invoice } = await owed(LOST);
    await update(host, subscription.id, GOOD, how());
    expect((await act(invoice.id, 'retry')).body.status).toBe('paid');
    expect((await host.call('GET', `/v1/subscriptions/${subscription.id}`, undefined, how())).body.status).toBe(
      'paused',
    );
  });

  it.each(['paid', 'canceled'])('returns 409 for a %s invoice', async (name) => {
    expect(await act(invoices[name].id, 'retry')).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'invoice_not_retryable' },
    });
    expect(await showInvoice(invoices[name].id)).toEqual(invoices[name]);
  });

  it('returns 409 if nothing has changed since a hard decline', async () => {
    expect(await act(invoices.failed.id, 'retry')).toMatchObject({
      status: 409,
      body: { code: 'invoice_not_retryable' },
    });
    expect(await showInvoice(invoices.failed.id)).toEqual(invoices.failed);
  });
});

describe('POST /v1/invoices/{id}/cancel', () => {
  it.each<readonly [string, Body]>([
    ['an open one', BROKE],
    ['a failed one', LOST],
  ])('stops all retries of %s', async (_, wish) => {
    const { invoice } = await owed(wish);
    const { status, body } = await act(invoice.id, 'cancel');
    expect([status, body]).toEqual([
      200,
      { ...invoice, status: 'canceled', next_retry_at: null, updated_at: expect.any(String) },
    ]);
    await advance(host, '12d');
    expect(await showInvoice(invoice.id)).toEqual(body);
    expect((await typesOf(host, invoice.id, how())).at(-1)).toBe('canceled');
  });

  it.each(['paid', 'canceled'])('returns 409 for a %s invoice', async (name) => {
    expect(await act(invoices[name].id, 'cancel')).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'invoice_not_cancelable' },
    });
    expect(await showInvoice(invoices[name].id)).toEqual(invoices[name]);
  });
});

describe('an idempotency key', () => {
  it.each(['retry', 'cancel'] as const)(
    'of a %s returns the first response again, and takes effect once',
    async (action) => {
      const { invoice } = await owed(BROKE);
      const key = { ...how(), idempotencyKey: randomUUID() };
      const first = await act(invoice.id, action, key);
      const again = await act(invoice.id, action, key);
      expect([first.status, again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
        200,
        200,
        first.text,
        'true',
      ]);
      expect(await showInvoice(invoice.id)).toEqual(first.body);
      expect(verdictOf(await act(invoice.id, action === 'retry' ? 'cancel' : 'retry', key))).toEqual([
        422,
        'idempotency_key_reused',
      ]);
    },
  );
});

describe('callers', () => {
  // Of the demo organization, whose keys make the requests.
  const about = async () => (await invoicesOf(host, await subscribe(host)))[0];
  const never = 'There is no such invoice.';
  itKnowsItsCallers(
    () => host,
    ['GET', INVOICES, 'invoices:read'],
    async () => ({ id: '' }),
    '',
  );
  itKnowsItsCallers(() => host, ['GET', `${INVOICES}/{id}`, 'invoices:read'], about, never);
  itKnowsItsCallers(() => host, ['POST', `${INVOICES}/{id}/retry`, 'invoices:write'], about, never);
  itKnowsItsCallers(() => host, ['POST', `${INVOICES}/{id}/cancel`, 'invoices:write'], about, never);
});
