import { describe, expect, it } from 'vitest';
import { type FailedRequest, MAX_KEPT_PER_MINUTE } from '#shared/domain/reporting/failed-request.model.ts';
import { newId } from '#shared/kernel/ids.ts';
import { FailedRequestRepo } from '#shared/store/repos/reporting/failed-request.repo.ts';
import { FailureLogRepo } from '#shared/store/repos/reporting/failure-log.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

const AT = new Date('2026-05-01T10:00:00Z');
const later = (ms: number): Date => new Date(AT.getTime() + ms);
const ORG = newId('organization', AT);
const ALL = { limit: 200, offset: 0 };

/** A table in memory, with the number of writes that were sent to it. */
function countedTable() {
  const table = new SqliteTable({ database: openDatabase(':memory:') });
  const sent = { writes: 0 };
  const counted = new Proxy<TablePort>(table, {
    get: (_, name: keyof TablePort) => {
      const method = table[name].bind(table) as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        sent.writes += name === 'put' || name === 'update' ? 1 : 0;
        return method(...args);
      };
    },
  });
  return { table: counted, sent };
}

let count = 0;
const failure = (change: Partial<FailedRequest> = {}): FailedRequest => {
  count += 1;
  return {
    request_id: newId('request', AT),
    client_request_id: null,
    created_at: later(count).toISOString(),
    method: 'GET',
    route: `/v1/route-${count}`,
    resource_id: null,
    status: 404,
    code: 'not_found',
    credential_id: newId('key', AT),
    credential_kind: 'secret',
    ...change,
  };
};

describe('the log of failed requests', () => {
  it('keeps as many of a minute as it may, however many processes there are, and those that come first', async () => {
    const { table } = countedTable();
    const processes = Array.from({ length: 4 }, () => new FailureLogRepo(table));
    const sent = Array.from({ length: 60 }, () => failure());
    for (const [n, each] of sent.entries()) await processes[n % 4]?.record(ORG, each);
    const { items } = await new FailedRequestRepo(table).list(ORG, ALL, later(60_000));
    expect(items).toEqual(sent.slice(0, MAX_KEPT_PER_MINUTE.servers).toReversed());
  });

  it('costs two writes for each that is kept, one for a process to see that the minute is full, and then none', async () => {
    const { table, sent } = countedTable();
    const [first, second] = [new FailureLogRepo(table), new FailureLogRepo(table)];
    for (let n = 0; n < 100; n += 1) await first.record(ORG, failure());
    expect(sent.writes).toBe(2 * MAX_KEPT_PER_MINUTE.servers + 1);
    for (let n = 0; n < 100; n += 1) await second.record(ORG, failure());
    expect(sent.writes).toBe(2 * MAX_KEPT_PER_MINUTE.servers + 2);
  });

  it('costs two writes for each of the first three that are alike, and none for those that follow', async () => {
    const { table, sent } = countedTable();
    const log = new FailureLogRepo(table);
    const alike = failure();
    for (let n = 0; n < 1_000; n += 1) await log.record(ORG, { ...alike, request_id: newId('request', AT) });
    expect(sent.writes).toBe(6);
  });

  it('begins anew with each minute', async () => {
    const { table } = countedTable();
    const log = new FailureLogRepo(table);
    for (let n = 0; n < 40; n += 1) await log.record(ORG, failure());
    await log.record(ORG, failure({ created_at: later(60_000).toISOString() }));
    const { items } = await new FailedRequestRepo(table).list(ORG, ALL, later(120_000));
    expect(items.length).toBe(MAX_KEPT_PER_MINUTE.servers + 1);
  });

  it('gives each organization a minute of its own', async () => {
    const { table } = countedTable();
    const log = new FailureLogRepo(table);
    const other = newId('organization', AT);
    for (let n = 0; n < 40; n += 1) await log.record(ORG, failure());
    await log.record(other, failure());
    expect((await new FailedRequestRepo(table).list(other, ALL, later(60_000))).items.length).toBe(1);
  });
});
