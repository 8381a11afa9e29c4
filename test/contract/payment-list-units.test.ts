import { beforeAll, expect, it } from 'vitest';
import type { PaymentsQuery } from '#shared/ports/payments.port.ts';
import { listPayments } from '#shared/store/repos/payments/payment.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import { readCounter } from '#test/bench/list-reads.ts';
import { MIXED_CONNECTIONS, MUCH, putMixed, RARE } from '#test/bench/mixed-payments.ts';

/** The units and calls of one page, without other costs of the request. */
const MANY = 2_100;
const ORG = 'org_large';
const bare = new SqliteTable({ database: openDatabase(':memory:') });
const { table, readsOf } = readCounter(bare);
beforeAll(() => putMixed(bare, ORG, 0, MANY));

const connections = (count: number) => Array.from({ length: count }, (_, n) => MIXED_CONNECTIONS[n] ?? `conn_${n}`);
const page = (where: Partial<PaymentsQuery>, of = 3) =>
  readsOf(() => listPayments(table, ORG, connections(of), { limit: 50, offset: 0, ...where }));

it('reads four of the smallest units for a connection without matching payments', async () => {
  const [few, many] = [await page({}, 3), await page({}, 53)];
  expect([many.reads.calls - few.reads.calls, many.reads.rru - few.reads.rru]).toEqual([50 * 4, 50 * 4 * 0.5]);
});

it('reads the payments of a page, one more, and few keys', async () => {
  const { reads } = await page({ connection_id: MUCH.connection_id });
  expect(reads).toEqual({ calls: 4 + 1, rru: 4 * 0.5 + 51 * 0.5 });
});

it.each([1, 50])('looks for rare matches in large steps, even for a page of %i', async (limit) => {
  const { reads, result } = await page({ limit, currency: RARE.currency });
  expect(result.next).toBeDefined();
  expect(reads.calls).toBeLessThan(100);
});

it('skips an offset on keys, in growing steps', async () => {
  const { reads } = await page({ customer_id: MUCH.customer_id, offset: 1_000 });
  expect(reads.calls).toBeLessThan(8);
  expect(reads.rru).toBeLessThan(51 * 0.5 + 1_100 / 40);
});
