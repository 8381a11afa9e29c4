import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { toTableError } from '#shared/store/dynamo/dynamo-error.rules.ts';
import { TableError } from '#shared/store/table/table.port.ts';

export const MAX_ATTEMPTS = 4;
const FIRST_DELAY_MS = 25;
const TRANSIENT = new Set(['throttled', 'conflict', 'unavailable']);

/** Full jitter, so that throttled calls don't return together. */
export const backOff = (attempt: number): Promise<void> => sleep(randomInt(FIRST_DELAY_MS * 2 ** attempt));

/**
 * Repeats calls that certainly had no effect, and idempotent calls in any case. Others are left to the caller:
 * repeating an `add` after a lost response would count twice. `onError` hears of each failed try.
 */
export async function withRetries<T>(
  repeatable: boolean,
  call: () => Promise<T>,
  onError?: (cause: unknown) => void,
): Promise<T> {
  let isOutcomeUnknown = false;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (cause) {
      onError?.(cause);
      const error = toTableError(cause);
      isOutcomeUnknown ||= error.outcome === 'unknown';
      const mayRetry = TRANSIENT.has(error.kind) && (repeatable || error.outcome === 'not_done');
      // The response of an earlier try was lost: that this repeat was throttled says nothing about that try.
      if (!mayRetry || attempt + 1 === MAX_ATTEMPTS)
        throw isOutcomeUnknown ? new TableError(error.kind, 'unknown', error.message, cause) : error;
      await backOff(attempt);
    }
  }
}

export const retriesExhausted = (message: string): TableError => new TableError('throttled', 'not_done', message);
