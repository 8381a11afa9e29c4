import { type SweepDeps, sweepDue } from '#functions/timers/sweep-due.usecase.ts';

/** The scheduled jobs, and how often each runs. */
export const SCHEDULES: readonly {
  readonly name: string;
  readonly everyMinutes: number;
  readonly run: (deps: SweepDeps) => Promise<void>;
}[] = [{ name: 'sweep-due', everyMinutes: 1, run: sweepDue }];
