/** One partition of a list, newest first: the next of it below `before`. */
export type Stream<T> = (before: string | undefined, limit: number) => Promise<readonly T[]>;

/** Several partitions as one list, newest first. What it reads depends on what is taken from it, not on how much there is. */
export async function* mergeNewest<T>(streams: readonly Stream<T>[], idOf: (thing: T) => string, before: string | undefined, chunk: number): AsyncGenerator<T> {
  const lanes = await Promise.all(streams.map((stream) => openLane(stream, before, chunk)));
  for (;;) {
    let newest: Lane<T> | undefined;
    for (const lane of lanes) if (lane.waiting.length > 0 && (!newest || idOf(lane.waiting[0] as T) > idOf(newest.waiting[0] as T))) newest = lane;
    if (!newest) return;
    const thing = newest.waiting.shift() as T;
    yield thing;
    if (newest.waiting.length === 0 && newest.more) await refill(newest, idOf(thing), chunk);
  }
}

type Lane<T> = { readonly stream: Stream<T>; waiting: T[]; more: boolean };

async function openLane<T>(stream: Stream<T>, before: string | undefined, chunk: number): Promise<Lane<T>> {
  const lane: Lane<T> = { stream, waiting: [], more: true };
  await refill(lane, before, chunk);
  return lane;
}

async function refill<T>(lane: Lane<T>, before: string | undefined, chunk: number): Promise<void> {
  const things = await lane.stream(before, chunk);
  lane.waiting = [...things];
  lane.more = things.length === chunk;
}
