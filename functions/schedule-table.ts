import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The scheduled jobs, and how often each runs. */
export const SCHEDULES: readonly {
  readonly name: string;
  readonly everyMinutes: number;
  readonly run: (deps: Deps) => Promise<void>;
}[] = [{ name: 'sweep-due', everyMinutes: 1, run: sweepDue }];
