import {
  availableFrom,
  RETENTION_WINDOW,
  RETRY_WINDOWS,
  type RetryTimes,
  type RetryWindow,
} from '#shared/domain/payments/retry-budget.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { keyedHash, randomBits } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type {
  BudgetExhausted,
  InstrumentKey,
  ReservedSlot,
  RetryBudgetPort,
  Slot,
} from '#shared/ports/retry-budget.port.ts';
import { movedCounter } from '#shared/store/hashed-keys.ts';
import { keys } from '#shared/store/keys.ts';
import { addToWindow, removeFromWindow, ttlAfter, type WindowRemoval } from '#shared/store/sliding-window.ts';
import type { Condition, Item, ItemChange, Key, TablePort } from '#shared/store/table/table.port.ts';

/**
 * An attempt has an entry `<window>:<random bits of its id>` in each window. While the slot is only reserved, the entry
 * names the attempt and its payment. Once the attempt is declined, it does not.
 */
type SlotEntry = { readonly at: string; readonly attempt?: string; readonly payment?: string };

/**
 * First attempts need no slot, so a stolen token can be declined without limit. Once a window has `OVERFLOW_FACTOR`
 * times its limit, only the newest `RETAINED_FACTOR` times its limit are retained. It then stays full, whatever is
 * released.
 */
const OVERFLOW_FACTOR = 3;
const RETAINED_FACTOR = 2;

/** One item per token counts all windows, so that one conditional update checks them all. */
export class RetryBudgetRepo implements RetryBudgetPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async reserve({ attemptId, paymentId, ...instrument }: Slot, at: Date): Promise<BudgetExhausted | undefined> {
    const added = await addToWindow(this.#table, await this.#keyOf(instrument), {
      change: additionFor(RETRY_WINDOWS, attemptId, at, {
        at: at.toISOString(),
        attempt: attemptId,
        payment: paymentId,
      }),
      condition: belowLimits(RETRY_WINDOWS, attemptId, 1),
      contains: (item) => entryFor(item, attemptId) !== undefined,
      expiredEntries: (item) => removalOfExpired(item, at, Number.POSITIVE_INFINITY),
    });
    return added.outcome === 'full' ? exhausted(added.item, at) : undefined;
  }

  async exhaustedUntil(instrument: InstrumentKey, at: Date): Promise<Date | undefined> {
    const item = await this.#table.get(await this.#keyOf(instrument), { consistent: true });
    const times = declinedTimes(item);
    const until = availableFrom(times, at);
    return until > at ? until : undefined;
  }

  async countDecline(
    instrument: InstrumentKey,
    { id, began }: { readonly id: string; readonly began: Date },
    at: Date,
  ): Promise<void> {
    const windows = RETRY_WINDOWS.filter(({ length }) => plus(began, length) > at);
    if (windows.length === 0) return;
    const key = await this.#keyOf(instrument);
    const added = await addToWindow(this.#table, key, {
      change: additionFor(windows, id, at, { at: began.toISOString() }),
      condition: belowLimits(windows, id, OVERFLOW_FACTOR),
      contains: (item) => entryFor(item, id) !== undefined,
      expiredEntries: (item) => removalOfExpired(item, at, RETAINED_FACTOR),
    });
    const reserved = added.outcome === 'already_in' ? entryFor(added.item, id) : undefined;
    if (reserved?.attempt !== undefined)
      await this.#table.update(
        key,
        { set: { [nameIn(RETENTION_WINDOW, id)]: { at: reserved.at } } },
        { exists: nameIn(RETENTION_WINDOW, id) },
      );
  }

  async release(instrument: InstrumentKey, attemptId: string): Promise<void> {
    const key = await this.#keyOf(instrument);
    // The entry may have expired in one window already, so each window is updated separately.
    await Promise.all(
      RETRY_WINDOWS.map((window) =>
        removeFromWindow(this.#table, key, { remove: [nameIn(window, attemptId)], add: { [window.name]: -1 } }),
      ),
    );
  }

  /** A token can charge the customer, so only its keyed hash is stored. */
  async #keyOf({ orgId, provider, token }: InstrumentKey): Promise<Key> {
    const keyOf = (secret: string): Key =>
      keys.retryBudget(keyedHash(secret, 'retry_budget', orgId, provider, token).toString('hex'));
    const { hashSecret, rotations } = this.#config;
    return rotations?.hashSecret ? movedCounter(this.#table, this.#config, keyOf) : keyOf(hashSecret);
  }
}

const nameIn = ({ name }: Pick<RetryWindow, 'name'>, attemptId: string): string => `${name}:${randomBits(attemptId)}`;

const entryFor = (item: Item | undefined, attemptId: string): SlotEntry | undefined =>
  item?.[nameIn(RETENTION_WINDOW, attemptId)] as SlotEntry | undefined;

function additionFor(windows: readonly RetryWindow[], attemptId: string, at: Date, entry: SlotEntry): ItemChange {
  const entries = windows.map(
    (window) => [nameIn(window, attemptId), window.name === RETENTION_WINDOW.name ? entry : { at: entry.at }] as const,
  );
  return {
    set: { item_type: 'retry_budget', ...Object.fromEntries(entries), ttl: ttlAfter(at, RETENTION_WINDOW.length) },
    add: Object.fromEntries(windows.map(({ name }) => [name, 1])),
  };
}

const belowLimits = (windows: readonly RetryWindow[], attemptId: string, times: number): Condition => ({
  all: [
    { absent: nameIn(RETENTION_WINDOW, attemptId) },
    ...windows.map(({ name, limit }): Condition => ({ any: [{ absent: name }, { lt: [name, times * limit] }] })),
  ],
});

/** Oldest first. */
const entriesIn = (
  item: Item | undefined,
  { name }: Pick<RetryWindow, 'name'>,
): readonly (readonly [name: string, entry: SlotEntry])[] =>
  (
    Object.entries(item ?? {}).filter(([attribute]) => attribute.startsWith(`${name}:`)) as unknown as [
      string,
      SlotEntry,
    ][]
  ).sort(([, a], [, b]) => a.at.localeCompare(b.at));

/** The start times of declined attempts, by window. */
function declinedTimes(item: Item | undefined): RetryTimes {
  const reserved = new Set(
    entriesIn(item, RETENTION_WINDOW).flatMap(([name, { attempt }]) => (attempt === undefined ? [] : [bitsIn(name)])),
  );
  const timesIn = (name: RetryWindow['name']) =>
    entriesIn(item, { name }).flatMap(([entry, { at }]) => (reserved.has(bitsIn(entry)) ? [] : [at]));
  return timesByWindow(timesIn);
}

const timesByWindow = (timesIn: (name: RetryWindow['name']) => readonly string[]): RetryTimes =>
  Object.fromEntries(RETRY_WINDOWS.map(({ name }) => [name, timesIn(name)])) as RetryTimes;

const bitsIn = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Removes entries older than their window, and the oldest beyond `times` its limit. */
function removalOfExpired(item: Item, at: Date, times: number): WindowRemoval | undefined {
  const byWindow = RETRY_WINDOWS.map((window) => {
    const entries = entriesIn(item, window);
    const windowStart = plus(at, -window.length).toISOString();
    return {
      window,
      names: entries
        .filter(([, entry], n) => entry.at <= windowStart || n < entries.length - times * window.limit)
        .map(([name]) => name),
    };
  }).filter(({ names }) => names.length > 0);
  if (byWindow.length === 0) return undefined;
  return {
    remove: byWindow.flatMap(({ names }) => names),
    add: Object.fromEntries(byWindow.map(({ window, names }) => [window.name, -names.length])),
  };
}

function exhausted(item: Item | undefined, at: Date): BudgetExhausted {
  const times = (name: RetryWindow['name']) => entriesIn(item, { name }).map(([, entry]) => entry.at);
  const reserved = entriesIn(item, RETENTION_WINDOW).flatMap(([, { at: since, attempt, payment }]): ReservedSlot[] =>
    attempt === undefined || payment === undefined ? [] : [{ attemptId: attempt, paymentId: payment, at: since }],
  );
  return { until: availableFrom(timesByWindow(times), at), reserved };
}
