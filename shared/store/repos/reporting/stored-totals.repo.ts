import type { DayTotals } from '#shared/domain/payments/stats.rules.ts';
import type { VariantTotals } from '#shared/domain/routing/ab-test-results.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { CallTotals } from '#shared/domain/routing/health.rules.ts';
import type { DaysQuery, StoredTotalsPort } from '#shared/ports/totals.port.ts';
import { keys } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { allLanes, hasMoved, latestIn, sumLanes } from '#shared/store/repos/reporting/total-lanes.ts';
import type { Condition, Item, Key, TablePort } from '#shared/store/table/table.port.ts';

const PAGE_SIZE = 1_000;

/** Totals as they are read. What adds to them is a class of its own, so that functions that only read do not load it. */
export class StoredTotalsRepo implements StoredTotalsPort {
  protected readonly table: TablePort;
  constructor(table: TablePort) {
    this.table = table;
  }

  async days(orgId: string, { from, to, currency, connection_id }: DaysQuery): Promise<readonly DayTotals[]> {
    const filters = [...equals('currency', currency), ...equals('connection_id', connection_id)];
    const lanes = await allLanes(this.table, orgId, {
      range: { between: [`${from}#`, `${to}#~`] },
      ...(filters.length > 0 && { filter: { all: filters } }),
    });
    return [...Map.groupBy(lanes, ({ sk }) => sk)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => toDay(own));
  }

  async callTotals(connection: Pick<Connection, 'org_id' | 'id' | 'generation'>): Promise<CallTotals | undefined> {
    return (await this.callTotalsOf(connection.org_id, [connection])).get(connection.id);
  }

  /** For one connection only its own items are read. */
  async callTotalsOf(
    orgId: string,
    connections: readonly Pick<Connection, 'id' | 'generation'>[],
  ): Promise<ReadonlyMap<string, CallTotals>> {
    const prefix = (key: Key) => ({ prefix: connections.length === 1 ? key.sk : (key.sk.split('#')[0] ?? '') });
    const id = connections[0]?.id ?? '';
    const older = keys.olderCallTotals(orgId, id);
    const [lanes, olderItems] = await Promise.all([
      allLanes(this.table, orgId, { range: prefix(keys.callTotals(orgId, id)) }),
      queryAll(this.table, { pk: older.pk, range: prefix(older), limit: PAGE_SIZE }),
    ]);
    const own = Map.groupBy(
      [...lanes, ...olderItems.filter((item) => !hasMoved(item))],
      ({ connection_id, generation = '1' }) => `${connection_id}#${generation}`,
    );
    return new Map(
      connections.flatMap(({ id, generation }) => {
        const items = own.get(`${id}#${generation}`);
        return items ? [[id, toCallTotals(items)] as const] : [];
      }),
    );
  }
}

function toCallTotals(lanes: readonly Item[]): CallTotals {
  const names = ['last_success_at', 'last_failure_at', 'last_foreign_event_at'];
  const { last_success_at = null, last_failure_at = null, ...others } = latestIn(lanes, names);
  return { sums: sumLanes(lanes), last_success_at, last_failure_at, ...others };
}

const toDay = (lanes: readonly Item[]): DayTotals => {
  const { day, currency, connection_id, provider } = lanes[0] as unknown as Omit<DayTotals, 'sums'>;
  return { day, currency, connection_id, provider, sums: sumLanes(lanes) };
};

export const toVariantTotals = (lanes: readonly Item[]): VariantTotals => ({
  sums: sumLanes(lanes),
  updated_at: latestIn(lanes, ['updated_at']).updated_at ?? null,
});

const equals = (name: string, value: string | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ eq: [name, value] }];
