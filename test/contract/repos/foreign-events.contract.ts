import { describe, expect, it } from 'vitest';
import { callsView } from '#shared/domain/routing/health.rules.ts';
import { TotalsRepo } from '#shared/store/repos/reporting/totals.repo.ts';
import { ConnectionRepo } from '#shared/store/repos/routing/connection.repo.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const MAIN = { org_id: ORG, id: 'main', generation: 1 };
const OF = { kind: 'calls', org_id: ORG, connection_id: 'main' } as const;
const SHARD = { id: 'shardId-1', parents: async () => new Map() };

function aStore() {
  const { table } = memoryStore();
  const [connections, totals] = [new ConnectionRepo(table), new TotalsRepo(table)];
  const view = async (of = MAIN) => callsView(await totals.callTotals(of), START);
  return { connections, totals, view };
}

export function foreignEvents(): void {
  describe('ConnectionRepo.countForeignEvents', () => {
    it('counts each of many at the same time', async () => {
      const { connections, view } = aStore();
      await Promise.all(Array.from({ length: 20 }, () => connections.countForeignEvents(MAIN, 2, later(5))));
      expect(await view()).toMatchObject({ foreign_events: 40, last_foreign_event_at: later(5).toISOString() });
    });

    it('counts apart for each connection, and for each that had the same id', async () => {
      const { connections, totals, view } = aStore();
      const all = [MAIN, { ...MAIN, generation: 2 }, { ...MAIN, id: 'main2' }];
      for (const [n, of] of all.entries()) await connections.countForeignEvents(of, n + 1, START);
      expect(await Promise.all(all.map(async (of) => (await view(of)).foreign_events))).toEqual([1, 2, 3]);
      const listed = await totals.callTotalsOf(ORG, [all[1]!, all[2]!]);
      expect([...listed].map(([id, { sums }]) => [id, sums.foreign_events])).toEqual([
        ['main', 2],
        ['main2', 3],
      ]);
    });

    it('leaves the calls of the connection, and how they are counted, as they are', async () => {
      const { connections, totals, view } = aStore();
      const call = (seq: string) => ({
        seq,
        add: { total_calls: 1 },
        latest: { last_success_at: later(1).toISOString() },
      });
      await connections.countForeignEvents(MAIN, 1, START);
      await totals.add(OF, SHARD, [call('001')], START);
      await connections.countForeignEvents(MAIN, 1, START);
      await totals.add(OF, SHARD, [call('001'), call('002')], START);
      expect(await view()).toMatchObject({
        total_calls: 2,
        last_success_at: later(1).toISOString(),
        foreign_events: 2,
        health_status: 'unknown',
      });
    });
  });
}
