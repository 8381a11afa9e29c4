import type { Invocations } from '#lib/local/invocation.ts';
import { fastAndSlowLanes, type Lane, singleLane } from '#lib/local/queue-lanes.ts';
import { Signal } from '#lib/local/signal.ts';
import type { DeliveredMessage, SqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import type { QueueName, ReceivedMessage } from '#shared/ports/queue.port.ts';

type QueueLoopOptions = {
  readonly name: QueueName;
  readonly consume: (body: ReceivedMessage['body'], receiveCount: number) => Promise<void>;
  readonly timeoutMs: number;
  /** Whether its messages mostly wait for another server: those that wait long release their permits. */
  readonly waits?: boolean;
  /** The pause after a message's first failure. */
  readonly backOffMs?: number;
  readonly queue: SqliteQueue;
  readonly clock: Clock;
  readonly invocations: Invocations;
  readonly log: LogPort;
  /** This queue's own signal: raised when there may be a message, or room for one. */
  readonly woken: Signal;
  /** Raised after each message. */
  readonly progress: Signal;
};

export type QueueLoop = { readonly close: () => Promise<void> };

/**
 * In real time, independent of the service's clock, and four times as long after each attempt. A message fails for some
 * twenty seconds before it becomes a dead letter, so a short store outage loses none.
 */
const BACK_OFF_MS = 200;
const BACK_OFF_FACTOR = 4;
/** The longest pause of a queue that cannot be read or written, as on a full disk. */
const MAX_BACK_OFF_MS = 5_000;
/** Due messages whose group is at its limit are looked at again when one of the group ends, or after this. */
const POLL_MS = 100;

/** A queue's function on this host: one invocation per message, several at once, failed ones again after a pause. */
export function startQueue(options: QueueLoopOptions): QueueLoop {
  const {
    name,
    consume,
    timeoutMs,
    waits = false,
    backOffMs = BACK_OFF_MS,
    queue,
    clock,
    invocations,
    log,
    woken,
    progress,
  } = options;
  const closing = new Signal();
  const underWay = new Set<Promise<void>>();
  const onFree = () => woken.raise();
  const lanes = waits ? fastAndSlowLanes(onFree, (kindOf) => queue.sortGroups(name, kindOf)) : singleLane(onFree);
  let open = true;

  async function work({ id, body, receiveCount, group }: DeliveredMessage, { acquire }: Lane): Promise<void> {
    const release = acquire(group);
    const error = await invocations
      .invoke(name, timeoutMs, () => consume(body, receiveCount))
      .then(
        () => undefined,
        (thrown: unknown) => ({ thrown }),
      );
    release();
    if (!error) return writeBack(() => queue.remove([id]));
    const buried = receiveCount >= MAX_RECEIVES;
    log[buried ? 'error' : 'warn'](buried ? 'message_buried' : 'message_failed', {
      queue: name,
      tries: receiveCount,
      error: error.thrown,
    });
    if (!buried) await closing.wait(0, backOffMs * BACK_OFF_FACTOR ** (receiveCount - 1));
    if (open) await writeBack(() => queue.release([id]));
  }

  /** Until it succeeds, as after a full disk: otherwise the message would be out until its lease ends. */
  async function writeBack(write: () => Promise<void>): Promise<void> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await write();
      } catch (error) {
        log.error('queue_failed', { queue: name, error });
        await closing.wait(0, Math.min(BACK_OFF_MS * 2 ** failures, MAX_BACK_OFF_MS));
        if (!open) return;
      }
    }
  }

  function begin(message: DeliveredMessage, lane: Lane): void {
    const done = work(message, lane)
      .catch((error: unknown) => log.error('queue_failed', { queue: name, error }))
      .finally(() => {
        underWay.delete(done);
        woken.raise();
        progress.raise();
      });
    underWay.add(done);
  }

  /** Milliseconds until a message is due; 0 for now. */
  async function untilNext(): Promise<number> {
    const next = await queue.nextVisibleAt(name);
    return next ? Math.max(0, next.getTime() - clock.now().getTime()) : Number.POSITIVE_INFINITY;
  }

  /** Returns whether there were any. */
  async function fill(lane: Lane): Promise<boolean> {
    let found = false;
    for (const share of lane.kinds) {
      const free = lane.free();
      const messages = free > 0 ? await queue.receive(name, free, share) : [];
      for (const message of messages) begin(message, lane);
      found ||= messages.length > 0;
    }
    return found;
  }

  async function turn(lane: Lane, seen: number): Promise<void> {
    if (lane.free() <= 0) return woken.wait(seen);
    if (await fill(lane)) return;
    await woken.wait(seen, Math.max(await untilNext(), POLL_MS));
  }

  /** Each lane has its own loop: a disk sync in one does not delay another. */
  async function loop(lane: Lane): Promise<void> {
    let failures = 0;
    while (open) {
      const seen = woken.count;
      try {
        await turn(lane, seen);
        failures = 0;
      } catch (error) {
        log.error('queue_failed', { queue: name, error });
        await closing.wait(0, Math.min(BACK_OFF_MS * 2 ** failures, MAX_BACK_OFF_MS));
        failures += 1;
      }
    }
  }

  const looping = Promise.all(lanes.map(loop));
  return {
    close: async () => {
      open = false;
      closing.raise();
      woken.raise();
      await looping;
      await Promise.all(underWay);
    },
  };
}
