import { isOldUsage, type Usage } from '#shared/domain/accounts/usage.rules.ts';
import type { DayTotals } from '#shared/domain/payments/stats.rules.ts';
import {
  callsPlace,
  type Latest,
  minuteIn,
  minuteOf,
  type Place,
  plusAll,
  type Sums,
} from '#shared/domain/reporting/totals.rules.ts';
import type { VariantTotals } from '#shared/domain/routing/ab-test-results.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { type CallTotals, RECENT_MINUTES } from '#shared/domain/routing/health.rules.ts';
import type { Change, Cond, Item, Key, TablePort } from '#shared/ports/table.port.ts';
import type { DaysWhere, Step, TotalsPort } from '#shared/ports/totals.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { keys, statPartition } from '#shared/store/keys.ts';
import { isBefore, markAt, markName, staleMarks, standing } from '#shared/store/shard-marks.rules.ts';

/** A round is lost only to a writer that got further. */
const ROUNDS = 20;
/** How many expired attributes are tolerated before a write is spent on them. */
const LEFT_OVERS = 24;
const PAGE = 1_000;

/** Totals, one item each, which several shards update without waiting for each other. */
export class TotalsRepo implements TotalsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  /** The first write assumes that nothing was added before; if that fails, the item shows what is left to add. */
  async add(of: Place, shard: string, steps: readonly Step[], at: Date): Promise<void> {
    const [key, mark] = [keyOf(of), markName(shard)];
    let met: Item | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      const left = steps.filter(({ seq }) => seq > standing(met, mark));
      const [first, last] = [left[0], left.at(-1)];
      if (!first || !last) return;
      const latest = newest(left, met);
      const change = {
        set: { ...about(of), ...latest, [mark]: markAt(last.seq, at) },
        add: recent(plusAll(left.map(({ add }) => add)), at),
      };
      const cond = { all: [isBefore(mark, first.seq), ...Object.entries(latest).map(notNewer)] };
      const written = await this.#table.update(key, change, cond);
      if (written.ok) return this.#tidy(key, written.item, mark, at);
      met = written.old;
    }
    throw new Error(`The totals ${key.pk} ${key.sk} were changed by others ${ROUNDS} times in a row.`);
  }

  async #tidy(key: Key, item: Item, mark: string, at: Date): Promise<void> {
    const marks = staleMarks(item, mark, at).slice(0, 40);
    const over = Object.keys(item).filter((name) => isOld(name, at));
    if (marks.length + over.length <= LEFT_OVERS) return;
    const remove: Change = { remove: [...marks, ...over.slice(0, 50)] };
    await this.#table.update(key, remove, {
      all: [{ exists: 'pk' }, ...marks.map((name): Cond => ({ eq: [name, item[name] ?? null] }))],
    });
  }

  async days(orgId: string, { from, to, currency, connection_id }: DaysWhere): Promise<readonly DayTotals[]> {
    const wanted = [...equal('currency', currency), ...equal('connection_id', connection_id)];
    const range = { between: [`${from}#`, `${to}#~`] } as const;
    const items = await allPages(this.#table, {
      pk: statPartition(orgId),
      range,
      limit: PAGE,
      ...(wanted.length > 0 && { filter: { all: wanted } }),
    });
    return items.map(toDay);
  }

  async calls({
    org_id,
    id,
    generation,
  }: Pick<Connection, 'org_id' | 'id' | 'generation'>): Promise<CallTotals | undefined> {
    const item = await this.#table.get(keyOf(callsPlace(org_id, id, generation)));
    return item && toCalls(item);
  }
}

export function toCalls(item: Item): CallTotals {
  const text = (name: string) => (typeof item[name] === 'string' ? String(item[name]) : null);
  return { sums: sumsIn(item), last_success_at: text('last_success_at'), last_failure_at: text('last_failure_at') };
}

const toDay = (item: Item): DayTotals => {
  const { day, currency, connection_id, provider } = item as unknown as Omit<DayTotals, 'sums'>;
  return { day, currency, connection_id, provider, sums: sumsIn(item) };
};

export const toUsage = (item: Item | undefined): Usage => (item ? sumsIn(item) : {});

const sumsIn = (item: Item): Sums =>
  Object.fromEntries(Object.entries(item).filter((pair): pair is [string, number] => typeof pair[1] === 'number'));

export const toVariantTotals = (item: Item): VariantTotals => ({
  sums: sumsIn(item),
  updated_at: typeof item.updated_at === 'string' ? item.updated_at : null,
});

function keyOf(of: Place): Key {
  switch (of.kind) {
    case 'calls':
      return keys.calls(of.org_id, of.connection_id, of.generation);
    case 'day':
      return keys.day(of.org_id, of.day, of.currency, of.connection_id);
    case 'ab_result':
      return keys.abResult(of.org_id, of.test_id, of.variant);
    case 'usage':
      return keys.usage(of.org_id);
  }
}

function about(of: Place): Change['set'] {
  const { kind: item_type, org_id: _, ...rest } = of;
  return { item_type, ...rest };
}

/** Older minutes and months are not needed; a backlog must not bring them back. */
const recent = (sums: Sums, at: Date): Sums =>
  Object.fromEntries(Object.entries(sums).filter(([name]) => !isOld(name, at)));

function isOld(name: string, at: Date): boolean {
  const minute = minuteIn(name);
  return minute === undefined ? isOldUsage(name, at) : minute <= minuteOf(at) - RECENT_MINUTES;
}

/** Values newer than the stored ones. Shards are independent, so an older one may come later. */
function newest(steps: readonly Step[], met: Item | undefined): Latest {
  const found: Record<string, string> = {};
  for (const [name, text] of steps.flatMap(({ latest = {} }) => Object.entries(latest))) {
    if (text > (found[name] ?? '') && text > String(met?.[name] ?? '')) found[name] = text;
  }
  return found;
}

const notNewer = ([name, text]: [string, string]): Cond => ({ any: [{ absent: name }, { le: [name, text] }] });
const equal = (name: string, value: string | undefined): readonly Cond[] =>
  value === undefined ? [] : [{ eq: [name, value] }];
