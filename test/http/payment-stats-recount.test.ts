import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DISPUTE_STATUSES } from '#shared/domain/disputes/dispute.model.ts';
import { aConnection, type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  arrange,
  aShop,
  complete,
  drain,
  pay,
  payAnywhere,
  payOnPage,
  type Shop,
} from '#test/support/payment-steps.ts';

/** Payments with every possible history on three days; then every number is recounted from the payments. */
let host: TestHost;
let shop: Shop;
let payments: Body[];

const EUROPE = { currencies: ['EUR', 'USD'] };

beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, {
    a: { capabilities: EUROPE },
    b: { capabilities: EUROPE, routing_hints: { fallback_only: true } },
  });
  await aConnection(host, shop, { id: 'm', provider: 'mollie', capabilities: { currencies: ['GBP'] } });
  const [early, late] = [await firstDay(), await payOnPage(host, {}, { key: shop.key })];
  await advance(host, '26h');
  await secondDay(early, late);
  await advance(host, '24h');
  await payOnPage(host, { currency: 'GBP' }, { key: shop.key });
  await drain(host);
  payments = (await host.call('GET', '/v1/payments?limit=200', undefined, { key: shop.key })).body.payments;
});
afterAll(() => host.close());

const give = async (payment: Body, amount?: number) =>
  (await act(host, payment.id, 'refund', { amount }, { key: shop.key })).body;

/** Creates a payment that is refunded later. */
async function firstDay(): Promise<Body> {
  const how = { key: shop.key };
  const [paid, parts] = [await pay(host, 'ok', {}, how), await pay(host, 'ok', { currency: 'USD', amount: 900 }, how)];
  await give(parts, 100);
  await give(parts, 250);
  await pay(host, 'decline_lost_card', {}, how);
  await anIntent(host, 'ok', { amount: 77 }, how);
  await act(host, (await anIntent(host, 'ok', {}, how)).id, 'cancel', undefined, how);
  await pay(host, 'pending', { amount: 123 }, how);
  await pay(host, 'ok', { currency: 'KES' }, how);
  await pay(host, 'ok', { capture: 'manual', amount: 1_700 }, how);
  const part = await pay(host, 'ok', { capture: 'manual', amount: 2_500 }, how);
  await act(host, part.id, 'capture', { amount: 1_900 }, how);
  await arrange(host, 'refuse_connection');
  await payAnywhere(host, 'ok', { amount: 3_333 }, how);
  return paid;
}

/** `late`: a page that its customer left open for more than a day and then paid. */
async function secondDay(early: Body, late: Body): Promise<void> {
  const how = { key: shop.key };
  await complete(host, late.id, 'succeeded');
  await give(early);
  const canceled = await payOnPage(host, { amount: 600 }, how);
  await act(host, canceled.id, 'cancel', undefined, how);
  await complete(host, canceled.id, 'succeeded');
  const failed = await pay(host, 'decline_insufficient_funds', { amount: 450 }, how);
  await act(host, failed.id, 'retry', { payment_method: { type: 'card', token: 'ok' } }, how);
  await arrange(host, 'pending', { webhook: 'none', match: { operation: 'refund' } });
  await give(await pay(host, 'ok', { amount: 800 }, how));
}

const STATUSES = [
  ...['created', 'processing', 'requires_action', 'authorized'],
  ...['succeeded', 'failed', 'canceled', 'refunded'],
];
/** Nobody disputes these payments. */
const NO_DISPUTES = {
  total: 0,
  by_status: Object.fromEntries(DISPUTE_STATUSES.map((status) => [status, 0])),
};

function counted(some: Body[]) {
  const by_status = Object.fromEntries(
    STATUSES.map((status) => [status, some.filter((p) => p.status === status).length]),
  );
  const [paid, decided] = [/^(succeeded|refunded)$/, /^(succeeded|refunded|failed)$/].map(
    (statuses) => some.filter((p) => statuses.test(p.status)).length,
  );
  const success_rate = decided ? Number((paid! / decided).toFixed(4)) : null;
  return { total: some.length, by_status, success_rate, disputes: NO_DISPUTES };
}

/** The failed payments by code, most first. */
function reasons(some: Body[]) {
  const failed = some.filter(({ status }) => status === 'failed').map((p) => p.failure);
  return [...Map.groupBy(failed, ({ code }) => code as string)]
    .map(([code, own]) => ({ code, category: own[0].category, count: own.length }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
}

/** Of the calls that payments made at the connection that they stayed with. */
function latency(some: Body[]) {
  const times = some
    .flatMap((p) => p.attempts.filter((attempt: Body) => attempt.connection_id === p.connection_id))
    .flatMap(({ latency_ms }) => latency_ms ?? []);
  const sum = times.reduce((total, ms) => total + ms, 0);
  return { calls: times.length, average_ms: times.length > 0 ? Math.round(sum / times.length) : null };
}

function money(some: Body[]) {
  const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0);
  const taken = some.filter(({ status }) => status === 'succeeded' || status === 'refunded');
  return {
    volume: sum(taken.map((p) => p.captured_amount ?? p.amount)),
    refunded_amount: sum(some.map((p) => p.amount_refunded)),
    disputed_amount: 0,
    dispute_lost_amount: 0,
  };
}

/** One per value, in order, with the statistics of the payments that have it. */
const each = (
  some: Body[],
  partOf: (payment: Body) => string | null,
  tell: (own: Body[], value: string | null) => Body,
) =>
  [...new Set(some.map(partOf))]
    .sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map((value) =>
      tell(
        some.filter((p) => partOf(p) === value),
        value,
      ),
    );

const inMoney = (some: Body[]) =>
  each(
    some,
    (p) => p.currency,
    (own, currency) => ({ currency, ...money(own) }),
  );

const recounted = (some: Body[], from: string, to: string) => ({
  from,
  to,
  ...counted(some),
  by_reason: reasons(some),
  by_currency: each(
    some,
    (p) => p.currency,
    (own, currency) => ({ currency, ...counted(own), ...money(own) }),
  ),
  by_provider: each(
    some,
    (p) => p.provider,
    (own, provider) => ({
      provider,
      ...counted(own),
      by_reason: reasons(own),
      latency: latency(own),
      money: inMoney(own),
    }),
  ),
  by_day: each(some, dayOf, (own, day) => ({ day, ...counted(own), money: inMoney(own) })),
});

const dayOf = ({ created_at }: Body): string => created_at.slice(0, 10);

describe('the statistics of payments with every history', () => {
  it('cover every status', () => {
    expect([...new Set(payments.map((p) => p.status))].sort()).toEqual([...STATUSES].sort());
    expect([...new Set(payments.map(dayOf))]).toHaveLength(3);
    expect([...new Set(payments.map((p) => p.connection_id))].sort()).toEqual(['a', 'b', 'm', null]);
    expect(payments.some((p) => p.late_success && p.status === 'succeeded')).toBe(true);
    expect(payments.some((p) => p.status === 'canceled' && p.refunds.length > 0)).toBe(true);
    expect(payments.some((p) => p.refunds.some((refund: Body) => refund.status === 'pending'))).toBe(true);
    expect(reasons(payments).length).toBeGreaterThan(1);
  });

  it.each<[string, (payment: Body) => boolean]>([
    ['', () => true],
    ['&currency=EUR', (p) => p.currency === 'EUR'],
    ['&currency=kes', (p) => p.currency === 'KES'],
    ['&connection_id=a', (p) => p.connection_id === 'a'],
    ['&connection_id=b', (p) => p.connection_id === 'b'],
    ['&connection_id=m', (p) => p.connection_id === 'm'],
    ['&connection_id=a&currency=USD', (p) => p.connection_id === 'a' && p.currency === 'USD'],
    ['&connection_id=nobody', () => false],
  ])('match a recount, for any span of days and %s', async (query, fits) => {
    const days = [...new Set(payments.map(dayOf))].sort();
    for (const from of days) {
      for (const to of days.filter((day) => day >= from)) {
        const { body } = await host.call('GET', `/v1/payments/stats?from=${from}&to=${to}${query}`, undefined, {
          key: shop.key,
        });
        expect(body).toEqual(
          recounted(
            payments.filter((p) => dayOf(p) >= from && dayOf(p) <= to && fits(p)),
            from,
            to,
          ),
        );
      }
    }
  });
});
