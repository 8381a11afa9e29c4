import type { LocalClock } from '#lib/local/local-clock.ts';
import { type Clock, plus, systemClock } from '#shared/kernel/clock.ts';

const OFFSET = 0;
/** Milliseconds, or NaN while the clock runs. */
const STANDING = 1;

/** The state of this host's clock in memory that other threads read: what it shows there is never older than here. */
export function shareTime(clock: Pick<LocalClock, 'state' | 'onJump'>): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT);
  const numbers = new Float64Array(shared);
  const write = () => {
    const { offsetMs, standing } = clock.state;
    numbers[OFFSET] = offsetMs;
    numbers[STANDING] = standing?.getTime() ?? Number.NaN;
  };
  write();
  clock.onJump(write);
  return shared;
}

/** The same clock on another thread. */
export function sharedClock(shared: SharedArrayBuffer): Clock {
  const numbers = new Float64Array(shared);
  return {
    now: () => {
      const standing = numbers[STANDING] ?? Number.NaN;
      return Number.isNaN(standing) ? plus(systemClock.now(), numbers[OFFSET] ?? 0) : new Date(standing);
    },
  };
}
