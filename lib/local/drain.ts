import type { RelayLoop } from '#lib/local/relay-loop.ts';
import type { Signal } from '#lib/local/signal.ts';
import type { HostedSimulators } from '#lib/simulators/simulators.port.ts';
import type { SqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { type Clock, monotonic } from '#shared/kernel/clock.ts';

type DrainOptions = {
  readonly followers: readonly Pick<RelayLoop, 'idle' | 'hurry'>[];
  readonly queue: Pick<SqliteQueue, 'countInFlight' | 'countReady'>;
  readonly clock: Clock;
  readonly simulators: Pick<HostedSimulators, 'idle'>;
  readonly progress: Signal;
  readonly maxWaitMs?: number;
};

/**
 * Longer than all attempts of a message and a receiver that never responds. As long as work shrinks, it may take any
 * time.
 */
const MAX_WAIT_MS = 180_000;
const POLL_MS = 250;

/** Resolves when nothing is left to do at this time; throws for work that never ends. */
export function createDrain({
  followers,
  queue,
  clock,
  simulators,
  progress,
  maxWaitMs: mostMs = MAX_WAIT_MS,
}: DrainOptions): () => Promise<void> {
  const waiting = async () => queue.countInFlight() + (await queue.countReady(clock.now()));
  const isIdle = () => followers.every((each) => each.idle());

  const drain = async () => {
    let end = monotonic() + mostMs;
    let least = Number.POSITIVE_INFINITY;
    const isBusy = async () => {
      const left = await waiting();
      if (left < least) [least, end] = [left, monotonic() + mostMs];
      return left > 0 || !isIdle();
    };
    // A webhook makes work for the feed's consumers and the queues, which may call a PSP, which may send a webhook.
    for (let worked = true; worked; ) {
      await simulators.idle();
      worked = false;
      for (let seen = progress.count; await isBusy(); seen = progress.count) {
        worked = true;
        if (monotonic() > end) throw new Error(`Still not at rest after ${mostMs} ms; the log says what fails.`);
        await progress.wait(seen, POLL_MS);
      }
    }
  };
  return async () => {
    const calm = followers.map((each) => each.hurry());
    await drain().finally(() => {
      for (const done of calm) done();
    });
  };
}
