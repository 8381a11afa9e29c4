import { setImmediate } from 'node:timers/promises';
import type { ChangeFeed } from '#lib/local/change-feed.ts';
import type { Invocations } from '#lib/local/invocation.ts';
import { Signal } from '#lib/local/signal.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

type RelayOptions = {
  readonly feed: ChangeFeed;
  /** Returns where to resume after a failure. */
  readonly relay: (records: readonly FeedRecord[], shard: string) => Promise<{ readonly retryFrom?: string }>;
  /** Its name as the feed's consumer; the relay by default. */
  readonly name?: string;
  readonly invocations: Invocations;
  readonly log: LogPort;
  /** The pause after the first failure; it doubles with each further one. */
  readonly backOffMs?: number;
  /** Raised after each batch. */
  readonly progress: Signal;
  /** How long a change waits for others, in ms of real time, so that they make one batch. */
  readonly windowMs?: number;
};

export type RelayLoop = {
  /** Nothing is left to process, or it keeps failing. */
  readonly idle: () => boolean;
  /** Batches wait for nothing until the function that is returned is called. */
  readonly hurry: () => () => void;
  readonly close: () => Promise<void>;
};

const RELAY = 'relay';
export const PROJECTOR = 'projector';
/** The feed's consumers. */
export const STREAM_CONSUMERS = [RELAY, PROJECTOR] as const;

/**
 * A small batch: reading one blocks everything else for a millisecond or two. A consumer that lags takes a larger one,
 * as Lambda does.
 */
const BATCH_SIZE = { first: 25, behind: 500 };
const TIMEOUT_MS = 60_000;
const PRUNE_EVERY = 200;
const BACK_OFF_MS = 100;
/** The longest pause, as a multiple of the first. */
const MAX_BACK_OFF_FACTOR = 50;
/** After this many failures in a row it no longer counts as busy; it keeps trying. */
const SKIP_AFTER_FAILURES = 6;

/** A consumer of the stream on this host: in order, repeating a failed batch, skipping none. */
export function startRelay({
  feed,
  relay,
  name = RELAY,
  invocations,
  log,
  backOffMs = BACK_OFF_MS,
  progress,
  windowMs = 0,
}: RelayOptions): RelayLoop {
  const woken = new Signal();
  const hurried = new Signal();
  let hurries = 0;
  const forget = feed.onChange(() => woken.raise());
  let open = true;
  let failures = 0;
  let unpruned = 0;
  let bite = BATCH_SIZE.first;

  /** Processes one batch. Returns whether there was any. */
  async function pass(): Promise<boolean> {
    try {
      const records = await feed.read(name, bite);
      bite = records.length === bite ? BATCH_SIZE.behind : BATCH_SIZE.first;
      if (records.length === 0) {
        failures = 0;
        return false;
      }
      const { retryFrom } = await invocations.invoke(name, TIMEOUT_MS, () => relay(records, feed.shard(name)));
      const done = retryFrom === undefined ? records : records.filter(({ seq }) => seq < retryFrom);
      const last = done.at(-1);
      if (last) await feed.checkpoint(name, last.seq);
      unpruned += done.length;
      failures = retryFrom === undefined || last ? 0 : failures + 1;
      return true;
    } catch (error) {
      failures += 1;
      log.warn(`${name}_batch_failed`, { failures, error });
      return true;
    }
  }

  async function loop(): Promise<void> {
    let pruning: Promise<void> | undefined;
    while (open) {
      const seen = woken.count;
      const found = await pass();
      progress.raise();
      if (unpruned >= PRUNE_EVERY) pruning = prune();
      if (!found) await nextChange(seen);
      else if (failures > 0 && open) await pause(backOffMs * Math.min(2 ** (failures - 1), MAX_BACK_OFF_FACTOR));
    }
    await pruning;
  }

  /** The request that made the change goes on first: its client waits, and nobody waits for this. */
  async function nextChange(seen: number): Promise<void> {
    await woken.wait(seen, feed.pollMs);
    await setImmediate();
    if (windowMs > 0 && hurries === 0 && open) await hurried.wait(hurried.count, windowMs);
  }

  async function prune(): Promise<void> {
    unpruned = 0;
    await feed.prune().catch((error: unknown) => log.warn('feed_not_pruned', { error }));
  }

  const closing = new Signal();
  const pause = (ms: number) => closing.wait(0, ms);
  const running = loop();
  return {
    idle: () => failures >= SKIP_AFTER_FAILURES || !feed.pending(name),
    hurry: () => {
      hurries += 1;
      hurried.raise();
      return () => {
        hurries -= 1;
      };
    },
    close: async () => {
      open = false;
      hurried.raise();
      forget();
      closing.raise();
      woken.raise();
      await running;
    },
  };
}
