import type { Invocations } from '#lib/local/invocation.ts';
import { Signal } from '#lib/local/signal.ts';
import { type Clock, MINUTE } from '#shared/kernel/clock.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

export type ScheduleLine = { readonly name: string; readonly everyMinutes: number; readonly run: () => Promise<void> };

export type ScheduleOptions = {
  readonly lines: readonly ScheduleLine[];
  readonly clock: Clock;
  readonly invocations: Invocations;
  readonly log: LogPort;
};

export type Schedules = {
  /** None runs by itself any more until released, and what was running is through: for a clock that is moved step by step. */
  readonly hold: () => Promise<void>;
  readonly release: () => void;
  /** Each once, whatever the time. */
  readonly runAll: () => Promise<void>;
  readonly wake: () => void;
  readonly close: () => Promise<void>;
};

const TIMEOUT_MS = 60_000;

/** Runs each line by the service's clock, at the whole minutes its period divides, and at the start for what was missed. */
export function startSchedules({ lines, clock, invocations, log }: ScheduleOptions): Schedules {
  const woken = new Signal();
  let open = true;
  let held = false;
  let last = Promise.resolve();

  /** One after the other, whoever asks. */
  function run({ name, run: work }: ScheduleLine): Promise<void> {
    last = last.then(() => invocations.invoke(name, TIMEOUT_MS, work)).catch((error: unknown) => log.error('schedule_failed', { schedule: name, error }));
    return last;
  }

  async function loop(line: ScheduleLine): Promise<void> {
    const period = line.everyMinutes * MINUTE;
    let next = clock.now().getTime();
    while (open) {
      const seen = woken.count;
      const now = clock.now().getTime();
      if (held || now < next) {
        await woken.wait(seen, held ? undefined : next - now);
        continue;
      }
      await run(line);
      next = Math.floor(clock.now().getTime() / period) * period + period;
    }
  }

  const looping = lines.map(loop);
  return {
    hold: () => {
      held = true;
      return last;
    },
    release: () => {
      held = false;
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
