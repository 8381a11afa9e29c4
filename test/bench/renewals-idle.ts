import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import { DAY, plus, SECOND, systemClock } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { subscriptionEntity } from '#shared/store/repos/billing/subscription.repo.ts';
import { DueRepo, SweepRepo } from '#shared/store/repos/due.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { sqliteItems } from '#shared/store/sqlite/sqlite-items.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { readCounter } from '#test/bench/list-reads.ts';
import { median, pairedTimes } from '#test/bench/paired-times.ts';
import { columns } from '#test/bench/renewals-meter.ts';
import { keepingQueue } from '#test/support/due-entries.ts';
import { aSubscription } from '#test/support/subscription.builder.ts';

const SWEEPS = 300;
const BATCH = 5_000;
const IN_BULK = 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000';
const ORGS = Array.from({ length: 20 }, () => newId('organization', systemClock.now()));
/** As long as an encrypted one. */
const SEALED = `v1.${'x'.repeat(81)}.${'x'.repeat(112)}`;

/**
 * A file with so many subscriptions that are charged during the month from tomorrow: the rows of the store, without
 * its protection against power cuts.
 */
async function fill(path: string, count: number): Promise<void> {
  const database = openDatabase(path);
  const rows = database.setUp((db) => {
    db.exec(IN_BULK);
    return sqliteItems(db);
  });
  const now = systemClock.now();
  for (let from = 0; from < count; from += BATCH) {
    await database.run((db) => {
      for (let n = from; n < Math.min(count, from + BATCH); n += 1) {
        const item = notDue(n, now);
        rows.change(item, undefined, item);
      }
      // The changes have no consumers.
      db.exec('DELETE FROM feed');
    });
  }
  database.close();
}

/** That file as the host opens it, and sweeps of it. */
async function idleTable(count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'payfork-idle-'));
  const path = join(folder, 'idle.sqlite');
  await fill(path, count);
  const database = openDatabase(path);
  const bare = new SqliteTable({ database });
  const { table, readsOf } = readCounter(bare);
  const queue = keepingQueue();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const sweepOf = (over: TablePort) => () =>
    sweepDue({ clock: systemClock, due: new DueRepo(over), sweeps: new SweepRepo(over), queue, log });
  return {
    sweep: sweepOf(bare),
    reads: async () => (await readsOf(sweepOf(table))).reads,
    found: () => queue.sent.length,
    close: () => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function notDue(n: number, now: Date) {
  const created = plus(now, -30 * DAY + n * 2).toISOString();
  const bills = plus(now, DAY + ((n * 7_919) % ((30 * DAY) / SECOND)) * SECOND).toISOString();
  const org_id = ORGS[n % ORGS.length] ?? '';
  const about = {
    created_at: created,
    updated_at: created,
    start_at: created,
    next_renewal_at: bills,
    bills_at: bills,
    sealed_method: SEALED,
  };
  return subscriptionEntity.toItem(
    aSubscription({ id: newId('subscription', new Date(created)), org_id, customer_id: `customer-${n}`, ...about }),
  );
}

/**
 * The cost of a sweep in each minute in which nothing is due, with no subscriptions and with many that are due later:
 * in turn, in one process.
 */
export async function idleSweeps(count: number): Promise<void> {
  const begun = performance.now();
  const [none, many] = [await idleTable(0), await idleTable(count)];
  try {
    console.log(
      `\n${count} subscriptions that are not due, written in ${Math.round((performance.now() - begun) / 1_000)} s. A sweep that finds nothing (median of ${SWEEPS}):`,
    );
    await pairedTimes(none.sweep, many.sweep, 20);
    const { one, other } = await pairedTimes(none.sweep, many.sweep, SWEEPS);
    const row = (
      name: string,
      times: readonly number[],
      { rru, calls }: { readonly rru: number; readonly calls: number },
    ) => [name, String(calls), String(rru), `${median(times).toFixed(3)} ms`];
    console.log(
      columns([
        ['subscriptions', 'calls', 'RRU', 'time'],
        row('0', one, await none.reads()),
        row(String(count), other, await many.reads()),
      ]),
    );
    if (none.found() + many.found() > 0) throw new Error('The sweep found something, though nothing was due.');
  } finally {
    none.close();
    many.close();
  }
}
