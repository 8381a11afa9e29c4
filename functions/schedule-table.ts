import { sweepDue } from '#functions/timers/sweep-due.usecase.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What runs by itself, and how often. */
export const SCHEDULES: readonly { readonly name: string; readonly everyMinutes: number; readonly run: (deps: Deps) => Promise<void> }[] = [
  { name: 'sweep-due', everyMinutes: 1, run: sweepDue },
];
