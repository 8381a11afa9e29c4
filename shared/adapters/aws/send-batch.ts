import { backOff, MAX_ATTEMPTS } from '#shared/store/dynamo/dynamo-retry.ts';

/** An entry that the service did not accept. `final`: it never will, because the entry itself is invalid. */
export type RejectedEntry<T> = { readonly entry: T; readonly code: string; readonly final: boolean };

export class BatchError extends Error {
  override readonly name = 'BatchRefused';
  readonly rejected: readonly unknown[];
  constructor(message: string, rejected: readonly unknown[]) {
    super(message);
    this.rejected = rejected;
  }
}

/**
 * A batch may be accepted in part: rejected entries are sent again a few times. Then it counts as failed, with the
 * entries that are left.
 */
export async function sendBatch<T>(
  what: string,
  entries: readonly T[],
  send: (left: readonly T[]) => Promise<readonly RejectedEntry<T>[]>,
): Promise<void> {
  const refused: RejectedEntry<T>[] = [];
  let left = entries;
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt > 0) await backOff(attempt);
    const rejected = await send(left);
    const isLast = attempt + 1 === MAX_ATTEMPTS;
    refused.push(...rejected.filter(({ final }) => final || isLast));
    left = rejected.filter(({ final }) => !final && !isLast).map(({ entry }) => entry);
  }
  if (refused.length === 0) return;
  const codes = [...new Set(refused.map(({ code }) => code))].join(', ');
  throw new BatchError(
    `${what} rejected ${refused.length} of ${entries.length} entries: ${codes}.`,
    refused.map(({ entry }) => entry),
  );
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
