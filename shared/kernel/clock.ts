/** The service's time. Deadlines within a call use `monotonic` instead, which no clock change moves. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Milliseconds of real time since the process began. */
export const monotonic = (): number => performance.now();

/** A time budget of `total` milliseconds from now on; `remaining` is never below 0. */
export function startDeadline(total: number): { readonly total: number; readonly remaining: () => number } {
  const end = performance.now() + total;
  return { total, remaining: () => Math.max(0, end - performance.now()) };
}

/** Whether at least this share of the whole budget is left. */
export const hasShareLeft = ({ total, remaining }: ReturnType<typeof startDeadline>, share: number): boolean =>
  remaining() >= total * share;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const plus = (at: Date | string, ms: number): Date => new Date(new Date(at).getTime() + ms);
