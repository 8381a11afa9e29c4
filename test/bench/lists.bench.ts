import type { PaymentsQuery } from '#shared/ports/payments.port.ts';
import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { PaymentRepo } from '#shared/store/repos/payments/payment.repo.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { type PageReads, pagesRead, type Reads, readCounter } from '#test/bench/list-reads.ts';
import { MIXED_CONNECTIONS, MUCH, projectAll, putMixed, RARE } from '#test/bench/mixed-payments.ts';
import { startDynamoDbLocal } from '#test/support/dynamodb-local.ts';
import { stoppedClock } from '#test/support/stopped-clock.ts';

/**
 * The reads of a page of payments at any depth, and of statistics over any number of payments: in read units of
 * DynamoDB, counted per call. Prints figures without a verdict. `npm run bench:lists -- dynamodb 2000` gets them from
 * DynamoDB Local, which writes a few hundred payments a second at best; they are the same.
 */
const [store = 'sqlite', many = '50000'] = process.argv.slice(2);
const MANY = Number(many);
const FEW = 50;
const PAGES = [1, 10, 100, 500];
const OFFSETS = [0, 1_000, 10_000];
const [LARGE, SMALL] = ['org_large', 'org_small'];

const LISTS: readonly (readonly [string, Partial<PaymentsQuery>, connections?: number])[] = [
  ['the whole organization, 3 connections', {}],
  ['the same, 50 connections', {}, 50],
  ['by connection', { connection_id: MUCH.connection_id }],
  ['by customer', { customer_id: MUCH.customer_id }],
  ['status failed', { status: 'failed' }],
  ['status succeeded', { status: 'succeeded' }],
  ['by currency, two of three', { currency: MUCH.currency }],
  ['by currency, one of a thousand', { currency: RARE.currency }],
  ['customer, succeeded', { customer_id: MUCH.customer_id, status: 'succeeded' }],
];

async function openTable(): Promise<{ readonly table: TablePort; readonly close: () => Promise<void> }> {
  if (store === 'sqlite')
    return { table: new SqliteTable({ database: openDatabase(':memory:') }), close: async () => {} };
  const { client, stop } = await startDynamoDbLocal();
  await createTable(client, 'payfork');
  return { table: new DynamoTable({ client, tableName: 'payfork' }), close: stop };
}

const told = (reads: Reads | undefined): string => (reads ? `${reads.rru} (${reads.calls})` : '-');

function print(title: string, rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, n) => Math.max(...rows.map((cells) => cells[n]?.length ?? 0))) ?? [];
  console.log(`\n${title}`);
  for (const cells of rows)
    console.log(
      `  ${cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ')}`,
    );
}

const called = (connections = 3): readonly string[] =>
  Array.from({ length: connections }, (_, n) => MIXED_CONNECTIONS[n] ?? `conn_${n}`);

/** Pages that are not full are cheaper, and not comparable. */
function pageRow(name: string, pages: readonly PageReads[]): string[] {
  const full = pages.filter(({ items }) => items === 100).length;
  const most = pages.slice(0, Math.max(1, full)).reduce((top, page) => (page.rru > top.rru ? page : top));
  return [name, ...PAGES.map((n) => told(pages[n - 1])), String(pages.length), told(most)];
}

const { table: bare, close } = await openTable();
const counter = readCounter(bare);
const payments = new PaymentRepo(counter.table, stoppedClock(), { hashSecret: 'unused' });

async function fill(): Promise<void> {
  const began = performance.now();
  await projectAll(bare, await putMixed(bare, LARGE, 0, MANY));
  await projectAll(bare, await putMixed(bare, SMALL, MANY, MANY + FEW));
  console.log(
    `${MANY} payments in ${store}, written in ${Math.round((performance.now() - began) / 1_000)} s. Read units (calls), pages of 100.`,
  );
}

async function printPages(): Promise<void> {
  const rows = [['', ...PAGES.map((n) => `page ${n}`), 'pages', 'dearest full page']];
  for (const [name, where, connections] of LISTS) {
    rows.push(
      pageRow(name, await pagesRead(counter, { payments, org_id: LARGE, connections: called(connections) }, where)),
    );
  }
  print('Pages by cursor', rows);
}

async function printOffsets(): Promise<void> {
  const rows = [['', ...OFFSETS.map((offset) => `offset ${offset}`)]];
  for (const [name, where, connections] of LISTS) {
    const cells = [name];
    for (const offset of OFFSETS) {
      const { reads } = await counter.readsOf(() =>
        payments.list(LARGE, called(connections), { limit: 100, ...where, offset }),
      );
      cells.push(told(reads));
    }
    rows.push(cells);
  }
  print('Pages by offset', rows);
}

async function printStatistics(): Promise<void> {
  const totals = new TotalsRepo(counter.table);
  const rows = [['over', 'totals', 'read']];
  for (const [many, org_id] of [[FEW, SMALL] as const, [MANY, LARGE] as const]) {
    const { result, reads } = await counter.readsOf(() =>
      totals.days(org_id, { from: '2026-03-01', to: '2026-03-30' }),
    );
    rows.push([`${many} payments`, String(result.length), told(reads)]);
  }
  print('Statistics of 30 days', rows);
}

try {
  await fill();
  await printPages();
  await printOffsets();
  await printStatistics();
} finally {
  await close();
}
