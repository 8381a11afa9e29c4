import { PARTITION } from '#test/bench/scale/ceilings.ts';

/** What a partition key takes in a second. `at`: the place of the key's hash in the key space, 0 to 1. */
export type KeyHeat = { readonly name: string; readonly at: number; readonly wcu: number; readonly rcu: number };

/** The load of a second: keys that many share, by their place, and what is spread evenly over the whole key space. */
export type Heat = { readonly keys: readonly KeyHeat[]; readonly even: { readonly wcu: number; readonly rcu: number } };

export type Second = {
  /** Units that were asked for and turned away. */
  readonly throttled: number;
  readonly asked: number;
  /** The key with most of the load in each partition that turned something away. */
  readonly hotKeys: readonly string[];
};

type Partition = { readonly from: number; readonly to: number; hotSeconds: number };

/** A partition with more than this share of its limit is hot. */
const HOT_SHARE = 0.8;
/**
 * DynamoDB splits a partition that stays hot, "within minutes" by its documents. A single key stays whole here: ours
 * have rising sort keys, or a single item.
 */
const SPLIT_AFTER_S = 120;

/**
 * The table or one index, as DynamoDB documents it: key space in partitions, each with its limit, whatever the others
 * use (adaptive capacity gives a hot one all of it at once); hot partitions are split, down to single keys.
 */
export class PartitionedResource {
  readonly #partitions: Partition[];

  constructor(warm: { readonly wcu: number; readonly rcu: number }) {
    const count = Math.ceil(Math.max(warm.wcu / PARTITION.wcu, warm.rcu / PARTITION.rcu));
    this.#partitions = Array.from({ length: count }, (_, n) => ({
      from: n / count,
      to: (n + 1) / count,
      hotSeconds: 0,
    }));
  }

  get size(): number {
    return this.#partitions.length;
  }

  /** A second of this load. */
  step({ keys, even }: Heat): Second {
    let [throttled, asked] = [0, 0];
    const hotKeys: string[] = [];
    let next = 0;
    for (const partition of [...this.#partitions]) {
      const own: KeyHeat[] = [];
      for (let key = keys[next]; key && key.at < partition.to; key = keys[++next]) own.push(key);
      const width = partition.to - partition.from;
      const load = { wcu: even.wcu * width + sumOf(own, 'wcu'), rcu: even.rcu * width + sumOf(own, 'rcu') };
      const over = Math.max(0, load.wcu - PARTITION.wcu) + Math.max(0, load.rcu - PARTITION.rcu);
      asked += load.wcu + load.rcu;
      throttled += over;
      if (over > 0) hotKeys.push(hottest(own)?.name ?? 'evenly spread');
      this.#heat(partition, load, own);
    }
    return { throttled, asked, hotKeys };
  }

  #heat(partition: Partition, load: { readonly wcu: number; readonly rcu: number }, own: readonly KeyHeat[]): void {
    const isHot = load.wcu > PARTITION.wcu * HOT_SHARE || load.rcu > PARTITION.rcu * HOT_SHARE;
    partition.hotSeconds = isHot ? partition.hotSeconds + 1 : 0;
    if (partition.hotSeconds < SPLIT_AFTER_S) return;
    const { from, to } = partition;
    const at = splitPoint(partition, own);
    if (at <= from || at >= to) return;
    const index = this.#partitions.indexOf(partition);
    this.#partitions.splice(index, 1, { from, to: at, hotSeconds: 0 }, { from: at, to, hotSeconds: 0 });
  }
}

const weight = ({ wcu, rcu }: KeyHeat): number => wcu / PARTITION.wcu + rcu / PARTITION.rcu;
const hottest = (keys: readonly KeyHeat[]): KeyHeat | undefined => keys.toSorted((a, b) => weight(b) - weight(a))[0];
const sumOf = (keys: readonly KeyHeat[], unit: 'wcu' | 'rcu'): number => keys.reduce((sum, key) => sum + key[unit], 0);

/** Where half of the load is on either side, between two keys. Beside a lone key: close to it, so that it gets alone. */
function splitPoint({ from, to }: Partition, keys: readonly KeyHeat[]): number {
  const [first, ...rest] = keys;
  if (!first) return (from + to) / 2;
  const half = keys.reduce((sum, key) => sum + weight(key), 0) / 2;
  let [sum, before] = [weight(first), first.at];
  for (const key of rest) {
    if (sum >= half) return (before + key.at) / 2;
    sum += weight(key);
    before = key.at;
  }
  const last = keys.at(-1)?.at ?? from;
  const left = last - from > to - last;
  return left ? last - (last - from) * 0.01 : last + (to - last) * 0.01;
}
