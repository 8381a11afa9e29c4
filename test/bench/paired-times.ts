type Times = { readonly one: readonly number[]; readonly other: readonly number[] };

/** In turn, each first equally often, so that a temporary slowdown of the machine affects both. */
export async function pairedTimes(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
  rounds: number,
): Promise<Times> {
  const times = { one: [] as number[], other: [] as number[] };
  const timed = async (name: keyof typeof times, send: () => Promise<unknown>) => {
    const begun = performance.now();
    await send();
    times[name].push(performance.now() - begun);
  };
  for (let round = 0; round < rounds; round += 1) {
    const turns = [() => timed('one', one), () => timed('other', other)];
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn();
  }
  return times;
}

export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
};

export type Difference = {
  readonly medians: readonly [number, number];
  readonly difference: number;
  readonly low: number;
  readonly high: number;
};

const RESAMPLES = 1_000;

/** The median of the pairs' differences, with its 95 % interval by bootstrap. */
export function differenceOf({ one, other }: Times): Difference {
  const differences = one.map((time, n) => time - (other[n] ?? 0));
  const random = generator(differences.length);
  const drawn = Array.from({ length: RESAMPLES }, () =>
    median(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((a, b) => a - b);
  const at = (share: number) => drawn[Math.floor(share * RESAMPLES)] ?? 0;
  return { medians: [median(one), median(other)], difference: median(differences), low: at(0.025), high: at(0.975) };
}

/** The same random draws each time, so that figures differ only by what was measured. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
