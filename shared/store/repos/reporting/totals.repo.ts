import { createHash } from 'node:crypto';
import { isExpiredUsage, type Usage } from '#shared/domain/accounts/plan.rules.ts';
import type { DayTotals } from '#shared/domain/payments/stats.rules.ts';
import { addSums, callsKey, type Latest, type Sums, type TotalKey } from '#shared/domain/reporting/totals.rules.ts';
import type { VariantTotals } from '#shared/domain/routing/ab-test-results.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { type CallTotals, minuteOf, minuteOfCounter, RECENT_MINUTES } from '#shared/domain/routing/health.rules.ts';
import { HOUR } from '#shared/kernel/clock.ts';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { DaysQuery, TotalsPort, TotalsStep } from '#shared/ports/totals.port.ts';
import { keys, statPartition } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import type { Condition, Item, ItemChange, Key, TablePort } from '#shared/store/table/table.port.ts';

/** A conflict means that another writer made progress, so a few attempts are enough. */
const MAX_ATTEMPTS = 20;
/** If there are more expired attributes than this, an extra write removes them. */
const MAX_STALE_ATTRIBUTES = 24;
const PAGE_SIZE = 1_000;

/** Totals, one item each, which several shards update without waiting for each other. */
export class TotalsRepo implements TotalsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  /** The first write assumes that no step was added before. If it fails, the stored item shows which steps remain. */
  async add(of: TotalKey, shard: string, steps: readonly TotalsStep[], at: Date): Promise<void> {
    const [key, mark] = [keyOf(of), markName(shard)];
    let stored: Item | undefined;
    const attempt = async (): Promise<true | undefined> => {
      const remaining = steps.filter(({ seq }) => seq > lastSeq(stored, mark));
      const [first, last] = [remaining[0], remaining.at(-1)];
      if (!first || !last) return true;
      const latest = newestValues(remaining, stored);
      const change = {
        set: { ...attributesOf(of), ...latest, [mark]: markOf(last.seq, at) },
        add: withoutExpiredCounters(addSums(remaining.map(({ add }) => add)), at),
      };
      const condition = { all: [isBefore(mark, first.seq), ...Object.entries(latest).map(notNewer)] };
      const written = await this.#table.update(key, change, condition);
      if (written.ok) {
        await this.#removeStale(key, written.item, mark, at);
        return true;
      }
      stored = written.old;
      return undefined;
    };
    const exhausted = () => new Error(`Other writers kept changing the totals ${key.pk} ${key.sk}.`);
    await retryOnConflict(attempt, exhausted, { attempts: MAX_ATTEMPTS, wait: noPause });
  }

  async #removeStale(key: Key, item: Item, mark: string, at: Date): Promise<void> {
    const marks = staleMarks(item, mark, at).slice(0, 40);
    const expired = Object.keys(item).filter((name) => isExpiredCounter(name, at));
    if (marks.length + expired.length <= MAX_STALE_ATTRIBUTES) return;
    const remove: ItemChange = { remove: [...marks, ...expired.slice(0, 50)] };
    await this.#table.update(key, remove, {
      all: [{ exists: 'pk' }, ...marks.map((name): Condition => ({ eq: [name, item[name] ?? null] }))],
    });
  }

  async days(orgId: string, { from, to, currency, connection_id }: DaysQuery): Promise<readonly DayTotals[]> {
    const filters = [...equals('currency', currency), ...equals('connection_id', connection_id)];
    const range = { between: [`${from}#`, `${to}#~`] } as const;
    const items = await queryAll(this.#table, {
      pk: statPartition(orgId),
      range,
      limit: PAGE_SIZE,
      ...(filters.length > 0 && { filter: { all: filters } }),
    });
    return items.map(toDay);
  }

  async callTotals({
    org_id,
    id,
    generation,
  }: Pick<Connection, 'org_id' | 'id' | 'generation'>): Promise<CallTotals | undefined> {
    const item = await this.#table.get(keyOf(callsKey(org_id, id, generation)));
    return item && toCallTotals(item);
  }
}

export function toCallTotals(item: Item): CallTotals {
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

function keyOf(of: TotalKey): Key {
  switch (of.kind) {
    case 'calls':
      return keys.callTotals(of.org_id, of.connection_id, of.generation);
    case 'day':
      return keys.dayTotals(of.org_id, of.day, of.currency, of.connection_id);
    case 'ab_result':
      return keys.abTestTotals(of.org_id, of.test_id, of.variant);
    case 'usage':
      return keys.usage(of.org_id);
  }
}

function attributesOf(of: TotalKey): ItemChange['set'] {
  const { kind: item_type, org_id: _, ...rest } = of;
  return { item_type, ...rest };
}

/** Old minutes and months are not needed, and a backlog of changes must not add them again. */
const withoutExpiredCounters = (sums: Sums, at: Date): Sums =>
  Object.fromEntries(Object.entries(sums).filter(([name]) => !isExpiredCounter(name, at)));

function isExpiredCounter(name: string, at: Date): boolean {
  const minute = minuteOfCounter(name);
  return minute === undefined ? isExpiredUsage(name, at) : minute <= minuteOf(at) - RECENT_MINUTES;
}

/** Values newer than the stored ones. Shards are independent, so an older value may arrive later. */
function newestValues(steps: readonly TotalsStep[], stored: Item | undefined): Latest {
  const found: Record<string, string> = {};
  for (const [name, text] of steps.flatMap(({ latest = {} }) => Object.entries(latest))) {
    if (text > (found[name] ?? '') && text > String(stored?.[name] ?? '')) found[name] = text;
  }
  return found;
}

const notNewer = ([name, text]: [string, string]): Condition => ({ any: [{ absent: name }, { le: [name, text] }] });
const equals = (name: string, value: string | undefined): readonly Condition[] =>
  value === undefined ? [] : [{ eq: [name, value] }];

/**
 * A mark is a total's position in one shard of the change feed. The write that adds to the total also moves the mark,
 * so each change counts once.
 */
const MARK_PREFIX = '~';
/** A stream keeps changes for a day: older ones can't be delivered again. */
const MARK_LIFETIME_HOURS = 26;

/** Shard names are long, and a total may have dozens of marks, so the names are hashed. */
const markName = (shard: string): string =>
  MARK_PREFIX + createHash('sha256').update(shard).digest('base64url').slice(0, 10);

/**
 * A mark sorts like its sequence number, and after the bare number: a total that includes a change is not before it.
 */
const markOf = (seq: string, at: Date): string => `${seq}@${hoursOf(at).toString(36)}`;

const isBefore = (name: string, seq: string): Condition => ({ any: [{ absent: name }, { lt: [name, seq] }] });

/** The sequence number of the last change of this shard that the total includes. */
function lastSeq(item: Item | undefined, name: string): string {
  const mark = item?.[name];
  return typeof mark === 'string' ? mark.slice(0, mark.indexOf('@')) : '';
}

/** Marks of shards that can have no further changes. Never the mark `current`, which is in use. */
function staleMarks(item: Item, current: string, at: Date): readonly string[] {
  const oldest = hoursOf(at) - MARK_LIFETIME_HOURS;
  const hoursIn = (mark: unknown) => Number.parseInt(String(mark).slice(String(mark).indexOf('@') + 1), 36);
  return Object.keys(item).filter(
    (name) => name.startsWith(MARK_PREFIX) && name !== current && hoursIn(item[name]) < oldest,
  );
}

const hoursOf = (at: Date): number => Math.floor(at.getTime() / HOUR);
