import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TableError } from '#shared/ports/table.port.ts';
import { toTableError } from '#shared/store/dynamo/dynamo-error.rules.ts';

export const TRIES = 4;
const FIRST_WAIT_MS = 25;
const PASSING = new Set(['throttled', 'conflict', 'unavailable']);

/** Full jitter, so that throttled calls don't return together. */
export const backOff = (attempt: number): Promise<void> => sleep(randomInt(FIRST_WAIT_MS * 2 ** attempt));

/**
 * Repeats calls that certainly had no effect, and idempotent ones in any case. All else is the caller's decision: an
 * `add` after a lost answer would count twice.
 */
export async function patiently<T>(repeatable: boolean, call: () => Promise<T>): Promise<T> {
  let lost = false;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (cause) {
      const error = toTableError(cause);
      lost ||= error.outcome === 'unknown';
      const again = PASSING.has(error.kind) && (repeatable || error.outcome === 'not_done');
      // That a repeat was throttled says nothing about the first try, whose answer was lost.
      if (!again || attempt + 1 === TRIES)
        throw lost ? new TableError(error.kind, 'unknown', error.message, cause) : error;
      await backOff(attempt);
    }
  }
}

export const gaveUp = (message: string): TableError => new TableError('throttled', 'not_done', message);
