import type { LocalClock } from '#lib/local/local-clock.ts';
import type { Schedules } from '#lib/local/schedule-loop.ts';
import type { SqliteQueue } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import type { DueIndex } from '#shared/ports/due.port.ts';

type StepOptions = {
  readonly clock: Pick<LocalClock, 'now' | 'stand' | 'run'>;
  readonly due: Pick<DueIndex, 'due' | 'earliest'>;
  readonly queue: Pick<SqliteQueue, 'nextVisibleAt'>;
  readonly schedules: Pick<Schedules, 'hold' | 'release' | 'runAll'>;
  readonly drain: () => Promise<void>;
};

/** How often the schedules run at one instant, while each run changes what is due. */
const MAX_RUNS = 1_000;
/** How many entries that stay due are skipped in search of later ones. */
const LOOK_AHEAD = 10_000;

/**
 * Moves the clock forward, one move after another: it stops at each time something is due, until that and all that
 * follows from it is done, and then runs on from the target. Entries that stay due after a run are left behind, so that
 * a move always ends.
 */
export function clockSteps({
  clock,
  due,
  queue,
  schedules,
  drain,
}: StepOptions): (targetOf: (now: Date) => Date) => Promise<void> {
  const dueNow = async () => (await due.due(clock.now(), LOOK_AHEAD)).map(({ id, at }) => `${id} ${at}`).join();

  async function settle(): Promise<void> {
    await drain();
    let before = await dueNow();
    for (let run = 0; before !== '' && run < MAX_RUNS; run += 1) {
      await schedules.runAll();
      await drain();
      const after = await dueNow();
      if (after === before) return;
      before = after;
    }
  }

  /** The next time, up to the target, at which something is due. */
  async function nextDueTime(target: Date): Promise<Date | undefined> {
    const now = clock.now();
    const earliest = await due.earliest();
    const later =
      earliest !== undefined && new Date(earliest) > now
        ? [earliest]
        : (await due.due(target, LOOK_AHEAD)).map(({ at }) => at);
    const times = [...later.map((at) => new Date(at)), await queue.nextVisibleAt()].filter(
      (at) => at !== undefined && at > now && at <= target,
    );
    return times.reduce((a, b) => (a && b && b < a ? b : a), times[0]);
  }

  async function advance(targetOf: (now: Date) => Date): Promise<void> {
    await clock.stand(clock.now());
    try {
      const target = targetOf(clock.now());
      await schedules.hold();
      await settle();
      for (let at = await nextDueTime(target); at; at = await nextDueTime(target)) {
        await clock.stand(at);
        await settle();
      }
      await clock.stand(target);
      await settle();
    } finally {
      await clock.run();
      schedules.release();
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  return (targetOf) => {
    const advanced = last.then(() => advance(targetOf));
    last = advanced.catch(() => undefined);
    return advanced;
  };
}
