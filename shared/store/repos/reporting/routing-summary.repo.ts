import { monthOf, type Usage, usageOf } from '#shared/domain/accounts/plan.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import {
  changesRouting,
  forecastOf,
  isTroubledAhead,
  usageToShow,
} from '#shared/domain/reporting/routing-summary.rules.ts';
import { addSums, type TotalKey } from '#shared/domain/reporting/totals.rules.ts';
import {
  type Forecast,
  forecastName,
  hasFailedCalls,
  type RoutingSummary,
} from '#shared/domain/routing/health.rules.ts';
import { SECOND } from '#shared/kernel/clock.ts';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { CountedTotal } from '#shared/ports/totals.port.ts';
import { keys } from '#shared/store/keys.ts';
import { getAll, queryAll } from '#shared/store/read-all.ts';
import { allLanes, hasMoved, laneKey, olderKey, sumLanes } from '#shared/store/repos/reporting/total-lanes.ts';
import type { Condition, Item, ItemChange, TablePort } from '#shared/store/table/table.port.ts';

/** A conflict means that another writer made progress. */
const MAX_ATTEMPTS = 20;
const MAX_REMEMBERED = 2_000;
const PAGE_SIZE = 1_000;
/** The attribute of a connection's forecast, a text: so fifty of them stay below four kilobytes. */
const TROUBLE = 'trouble:';
/** So that texts with more calls sort later. */
const CALLS_DIGITS = 9;

/** Late by seconds, as the totals are. Until it was written first, the totals are read. */
export async function readRoutingSummary(table: TablePort, orgId: string): Promise<RoutingSummary> {
  const item = await table.get(keys.routingSummary(orgId));
  return item ? toSummary(item) : summaryOf(await wholeTotals(table, orgId));
}

/**
 * The one small item that payments read of the totals. The projector rewrites it when a change shows there, which most
 * do not: healthy connections have no entry, and counts only matter near a limit.
 */
export class RoutingSummaries {
  readonly #table: TablePort;
  /** As last seen. Others may have written since: each value has a condition of its own. */
  readonly #seen = new Map<string, Item>();
  constructor(table: TablePort) {
    this.#table = table;
  }

  async update(orgId: string, counted: readonly CountedTotal[], stage: Stage, at: Date): Promise<void> {
    const relevant = counted.filter(({ of }) => of.kind === 'calls' || of.kind === 'usage');
    if (relevant.length === 0) return;
    const seen = this.#seen.get(orgId) ?? (await this.#read(orgId));
    if (!seen) return this.#create(orgId, at);
    // Another process may have written since, and only trouble that is over could then stay there.
    const isOld = relevant.some(({ sums }) => hasFailedCalls(sums));
    const newer = isOld ? await this.#read(orgId) : undefined;
    const partial = relevant.filter((each) => !each.whole && mayShow(each, toSummary(newer ?? seen), stage, at));
    const known = newer ?? (partial.length > 0 ? await this.#read(orgId) : undefined) ?? seen;
    // Adding up many lanes is for one of their writers, once a second.
    const isFresh = partial.length > 0 && Date.parse(String(known.added_up_at ?? 0)) > at.getTime() - SECOND;
    const others = isFresh ? [] : await Promise.all(partial.map((each) => wholeOf(this.#table, each)));
    const addedUp = others.length > 0 ? { added_up_at: at.toISOString() } : {};
    await this.#write(orgId, known, [...relevant.filter(({ whole }) => whole), ...others], { stage, at, addedUp });
  }

  async #write(
    orgId: string,
    known: Item,
    totals: readonly CountedTotal[],
    { stage, at, addedUp = {} }: { readonly stage: Stage; readonly at: Date; readonly addedUp?: object },
  ): Promise<void> {
    let stored = known;
    const attempt = async (): Promise<true | undefined> => {
      const [change, condition] = changeOf(toSummary(stored), totals, stage, at);
      const set = { ...change.set, ...addedUp };
      if (Object.keys(set).length === 0) return true;
      const written = await this.#table.update(keys.routingSummary(orgId), { ...change, set }, condition);
      stored = (written.ok ? written.item : written.old) ?? stored;
      this.#remember(orgId, stored);
      return written.ok ? true : undefined;
    };
    const exhausted = () => new Error(`Other writers kept changing the routing summary of ${orgId}.`);
    await retryOnConflict(attempt, exhausted, { attempts: MAX_ATTEMPTS, wait: noPause });
  }

  /** The first time: whatever was counted before, in this release or an earlier one. */
  async #create(orgId: string, at: Date): Promise<void> {
    const { usage, trouble } = summaryOf(await wholeTotals(this.#table, orgId));
    const item = {
      ...keys.routingSummary(orgId),
      item_type: 'routing_summary',
      ...usage,
      ...Object.assign({}, ...Object.entries(trouble).map(forecastAttributes)),
    };
    const written = await this.#table.put(item, { absent: 'pk' });
    if (written.ok) this.#remember(orgId, written.item);
    // Another writer created it, maybe from older totals.
    else await this.#write(orgId, written.old ?? item, await wholeTotals(this.#table, orgId), { stage: 'live', at });
  }

  async #read(orgId: string): Promise<Item | undefined> {
    const item = await this.#table.get(keys.routingSummary(orgId), { consistent: true });
    if (item) this.#remember(orgId, item);
    return item;
  }

  #remember(orgId: string, item: Item): void {
    const oldest = this.#seen.keys().next().value;
    if (this.#seen.size >= MAX_REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
    this.#seen.set(orgId, item);
  }
}

/** The change that shows what these totals say, where that differs; newer values than theirs stay. */
function changeOf(
  known: RoutingSummary,
  totals: readonly CountedTotal[],
  stage: Stage,
  at: Date,
): readonly [ItemChange, Condition] {
  const set: Record<string, string | number> = {};
  const all: Condition[] = [{ exists: 'pk' }];
  for (const { of, sums } of totals) {
    const name = of.kind === 'calls' ? nameOf(of) : '';
    const forecast = forecastOf(sums);
    const changed =
      of.kind === 'usage'
        ? usageToShow(known.usage, sums, stage, at)
        : changesRouting(known.trouble[name], forecast, at) && forecastAttributes([name, forecast]);
    if (!changed) continue;
    Object.assign(set, changed);
    for (const [attribute, value] of Object.entries(changed))
      all.push({ any: [{ absent: attribute }, { lt: [attribute, callsIn(value)] }] });
  }
  const past = Object.keys(known.usage).filter((counter) => isLongPast(counter, at) && set[counter] === undefined);
  return [{ set, ...(past.length > 0 && { remove: past }) }, { all }];
}

const isLongPast = (counter: string, at: Date): boolean =>
  (usageOf(counter)?.month ?? '') < monthOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1)));

/** A part has fewer calls than the whole, so the least number that counts may be reached by all parts together. */
const FEWEST_COUNT = 10;

/** Whether the part that was written says that the whole may look different now. */
function mayShow({ of, sums }: CountedTotal, known: RoutingSummary, stage: Stage, at: Date): boolean {
  if (of.kind !== 'calls') return stage === 'live';
  const { times = [] } = known.trouble[nameOf(of)] ?? {};
  const asWhole = Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, value * FEWEST_COUNT]));
  return Object.keys(sums).length === 0 || [{ times }, forecastOf(asWhole)].some((each) => isTroubledAhead(each, at));
}

async function wholeOf(table: TablePort, { of }: CountedTotal): Promise<CountedTotal> {
  const older = olderKey(of);
  const [lanes, olderItems] = await Promise.all([
    allLanes(table, of.org_id, { range: { between: [laneKey(of, '').sk, laneKey(of, '').sk] } }),
    older ? getAll(table, [older]) : [],
  ]);
  return { of, sums: sumLanes([...lanes, ...olderItems.flatMap((item) => item ?? [])]), whole: true };
}

/** All that the summary follows from. */
async function wholeTotals(table: TablePort, orgId: string): Promise<readonly CountedTotal[]> {
  const [calls, usage] = [keys.olderCallTotals(orgId, ''), keys.olderUsage(orgId)];
  const [lanes, olderCalls, olderUsage] = await Promise.all([
    allLanes(table, orgId, { range: { between: [keys.callTotals(orgId, '').sk, keys.usage(orgId).sk] } }),
    queryAll(table, { pk: calls.pk, range: { prefix: calls.sk }, limit: PAGE_SIZE, consistent: true }),
    table.get(usage, { consistent: true }),
  ]);
  const older = [...olderCalls, ...(olderUsage ? [olderUsage] : [])].filter((item) => !hasMoved(item));
  const items = [...lanes, ...older];
  const totals = Map.groupBy(items, ({ item_type, connection_id = '', generation = '' }) =>
    [item_type, connection_id, generation].join('#'),
  );
  return [...totals.values()].map((own) => ({ of: totalKeyOf(orgId, own[0]), sums: sumLanes(own), whole: true }));
}

const totalKeyOf = (org_id: string, item: Item | undefined): TotalKey =>
  item?.item_type === 'usage'
    ? { kind: 'usage', org_id }
    : {
        kind: 'calls',
        org_id,
        connection_id: String(item?.connection_id),
        ...(item?.generation !== undefined && { generation: String(item.generation) }),
      };

function summaryOf(totals: readonly CountedTotal[]): RoutingSummary {
  const forecasts = totals.flatMap(({ of, sums }) => {
    const forecast = forecastOf(sums);
    return of.kind === 'calls' && forecast.times.length > 0 ? [[nameOf(of), forecast] as const] : [];
  });
  return {
    usage: usageIn(addSums(totals.filter(({ of }) => of.kind === 'usage').map(({ sums }) => sums))),
    trouble: Object.fromEntries(forecasts),
  };
}

const nameOf = ({ connection_id, generation }: Extract<TotalKey, { kind: 'calls' }>): string =>
  forecastName(connection_id, generation);

/** `<calls> <status>:<from>-<until> …`, in base 36. */
const forecastAttributes = ([name, { calls, times }]: readonly [string, Forecast]): Readonly<
  Record<string, string>
> => ({
  [TROUBLE + name]: [
    calls.toString(36).padStart(CALLS_DIGITS, '0'),
    ...times.map(({ status, from, until }) => `${status}:${from.toString(36)}-${until.toString(36)}`),
  ].join(' '),
});

/** Of a forecast the part by which it is newer than another; a count is compared whole. */
const callsIn = (value: string | number): string | number =>
  typeof value === 'string' ? value.slice(0, CALLS_DIGITS) : value;

function forecastIn(text: string): Forecast {
  const [calls = '', ...times] = text.split(' ');
  return {
    calls: Number.parseInt(calls, 36),
    times: times.map((time) => {
      const [status = '', from = '', until = ''] = time.split(/[:-]/);
      return {
        status: status === 'down' ? 'down' : 'degraded',
        from: Number.parseInt(from, 36),
        until: Number.parseInt(until, 36),
      };
    }),
  };
}

const toSummary = (item: Item): RoutingSummary => ({
  usage: usageIn(item),
  trouble: Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      name.startsWith(TROUBLE) && typeof value === 'string' ? [[name.slice(TROUBLE.length), forecastIn(value)]] : [],
    ),
  ),
});

/** The only numbers of the summary. */
const usageIn = (item: Readonly<Record<string, Item[string]>>): Usage =>
  Object.fromEntries(Object.entries(item).filter((pair): pair is [string, number] => typeof pair[1] === 'number'));
