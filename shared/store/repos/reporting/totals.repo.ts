import { isExpiredUsage } from '#shared/domain/accounts/plan.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { addSums, type Latest, type Sums, type TotalKey } from '#shared/domain/reporting/totals.rules.ts';
import { minuteOf, minuteOfCounter, RECENT_MINUTES } from '#shared/domain/routing/health.rules.ts';
import { randomText } from '#shared/kernel/ids.ts';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { CountedTotal, FeedShard, HeldTotals, TotalsPort, TotalsStep } from '#shared/ports/totals.port.ts';
import { ClosedLanes } from '#shared/store/repos/reporting/closed-lanes.ts';
import { HeldTotalsRepo } from '#shared/store/repos/reporting/held-totals.repo.ts';
import { RoutingSummaries } from '#shared/store/repos/reporting/routing-summary.repo.ts';
import { StoredTotalsRepo } from '#shared/store/repos/reporting/stored-totals.repo.ts';
import {
  branchPath,
  hasMoved,
  isClosed,
  laneKey,
  MAX_DEPTH,
  movedItem,
  olderKey,
  sumsIn,
} from '#shared/store/repos/reporting/total-lanes.ts';
import {
  endedMarks,
  expiredMarks,
  isBefore,
  lastSeq,
  markName,
  markOf,
  marksIn,
} from '#shared/store/repos/reporting/total-marks.ts';
import type { Condition, Item, ItemChange, Key, TablePort } from '#shared/store/table/table.port.ts';

/** A conflict means that another writer made progress, so a few attempts are enough. */
const MAX_ATTEMPTS = 30;
/** If there are more expired attributes than this, an extra write removes them. */
const MAX_STALE_ATTRIBUTES = 24;
/** With so many marks, of 56 bytes each, most lanes are still below the kilobyte that one write unit pays for. */
const MAX_MARKS = 12;

/** Where a shard's steps go, as far as the attempts so far have shown. */
type Position = {
  readonly path: string;
  /** The item that the last attempt found there. */
  readonly stored?: Item;
  /** No earlier release has counted this. */
  readonly isFirst?: boolean;
};

/** Totals, in lanes that several shards update without waiting for each other. */
export class TotalsRepo extends StoredTotalsRepo implements TotalsPort {
  readonly #closed = new ClosedLanes();
  readonly #summaries: RoutingSummaries;
  readonly #held: HeldTotalsRepo;
  readonly #maxMarks: number;
  /** `maxMarks`: how many marks a lane has before it is closed. */
  constructor(table: TablePort, { maxMarks = MAX_MARKS }: { readonly maxMarks?: number } = {}) {
    super(table);
    this.#maxMarks = maxMarks;
    this.#summaries = new RoutingSummaries(table);
    this.#held = new HeldTotalsRepo(table);
  }

  /** The first write assumes that no step was added before. If it fails, the stored item shows which steps remain. */
  async add(of: TotalKey, shard: FeedShard, steps: readonly TotalsStep[], at: Date): Promise<CountedTotal> {
    const mark = markName(shard.id);
    let position: Position = { path: this.#closed.skipped(of, shard.id) };
    const attempt = async (): Promise<CountedTotal | undefined> => {
      const { path, stored } = position;
      const remaining = steps.filter(({ seq }) => seq > lastSeq(stored, mark));
      if (remaining.length === 0) return countedAs(of, path, stored);
      const [change, condition] = additionOf(of, mark, remaining, position, at);
      const key = laneKey(of, path);
      const written = await this.table.update(key, change, condition);
      if (!written.ok) {
        position = await this.#next(of, shard.id, { ...position, stored: written.old });
        return undefined;
      }
      await this.#tidy(key, path, written.item, shard, at);
      return countedAs(of, path, written.item);
    };
    const exhausted = () => new Error(`Other writers kept changing the totals ${laneKey(of, position.path).pk}.`);
    return retryOnConflict(attempt, exhausted, { attempts: MAX_ATTEMPTS, wait: noPause });
  }

  /** Where to write next: in a branch of a closed lane, or in the same lane with what it holds now. */
  async #next(of: TotalKey, shard: string, position: Position): Promise<Position> {
    const { path, stored } = position;
    if (stored && isClosed(stored) && stored[markName(shard)] === undefined) {
      this.#closed.remember(of, path, stored);
      return { path: branchPath(path, shard) };
    }
    const older = olderKey(of);
    if (stored || path !== '' || !older) return position;
    const item = await this.table.get(older, { consistent: true });
    if (!item || hasMoved(item)) return { ...position, isFirst: true };
    const moved: Item = { ...item, ...laneKey(of, '') };
    const writes = [
      { put: moved, condition: { absent: 'pk' } },
      { put: movedItem(older), condition: unchanged(item) },
    ] as const;
    const { ok } = await this.table.transact(writes, randomText(32));
    return ok ? { ...position, stored: moved } : position;
  }

  /** Removes what is no longer needed. A lane that has many marks even so is closed. */
  async #tidy(key: Key, path: string, item: Item, shard: FeedShard, at: Date): Promise<void> {
    const mark = markName(shard.id);
    const isCrowded = !isClosed(item) && path.length < MAX_DEPTH && marksIn(item).length > this.#maxMarks;
    const candidates = isCrowded ? endedMarks(item, mark, at, (await shard.parents?.()) ?? new Map()) : [];
    // First: a stream that is read again from its beginning delivers their changes once more.
    const recorded = await Promise.all(candidates.map((name) => this.#held.recordEnd(name, at)));
    const ended = candidates.filter((_, n) => recorded[n]);
    const marks = [...new Set([...ended, ...expiredMarks(item, mark, at)])].slice(0, 40);
    const expired = Object.keys(item).filter((name) => isExpiredCounter(name, at));
    if (isCrowded && marks.length === 0) {
      await this.table.update(key, { set: { closed: true } }, { exists: 'pk' });
      return;
    }
    if (!isCrowded && marks.length + expired.length <= MAX_STALE_ATTRIBUTES) return;
    const remove: ItemChange = { remove: [...marks, ...expired.slice(0, 50)] };
    await this.table.update(key, remove, {
      all: [{ exists: 'pk' }, ...marks.map((name): Condition => ({ eq: [name, item[name] ?? null] }))],
    });
  }

  summarize(orgId: string, counted: readonly CountedTotal[], stage: Stage, at: Date): Promise<void> {
    return this.#summaries.update(orgId, counted, stage, at);
  }

  held(shard: string): Promise<HeldTotals | undefined> {
    return this.#held.get(shard);
  }

  hold(held: HeldTotals, dueAt: Date): Promise<boolean> {
    return this.#held.save(held, dueAt);
  }
}

/** The write that adds these steps and moves the mark, and the condition that none of them was added before. */
function additionOf(
  of: TotalKey,
  mark: string,
  steps: readonly TotalsStep[],
  { path, stored, isFirst }: Position,
  at: Date,
): readonly [ItemChange, Condition] {
  const [first = '', last = ''] = [steps[0]?.seq, steps.at(-1)?.seq];
  const latest = newestValues(steps, stored);
  const change = {
    set: { ...attributesOf(of), ...latest, [mark]: markOf(last, at) },
    add: withoutExpiredCounters(addSums(steps.map(({ add }) => add)), at),
  };
  // A shard that is new in this lane must not be in a closed lane, nor in the item of an earlier release.
  const isNew: Condition[] = [{ absent: mark }, { absent: 'closed' }];
  if (path === '' && olderKey(of) && !isFirst) isNew.push({ exists: 'pk' });
  return [change, { all: [{ any: [isBefore(mark, first), { all: isNew }] }, ...Object.entries(latest).map(notNewer)] }];
}

/** Each write of an earlier release changes one of these sums. */
const unchanged = (item: Item): Condition => ({
  all: [{ exists: 'pk' }, ...sumConditions(item)],
});

const sumConditions = (item: Item): readonly Condition[] =>
  Object.entries(sumsIn(item))
    .filter(([name]) => minuteOfCounter(name) === undefined)
    .map((pair): Condition => ({ eq: pair }));

const countedAs = (of: TotalKey, path: string, item: Item | undefined): CountedTotal => ({
  of,
  sums: item ? sumsIn(item) : {},
  whole: item !== undefined && path === '' && !isClosed(item),
});

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
