import { randomInt } from 'node:crypto';
import { AppError } from '#shared/kernel/errors.ts';

/** Each lost round means that another writer succeeded: of fifty at once all come through, within a request's time. */
const ROUNDS = 25;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Reads, decides and writes, again after a lost race, for which `round` answers `undefined`. Pauses are random, so that
 * the losers don't collide again.
 */
export async function inRounds<T>(
  round: () => Promise<T | undefined>,
  whenLost: string,
  wait: (ms: number) => Promise<unknown> = pause,
): Promise<T> {
  for (let n = 0; n < ROUNDS; n += 1) {
    if (n > 0) await wait(randomInt(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** n)));
    const done = await round();
    if (done !== undefined) return done;
  }
  throw new AppError('write_conflict', whenLost);
}
