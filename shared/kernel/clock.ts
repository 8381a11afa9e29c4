/** The service's time. Deadlines within a call use `monotonic` instead, which no clock change moves. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds of real time since the process began. */
export const monotonic = (): number => performance.now();

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const plus = (at: Date | string, ms: number): Date => new Date(new Date(at).getTime() + ms);
