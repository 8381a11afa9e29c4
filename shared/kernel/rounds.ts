import { randomInt } from 'node:crypto';
import { AppError } from '#shared/kernel/errors.ts';

/** In each that is lost somebody else's change was saved: fifty at once all come through, and nobody waits longer than a request may. */
const ROUNDS = 25;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Decides and writes, and again on what won the race: `undefined` is a lost one. Pauses are random, so that those who lost
 * together don't come back together.
 */
export async function inRounds<T>(round: () => Promise<T | undefined>, whenLost: string, wait: (ms: number) => Promise<unknown> = pause): Promise<T> {
  for (let n = 0; n < ROUNDS; n += 1) {
    if (n > 0) await wait(randomInt(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** n)));
    const done = await round();
    if (done !== undefined) return done;
  }
  throw new AppError('write_conflict', whenLost);
}
