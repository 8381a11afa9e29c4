import { type Clock, plus } from '#shared/kernel/clock.ts';

type StoppedClock = Clock & { readonly pass: (ms: number) => void };

/** The time at which tests start. */
export const START = new Date('2026-03-01T12:00:00.000Z');

/** The time some milliseconds after the start. */
export const later = (ms: number): Date => plus(START, ms);

/** Stopped until a test lets time pass. */
export function stoppedClock(): StoppedClock {
  let now = START;
  return {
    now: () => now,
    pass: (ms) => {
      now = plus(now, ms);
    },
  };
}
