import { describe, expect, it } from 'vitest';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import { dueShards } from '#shared/store/keys.ts';
import { DisputePollRepo } from '#shared/store/repos/disputes/dispute-poll.repo.ts';
import { DueRepo } from '#shared/store/repos/due.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { START } from '#test/support/stopped-clock.ts';

const OF = { org_id: ORG, connection_id: 'conn_1' } as const;
const since = plus(START, -30 * DAY);

async function dueBy(table: TablePort, until: Date): Promise<readonly unknown[]> {
  const due = new DueRepo(table);
  const pages = await Promise.all(dueShards.map((shard) => due.due(shard, until, 10)));
  return pages.flat().map(({ kind, id, at, orgId }) => ({ kind, id, at, orgId }));
}

describe('the poll of an account without callbacks about disputes', () => {
  const first = { ...OF, polled_until: since.toISOString(), active_at: START.toISOString(), version: 1 };

  it('is due at once, and started only once however often it is asked for', async () => {
    const { table } = memoryStore();
    await Promise.all([1, 2, 3].map(() => new DisputePollRepo(table).start(OF, since, START)));
    expect(await new DisputePollRepo(table).get(ORG, 'conn_1')).toEqual(first);
    const entry = { kind: 'dispute_poll', id: 'conn_1', at: START.toISOString(), orgId: ORG };
    expect(await dueBy(table, START)).toEqual([entry]);
  });

  it('does not take the place of that of another organization whose connection has the same id', async () => {
    const { table } = memoryStore();
    const polls = new DisputePollRepo(table);
    const other = { ...OF, org_id: 'org_other' };
    for (const of of [OF, other]) await polls.start(of, since, START);
    expect(await polls.get('org_other', 'conn_1')).toEqual({ ...first, ...other });
  });

  it('goes on from where the last one ended, and only one of two workers says so', async () => {
    const { table } = memoryStore();
    const polls = new DisputePollRepo(table);
    await polls.start(OF, since, START);
    const next = { ...first, polled_until: START.toISOString(), version: 2 };
    expect(await polls.save(next, plus(START, HOUR))).toBe(true);
    expect(await polls.save({ ...next, polled_until: since.toISOString() }, START)).toBe(false);
    expect([await dueBy(table, START), await polls.get(ORG, 'conn_1')]).toEqual([[], next]);
  });

  it('notes once a day that payments are made, and loses nothing by it', async () => {
    const { table } = memoryStore();
    await new DisputePollRepo(table).start(OF, since, START);
    await new DisputePollRepo(table).start(OF, START, plus(START, HOUR));
    expect(await new DisputePollRepo(table).get(ORG, 'conn_1')).toEqual(first);
    const later = plus(START, 2 * DAY);
    await new DisputePollRepo(table).start(OF, later, later);
    const active = { ...first, active_at: later.toISOString(), version: 2 };
    expect(await new DisputePollRepo(table).get(ORG, 'conn_1')).toEqual(active);
  });

  it('ends, and begins again with the next payment', async () => {
    const { table } = memoryStore();
    const polls = new DisputePollRepo(table);
    await polls.start(OF, since, START);
    await polls.stop(first);
    expect([await polls.get(ORG, 'conn_1'), await dueBy(table, plus(START, DAY))]).toEqual([undefined, []]);
    await new DisputePollRepo(table).start(OF, START, START);
    const again = { ...OF, polled_until: START.toISOString(), active_at: START.toISOString(), version: 3 };
    expect(await polls.get(ORG, 'conn_1')).toEqual(again);
  });
});
