import { expect } from 'vitest';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { isPaid, paidOf } from '#test/model/watch.ts';
import type { Body, TestHost } from '#test/support/host.ts';

type Shop = { readonly org_id: string; readonly key: string };

/** Statistics cover at most so many days. */
const RANGE = 366 * DAY;

/** Statistics say what the lists say, after all that happened to a shop. */
export async function verifyTotals(host: TestHost, { key }: Shop, since: Date): Promise<void> {
  await host.control('POST', '/drain');
  const stats = await statsSince(host, key, since);
  const payments = await all(host, key, 'payments');
  const disputes = await all(host, key, 'disputes');
  expect(
    sumsOf(stats, ({ by_status }) => by_status),
    'payments by status',
  ).toEqual(byStatus(payments));
  expect(
    sumsOf(stats, (one) => one.disputes.by_status),
    'disputes by status',
  ).toEqual(byStatus(disputes));
  const money = (name: string) => sumOf(stats.flatMap(({ by_currency }) => by_currency.map((one: Body) => one[name])));
  expect(
    ['volume', 'refunded_amount', 'disputed_amount'].map(money),
    'volume, refunded_amount and disputed_amount in the statistics',
  ).toEqual([
    sumOf(payments.filter(isPaid).map(paidOf)),
    sumOf(payments.map(({ amount_refunded }) => amount_refunded)),
    sumOf(disputes.map(({ amount }) => amount)),
  ]);
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

type Counts = Readonly<Record<string, number>>;

/** Those that occur. */
const occurring = (counts: Counts): Counts => Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0));

const byStatus = (items: readonly Body[]): Counts =>
  Object.fromEntries([...Map.groupBy(items, ({ status }) => status)].map(([status, { length }]) => [status, length]));

function sumsOf(stats: readonly Body[], countsOf: (one: Body) => Counts): Counts {
  const names = Object.keys(countsOf(stats[0]));
  return occurring(
    Object.fromEntries(names.map((name) => [name, sumOf(stats.map((one) => countsOf(one)[name] ?? 0))])),
  );
}

async function statsSince(host: TestHost, key: string, since: Date): Promise<readonly Body[]> {
  const found: Body[] = [];
  const day = (at: Date) => at.toISOString().slice(0, 10);
  for (let from = since; from <= host.clock.now(); from = plus(from, RANGE)) {
    const path = `/v1/payments/stats?from=${day(from)}&to=${day(plus(from, RANGE - DAY))}`;
    const { status, body, text } = await host.call('GET', path, undefined, { key });
    expect(status, text).toBe(200);
    found.push(body);
  }
  return found;
}

async function all(host: TestHost, key: string, name: string): Promise<readonly Body[]> {
  const found: Body[] = [];
  for (let next = ''; ; ) {
    const { status, body, text } = await host.call('GET', `/v1/${name}?limit=200${next}`, undefined, { key });
    expect(status, text).toBe(200);
    found.push(...body[name]);
    if (!body.pagination.has_more) return found;
    next = `&cursor=${encodeURIComponent(body.pagination.next_cursor)}`;
  }
}
