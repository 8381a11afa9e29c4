import { projectBatch } from '#functions/projector/project-batch.usecase.ts';
import { QUEUE_CONSUMERS } from '#functions/queue-table.ts';
import { relayChanges } from '#functions/relay/relay-changes.usecase.ts';
import { SCHEDULES } from '#functions/schedule-table.ts';
import type { ChangeFeed } from '#lib/local/change-feed.ts';
import type { Invocations } from '#lib/local/invocation.ts';
import type { LocalClock } from '#lib/local/local-clock.ts';
import { type QueueLoop, startQueue } from '#lib/local/queue-loop.ts';
import { PROJECTOR, type RelayLoop, startRelay } from '#lib/local/relay-loop.ts';
import { type Schedules, startSchedules } from '#lib/local/schedule-loop.ts';
import type { Signal } from '#lib/local/signal.ts';
import type { SqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { inRun, inTrace } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { QUEUES, type QueueName, type ReceivedMessage } from '#shared/ports/queue.port.ts';
import { changesIn } from '#shared/store/changes.ts';
import { isCounted, mayHaveEvents } from '#shared/store/feed-filters.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

type BackgroundOptions = {
  readonly deps: Deps;
  readonly feed: ChangeFeed;
  readonly queue: SqliteQueue;
  readonly clock: LocalClock;
  readonly invocations: Invocations;
  /** Raised whenever any work is done. */
  readonly progress: Signal;
  /** Raised when messages of that queue were sent or released. */
  readonly queued: Readonly<Record<QueueName, Signal>>;
  /** The pause after a message's first failure. */
  readonly backOffMs?: number;
};

type Background = {
  readonly followers: readonly RelayLoop[];
  readonly schedules: Schedules;
  readonly close: () => Promise<void>;
};

/**
 * Totals may be a moment late: Lambda collects a second of changes for them. So what a payment changes before and after
 * its call to the provider is added up at once, and not while its client waits.
 */
const PROJECTOR_WINDOW_MS = 25;

/** Everything that runs without a request: the feed's consumers, the queues' consumers, the schedules. */
export function startBackground({
  deps,
  feed,
  queue,
  clock,
  invocations,
  progress,
  queued,
  backOffMs,
}: BackgroundOptions): Background {
  const { log } = deps;
  const relay = startRelay({
    feed,
    relay: (records) => relayChanges(changesIn(records.filter(mayHaveEvents)), deps),
    invocations,
    log,
    backOffMs,
    progress,
  });
  // As Lambda does within a window.
  const nothingHeld = new Map<string, boolean>();
  const project = async (records: readonly FeedRecord[], id: string) => {
    const shard = { id, nothingHeld: nothingHeld.get(id) ?? false };
    const result = await projectBatch(shard, changesIn(records.filter(isCounted)), deps);
    nothingHeld.set(id, result.nothingHeld);
    return result;
  };
  const projector = startRelay({
    feed,
    relay: project,
    name: PROJECTOR,
    invocations,
    log,
    backOffMs,
    progress,
    windowMs: PROJECTOR_WINDOW_MS,
  });
  const queues: readonly QueueLoop[] = QUEUES.map((name) => {
    const { consume, timeoutMs, waitsForServers: waits } = QUEUE_CONSUMERS[name];
    const about = {
      name,
      consume: (body: ReceivedMessage['body'], receiveCount: number) =>
        inTrace(body.trace, () => consume(body, deps, receiveCount)),
      timeoutMs,
      waits,
      backOffMs,
    };
    return startQueue({ ...about, queue, clock, invocations, log, woken: queued[name], progress });
  });
  const lines = SCHEDULES.map(({ name, everyMinutes, run }) => ({
    name,
    everyMinutes,
    run: () => inRun(() => run(deps)),
  }));
  const schedules = startSchedules({ lines, clock, invocations, log });
  clock.onJump(() => {
    for (const name of QUEUES) queued[name].raise();
    schedules.wake();
  });
  return {
    followers: [relay, projector],
    schedules,
    close: async () => {
      await Promise.all([relay, projector, schedules, ...queues].map((loop) => loop.close()));
    },
  };
}
