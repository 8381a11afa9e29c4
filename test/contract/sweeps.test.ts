import { describe, expect, it } from 'vitest';
import { MINUTE } from '#shared/kernel/clock.ts';
import type { DueEntry } from '#shared/ports/due.port.ts';
import { createTable } from '#shared/store/dynamo/dynamo-schema.ts';
import { DynamoTable } from '#shared/store/dynamo/dynamo-table.adapter.ts';
import { DueRepo, SweepRepo } from '#shared/store/repos/due.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { dueItem, putDue, subscriptionId } from '#test/support/due-entries.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

function sweeping(store: string, open: () => Promise<TablePort>): void {
  describe(`the due index, page by page, in ${store}`, () => {
    const walked = async (due: DueRepo, shard: string, limit: number) => {
      const pages: (readonly DueEntry[])[] = [];
      do pages.push(await due.due(shard, later(5_000), limit, pages.at(-1)?.at(-1)));
      while (pages.at(-1)?.length === limit);
      return pages;
    };

    it.each([2, 3, 4, 12, 13])('has each entry once, oldest first, in pages of %i', async (limit) => {
      const table = await open();
      const due = new DueRepo(table);
      const [shard = '', other = ''] = due.shards;
      const entries = numbers(16).map((n) => ({
        id: subscriptionId(n),
        at: later(Math.floor(n / 2) * 1_000),
        shard,
        ...(n % 3 === 0 && { orgId: ORG }),
      }));
      await putDue(table, [...entries, { id: subscriptionId(99), at: START, shard: other }]);
      const items = (await walked(due, shard, limit)).flat();
      expect(items.map(({ at, id }) => `${at} ${id}`)).toEqual(
        entries
          .slice(0, 12)
          .map(({ at, id }) => `${at.toISOString()} ${id}`)
          .sort(),
      );
      expect(items.every(({ kind, orgId }) => kind === 'subscription' && (orgId ?? ORG) === ORG)).toBe(true);
      expect(items.filter(({ orgId }) => orgId)).toHaveLength(4);
    });

    it('continues after an entry that was deleted', async () => {
      const table = await open();
      const due = new DueRepo(table);
      const [shard = ''] = due.shards;
      await putDue(
        table,
        numbers(3).map((n) => ({ id: subscriptionId(n), at: later(n), shard })),
      );
      const [first] = await due.due(shard, later(10), 1);
      await table.put(dueItem({ id: subscriptionId(0), at: later(MINUTE), shard }));
      expect((await due.due(shard, later(10), 5, first)).map(({ id }) => id)).toEqual([
        subscriptionId(1),
        subscriptionId(2),
      ]);
    });

    it('derives the kind of an entry from its partition', async () => {
      const table = await open();
      const due = new DueRepo(table);
      const [shard = ''] = due.shards;
      for (const [n, prefix] of ['SUB#', 'INV#', 'PAY#'].entries())
        await table.put({ pk: `${prefix}${n}`, sk: 'X', due_pk: shard, due_sk: `${later(n).toISOString()}#${n}` });
      expect((await due.due(shard, later(10), 5)).map(({ kind }) => kind)).toEqual([
        'subscription',
        'invoice',
        'payment',
      ]);
    });
  });

  describe(`entries that sweeps have enqueued, in ${store}`, () => {
    const anItem = (n: number, about: Partial<DueEntry> = {}): DueEntry => ({
      kind: 'subscription',
      id: subscriptionId(n),
      at: START.toISOString(),
      position: '',
      ...about,
    });
    const [noon, day] = [later(12 * 60 * MINUTE), later(24 * 60 * MINUTE)];

    it('are recognized page by page, and no others', async () => {
      const sweeps = new SweepRepo(await open());
      await sweeps.recordEnqueued(
        'DUE#0',
        numbers(500).map((n) => anItem(n)),
        noon,
      );
      await sweeps.recordEnqueued(
        'DUE#0',
        numbers(500).map((n) => anItem(500 + n)),
        noon,
      );
      await sweeps.recordEnqueued('DUE#0', [anItem(1_000)], later(13 * 60 * MINUTE));
      const isHandedOut = await sweeps.enqueuedBetween('DUE#0', START, day);
      expect(numbers(1_500).filter((n) => isHandedOut(anItem(n)))).toEqual(numbers(1_001));
    });

    it('do not include entries that are due again, nor those of another shard', async () => {
      const sweeps = new SweepRepo(await open());
      await sweeps.recordEnqueued('DUE#0', [anItem(1)], noon);
      expect((await sweeps.enqueuedBetween('DUE#0', START, day))(anItem(1, { at: later(1).toISOString() }))).toBe(
        false,
      );
      expect((await sweeps.enqueuedBetween('DUE#1', START, day))(anItem(1))).toBe(false);
    });

    it('are selected from the first time exclusive to the last time inclusive', async () => {
      const sweeps = new SweepRepo(await open());
      await sweeps.recordEnqueued('DUE#0', [anItem(1)], noon);
      const between = async (after: number, before: number) =>
        (await sweeps.enqueuedBetween('DUE#0', new Date(noon.getTime() + after), new Date(noon.getTime() + before)))(
          anItem(1),
        );
      expect([await between(-1, 1), await between(0, 1), await between(-1, 0)]).toEqual([true, false, false]);
    });

    it('do not exist before the first sweep', async () => {
      const sweeps = new SweepRepo(await open());
      await sweeps.recordEnqueued('DUE#0', [], noon);
      expect((await sweeps.enqueuedBetween('DUE#0', START, day))(anItem(1))).toBe(false);
    });
  });
}

sweeping('SQLite', async () => new SqliteTable({ database: openDatabase(':memory:') }));

dynamoDbSuite('DynamoDB Local', (local) => {
  let made = 0;
  sweeping('DynamoDB', async () => {
    made += 1;
    const tableName = `sweeps-${made}`;
    await createTable(local().client, tableName);
    return new DynamoTable({ client: local().client, tableName });
  });
});
