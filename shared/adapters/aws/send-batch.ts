import { backOff, MAX_ATTEMPTS } from '#shared/store/dynamo/dynamo-retry.ts';

/** An entry that the service did not accept. `final`: it never will, because the entry itself is invalid. */
export type RejectedEntry<T> = { readonly entry: T; readonly code: string; readonly final: boolean };

class BatchError extends Error {
  override readonly name = 'BatchRefused';
}

/** A batch may be accepted in part: rejected entries are sent again a few times, then all of it counts as failed. */
export async function sendBatch<T>(
  what: string,
  entries: readonly T[],
  send: (left: readonly T[]) => Promise<readonly RejectedEntry<T>[]>,
): Promise<void> {
  let left = entries;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt > 0) await backOff(attempt);
    const rejected = await send(left);
    const codes = [...new Set(rejected.map(({ code }) => code))].join(', ');
    const isLast = attempt + 1 === MAX_ATTEMPTS || rejected.some(({ final }) => final);
    if (rejected.length > 0 && isLast)
      throw new BatchError(`${what} rejected ${rejected.length} of ${entries.length} entries: ${codes}.`);
    left = rejected.map(({ entry }) => entry);
  }
}

/** Waits for all of the work before it reports a failure, so that nothing continues behind the caller's back. */
export async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}

/** How many entries SQS and EventBridge accept in one call. */
const BATCH_SIZE = 10;

/** In order, at most ten in a batch, and together no larger than `maxBytes`. */
export function splitIntoBatches<T>(entries: readonly T[], maxBytes: number, bytesOf: (entry: T) => number): T[][] {
  const batches: T[][] = [];
  let bytesLeft = 0;
  for (const entry of entries) {
    const bytes = bytesOf(entry);
    const last = batches.at(-1);
    if (last && last.length < BATCH_SIZE && bytes <= bytesLeft) last.push(entry);
    else {
      batches.push([entry]);
      bytesLeft = maxBytes;
    }
    bytesLeft -= bytes;
  }
  return batches;
}
