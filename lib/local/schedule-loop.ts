import type { Invocations } from '#lib/local/invocation.ts';
import { Signal } from '#lib/local/signal.ts';
import { type Clock, MINUTE } from '#shared/kernel/clock.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

type ScheduleLine = { readonly name: string; readonly everyMinutes: number; readonly run: () => Promise<void> };

type ScheduleOptions = {
  readonly lines: readonly ScheduleLine[];
  readonly clock: Clock;
  readonly invocations: Invocations;
  readonly log: LogPort;
};

export type Schedules = {
  /** Pauses all schedules until released, and waits for the running one: for a clock that is moved step by step. */
  readonly hold: () => Promise<void>;
  readonly release: () => void;
  /** Runs each once, regardless of the time. */
  readonly runAll: () => Promise<void>;
  readonly wake: () => void;
  readonly close: () => Promise<void>;
};

const TIMEOUT_MS = 60_000;

/** Runs each schedule by the service's clock, at multiples of its period, and once at the start for missed runs. */
export function startSchedules({ lines, clock, invocations, log }: ScheduleOptions): Schedules {
  const woken = new Signal();
  let open = true;
  let paused = false;
  let last = Promise.resolve();

  /** One at a time. */
  function run({ name, run: work }: ScheduleLine): Promise<void> {
    last = last
      .then(() => invocations.invoke(name, TIMEOUT_MS, work))
      .catch((error: unknown) => log.error('schedule_failed', { schedule: name, error }));
    return last;
  }

  async function loop(line: ScheduleLine): Promise<void> {
    const period = line.everyMinutes * MINUTE;
    let next = clock.now().getTime();
    while (open) {
      const seen = woken.count;
      const now = clock.now().getTime();
      if (paused || now < next) {
        await woken.wait(seen, paused ? undefined : next - now);
        continue;
      }
      await run(line);
      next = Math.floor(clock.now().getTime() / period) * period + period;
    }
  }

  const looping = lines.map(loop);
  return {
    hold: () => {
      paused = true;
      return last;
    },
    release: () => {
      paused = false;
      woken.raise();
    },
    runAll: async () => {
      await Promise.all(lines.map(run));
    },
    wake: () => woken.raise(),
    close: async () => {
      open = false;
      woken.raise();
      await Promise.all(looping);
    },
  };
}
