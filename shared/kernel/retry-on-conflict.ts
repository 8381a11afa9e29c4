import { randomInt } from 'node:crypto';
import { AppError } from '#shared/kernel/errors.ts';

/**
 * Each conflict means that another writer succeeded. With this many attempts, fifty concurrent writers all succeed
 * within the time of a request.
 */
const MAX_ATTEMPTS = 25;
const FIRST_DELAY_MS = 10;
const MAX_PAUSE_MS = 500;

type RetryOptions = {
  readonly attempts?: number;
  /** How to wait before another attempt. */
  readonly wait?: (ms: number) => Promise<unknown>;
};

export const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

/** For attempts that get the newer record from the failed write: there is nothing to wait for. */
export const noPause = (): Promise<void> => Promise.resolve();

/**
 * Runs an attempt (read, decide, write) again after each conflict; `attempt` returns `undefined` for a conflict. Pauses
 * are random, so that the losers do not collide again. `whenExhausted`: the message of a `write_conflict`, or another
 * error.
 */
export async function retryOnConflict<T>(
  attempt: () => Promise<T | undefined>,
  whenExhausted: string | (() => unknown),
  { attempts = MAX_ATTEMPTS, wait = pause }: RetryOptions = {},
): Promise<T> {
  for (let n = 0; n < attempts; n += 1) {
    if (n > 0) await wait(randomInt(Math.min(MAX_PAUSE_MS, FIRST_DELAY_MS * 2 ** n)));
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw typeof whenExhausted === 'string' ? new AppError('write_conflict', whenExhausted) : whenExhausted();
}
