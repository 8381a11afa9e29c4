import { backOff, TRIES } from '#shared/store/dynamo/dynamo-retry.ts';

/** An entry of a batch that was not taken. `final`: it never will be, as it is the entry that is wrong. */
export type NotTaken<T> = { readonly entry: T; readonly code: string; readonly final: boolean };

class BatchRefused extends Error {
  override readonly name = 'BatchRefused';
}

/** A batch may be taken in part: what was not is sent again, a few times, and then all of it counts as failed. */
export async function untilTaken<T>(
  what: string,
  entries: readonly T[],
  send: (left: readonly T[]) => Promise<readonly NotTaken<T>[]>,
): Promise<void> {
  let left = entries;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt > 0) await backOff(attempt);
    const refused = await send(left);
    const codes = [...new Set(refused.map(({ code }) => code))].join(', ');
    const hopeless = attempt + 1 === TRIES || refused.some(({ final }) => final);
    if (refused.length > 0 && hopeless)
      throw new BatchRefused(`${what} did not take ${refused.length} of ${entries.length} entries: ${codes}.`);
    left = refused.map(({ entry }) => entry);
  }
}

/** All at once, and all of them through before a failure is told: nothing goes on behind the caller's back. */
export async function allThrough(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}
