import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { crashesAt, crashPointsOf, expireLease, retryUntilDone } from '#test/faults/crash-sweep.support.ts';
import {
  aDebtor,
  aRenewal,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  FIRST_RENEWAL_EVENTS,
  SOFT_DECLINE,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { changeSubscription, goTo, invoicesOf, moveSubscription, savedCard, stopUntil } from '#test/support/billing.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';
import { advance, arrange, aShop, complete, drain, operationsOf, type Shop } from '#test/support/payment-steps.ts';

/**
 * Requests about a subscription hold whatever happens in between: its end, its payment method and connection, and its
 * changes.
 */
let host: TestHost;
/** Lists of invoices do not show the newest writes yet. */
let lag = false;
beforeAll(async () => {
  host = await startHost({
    pspBudgetMs: 500,
    wrapTable: (table) =>
      changed(table, {
        entries: async (index, where) => {
          const page = await table.entries(index, where);
          return lag ? { ...page, items: page.items.filter(({ pk }) => !pk.startsWith('INV#')) } : page;
        },
      }),
  });
});
afterEach(async () => {
  lag = false;
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(() => host.close());

const YEARLY = { interval: 'yearly' };
const DAY = 86_400_000;
const cancel = (debtor: Debtor, body?: Body): Promise<ApiResponse> =>
  moveSubscription(host, debtor, 'cancel', body, debtor.how);
const change = (debtor: Debtor, changes: Body, more: Body = {}): Promise<ApiResponse> =>
  changeSubscription(host, debtor, changes, { ...debtor.how, ...more });
const refundsOf = ({ refunds }: Body) => refunds.map(({ amount, reason, status }: Body) => [amount, reason, status]);
const CANCELED = { ...FIRST_CHARGE_EVENTS, 'invoice.canceled': 1, 'subscription.canceled': 1 };

describe('a subscription that is canceled immediately', () => {
  it("cancels an invoice that waits for the customer at a provider that can't, and refunds a late charge", async () => {
    const shop = await aShop(host, { a: { capabilities: { cancel: false } } });
    const debtor = await aDebtor(host, 'needs_3ds', YEARLY, shop);
    expect((await cancel(debtor)).body.status).toBe('canceled');
    expect([(await debtor.invoice()).status, (await debtor.payment()).status]).toEqual(['canceled', 'requires_action']);
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    await advance(host, '2m');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['canceled', [[1, 0]]]);
    expect(refundsOf(await debtor.payment())).toEqual([[1_990, 'after_cancel', 'succeeded']]);
    expect(await debtor.events()).toEqual({ ...CANCELED, 'payment.succeeded': 1 });
  });

  it('cancels the invoice whose payment was stored and not sent, and keeps no money', async () => {
    await host.control('POST', '/faults', { point: 'psp', nth: 1, kind: 'crash', when: 'before', handler: 'renewals' });
    const debtor = await aDebtor(host, 'ok', YEARLY);
    expect([(await debtor.payment()).status, await operationsOf(host, (await debtor.payment()).id)]).toEqual([
      'processing',
      [],
    ]);
    expect((await cancel(debtor)).body.status).toBe('canceled');
    expect(await debtor.invoice()).toMatchObject({ status: 'canceled', next_retry_at: null });
    await advance(host, '3m');
    const [[, kept] = []] = await debtor.taken();
    expect([(await debtor.invoice()).status, kept]).toEqual(['canceled', 0]);
    expect(await debtor.events()).toMatchObject(CANCELED);
  });

  it('cancels the newest invoice even if lists do not show it yet', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, YEARLY);
    lag = true;
    expect(
      (await host.call('GET', `/v1/invoices?subscription_id=${debtor.id}`, undefined, debtor.how)).body.invoices,
    ).toEqual([]);
    await cancel(debtor);
    lag = false;
    expect(await debtor.invoice()).toMatchObject({ status: 'canceled', attempts: 1, next_retry_at: null });
    expect(await debtor.events()).toEqual({ ...CANCELED, 'payment.failed': 1 });
  });

  it('was renewed once more by a charge that was running', async () => {
    const debtor = await aRenewal(host, () => arrange(host, 'timeout_after_charge', { webhook: 'none' }));
    await cancel(debtor);
    expect((await debtor.invoice()).status).toBe('open');
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, (await debtor.taken())[1]]).toEqual(['paid', [1, 1_990]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
      'subscription.canceled': 1,
    });
  });
});

describe('a scheduled cancel', () => {
  it.each<readonly [string, (debtor: Debtor) => Promise<ApiResponse>]>([
    ['a resume', (debtor) => moveSubscription(host, debtor, 'resume', undefined, debtor.how)],
    ['a change of its status', (debtor) => change(debtor, { status: 'active' })],
  ])('outlasts a pause that ends with %s', async (_, resume) => {
    const debtor = await aDebtor(host, 'ok');
    const { next_renewal_at } = await debtor.subscription();
    await cancel(debtor, { at_period_end: true });
    await change(debtor, { status: 'paused' });
    expect((await resume(debtor)).body).toMatchObject({ status: 'active', cancel_at_period_end: true });
    await goTo(host, next_renewal_at);
    await advance(host, '40d');
    expect([(await debtor.subscription()).status, (await debtor.payments()).length, await debtor.taken()]).toEqual([
      'canceled',
      1,
      [[1, 1_990]],
    ]);
  });
});

describe('several missed periods at once', () => {
  it('do not pause the subscription if a velocity rule blocks some, and are paid once it allows them', async () => {
    const shop = await aShop(host, { a: {} });
    const velocity = [{ field: 'customer_id', max_payments: 2, window: '1h' }];
    expect(
      (await host.call('POST', '/v1/policies/fraud', { enabled: true, action: 'block', velocity }, { key: shop.key }))
        .status,
    ).toBe(200);
    const debtor = await aDebtor(host, 'ok', { interval: 'weekly' }, shop);
    await stopUntil(
      host,
      new Date(Date.parse((await debtor.subscription()).next_renewal_at) + 21 * DAY + 1_000).toISOString(),
    );
    const invoices = async () => (await invoicesOf(host, debtor, debtor.how)).map(({ status }) => status).toSorted();
    expect([await invoices(), (await debtor.subscription()).status]).toEqual([
      ['open', 'open', 'paid', 'paid', 'paid'],
      'active',
    ]);
    expect((await debtor.payments()).flatMap(({ failure }) => failure?.code ?? [])).toEqual([
      'fraud_blocked',
      'fraud_blocked',
    ]);
    await toNextRetry(host, debtor);
    await advance(host, '1m');
    expect([await invoices(), (await debtor.subscription()).status]).toEqual([Array(5).fill('paid'), 'active']);
  });
});

describe('a token without a known connection', () => {
  const GERMAN = { country: 'DE', ...YEARLY };
  const card = (token: string) => ({ payment_method: { type: 'card', token } });
  const toB = async ({ key }: Shop): Promise<Body> => {
    const rule = { name: 'b', connection_id: 'b', priority: 10, countries: ['DE'], fallback_to_default: true };
    return (await host.call('POST', '/v1/routing-rules', rule, { key })).body;
  };
  const renew = async (debtor: Debtor) => goTo(host, (await debtor.subscription()).next_renewal_at);
  const connectionsOf = ({ attempts }: Body) => attempts.map(({ connection_id }: Body) => connection_id);
  const consideredBy = ({ routing }: Body) =>
    routing.considered.map(({ connection_id, reason }: Body) => [connection_id, reason]);

  it('goes to no other connection of its provider, neither by routing nor if its own is deleted', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    const debtor = await aDebtor(host, 'ok', { ...GERMAN, ...card('ok') }, shop);
    await toB(shop);
    await renew(debtor);
    expect((await debtor.payments()).map(connectionsOf)).toEqual([['a'], ['a']]);
    await host.call('PATCH', '/v1/connections/a/status', { status: 'inactive' }, debtor.how);
    await renew(debtor);
    const payment = await debtor.payment();
    expect([payment.status, payment.failure.code, payment.attempts, Object.fromEntries(consideredBy(payment))]).toEqual(
      ['failed', 'no_route', [], { a: 'inactive', b: 'no_token' }],
    );
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status]).toEqual(['open', 'active']);
  });

  it('stays with the connection of the first attempt that could send it', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    const debtor = await aDebtor(host, 'ok', { ...GERMAN, ...card(SOFT_DECLINE) }, shop);
    const { id } = await toB(shop);
    await change(debtor, card('ok'));
    await toNextRetry(host, debtor);
    expect([(await debtor.invoice()).status, connectionsOf(await debtor.payment())]).toEqual(['paid', ['a', 'b']]);
    await host.call('DELETE', `/v1/routing-rules/${id}`, undefined, debtor.how);
    await renew(debtor);
    expect([(await debtor.invoice()).status, connectionsOf(await debtor.payment())]).toEqual(['paid', ['b']]);
  });

  it('goes to the connection that routing prefers if it replaces another method', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    const debtor = await aDebtor(host, 'ok', { ...GERMAN, ...card('ok') }, shop);
    await toB(shop);
    await change(debtor, { payment_method: savedCard('ok') });
    await renew(debtor);
    expect((await debtor.payments()).map(connectionsOf)).toEqual([['a'], ['b']]);
  });
});

describe('a change whose response was lost', () => {
  it('is not applied again by its repeat after other changes', async () => {
    const amounts = async () => (await debtor.subscription()).amount;
    const debtor = await aDebtor(host, 'ok', YEARLY);
    await drain(host);
    const points = await crashPointsOf(host, 'subscriptions', () => change(debtor, { amount: 1_000 }));
    const written = points.filter(({ method, when }) => method === 'put' && when === 'after').at(-1)!;
    await drain(host);
    await host.control('POST', '/faults', { ...written, method: undefined, kind: 'crash', handler: 'subscriptions' });
    const same = { idempotencyKey: randomUUID() };
    const again = () => change(debtor, { amount: 3_000 }, same);
    expect(await crashesAt(host, again, 'after the change was written')).toBe(true);
    expect(await amounts()).toBe(3_000);
    for (let n = 1; n <= 7; n += 1) expect((await change(debtor, { amount: 4_000 + n })).status).toBe(200);
    await expireLease(host);
    expect((await retryUntilDone(host, again)).status).toBe(200);
    expect(await amounts()).toBe(4_007);
  });
});
