/** What SQS and EventBridge take in one call. */
const BATCH_SIZE = 10;

/** In their order, at most ten in a batch, and together no larger than one may be. */
export function batchesOf<T>(entries: readonly T[], mostBytes: number, bytesOf: (entry: T) => number): T[][] {
  const batches: T[][] = [];
  let room = 0;
  for (const entry of entries) {
    const bytes = bytesOf(entry);
    const last = batches.at(-1);
    if (last && last.length < BATCH_SIZE && bytes <= room) last.push(entry);
    else {
      batches.push([entry]);
      room = mostBytes;
    }
    room -= bytes;
  }
  return batches;
}
