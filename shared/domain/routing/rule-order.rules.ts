import { isBefore } from '#shared/domain/routing/routing.rules.ts';
import type { RoutedRule } from '#shared/domain/routing/routing-rule.model.ts';

type OrderedRule = Pick<RoutedRule, 'id' | 'priority' | 'created_at'>;

export const MAX_PRIORITY = 1_000_000;
/** Between neighbours that get new priorities, so that the next rule in between changes no other. */
const GAP = 10;

/**
 * The rules whose priority must change so that they are tried in this order, with their new ones. As few as possible
 * change: the longest run of rules keeps its priorities that has room for the others in between.
 */
export function prioritiesFor(ordered: readonly OrderedRule[]): ReadonlyMap<string, number> {
  const kept = longestKept(ordered);
  const priorities = kept.length === 0 ? evenly(ordered.length) : around(ordered, kept);
  return new Map(
    ordered.flatMap(({ id, priority }, n) => {
      const next = priorities[n] ?? priority;
      return next === priority ? [] : [[id, next] as const];
    }),
  );
}

/**
 * Priorities with a gap after each, above all that there are: given out from the first rule on, they keep the order as
 * it is at every moment. None where they would be too high.
 */
export function spreadPriorities(rules: readonly OrderedRule[]): ReadonlyMap<string, number> {
  const inOrder = rules.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  const highest = inOrder[0]?.priority ?? 0;
  if (highest + inOrder.length * GAP > MAX_PRIORITY) return new Map();
  return new Map(inOrder.map(({ id }, n) => [id, highest + (inOrder.length - n) * GAP]));
}

const evenly = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => (count - n) * GAP);

/** The positions of the rules that keep their priorities: the longest chain in which each two neighbours have room. */
function longestKept(ordered: readonly OrderedRule[]): readonly number[] {
  const best: { readonly length: number; readonly from: number | undefined }[] = [];
  for (const [n, rule] of ordered.entries()) {
    let [length, from]: [number, number | undefined] = [
      hasRoomAbove(rule, n) ? 1 : Number.NEGATIVE_INFINITY,
      undefined,
    ];
    for (let m = 0; m < n; m += 1) {
      const before = best[m];
      if (!before || before.length + 1 <= length || !hasRoom(ordered, m, n)) continue;
      [length, from] = [before.length + 1, m];
    }
    best.push({ length, from });
  }
  let last: number | undefined;
  for (const [n, { length }] of best.entries()) {
    const rule = ordered[n];
    const ends = rule !== undefined && length > 0 && hasRoomBelow(rule, ordered.length - 1 - n);
    if (ends && (last === undefined || length > (best[last]?.length ?? 0))) last = n;
  }
  const kept: number[] = [];
  for (let n = last; n !== undefined; n = best[n]?.from) kept.unshift(n);
  return kept;
}

const hasRoomAbove = ({ priority }: OrderedRule, count: number): boolean => priority + count <= MAX_PRIORITY;
const hasRoomBelow = ({ priority }: OrderedRule, count: number): boolean => priority - count >= -MAX_PRIORITY;

/** Neighbours of equal priority stand by their age. Between others there must be a whole number for each in between. */
function hasRoom(ordered: readonly OrderedRule[], m: number, n: number): boolean {
  const [above, below] = [ordered[m], ordered[n]];
  if (!above || !below) return false;
  if (n === m + 1 && above.priority === below.priority) return isBefore(above, below);
  return above.priority - below.priority >= n - m;
}

/** New priorities for those around the kept ones. */
function around(ordered: readonly OrderedRule[], kept: readonly number[]): readonly number[] {
  return ordered.map(({ priority }, n) => {
    const below = kept.find((position) => position >= n);
    const above = kept.findLast((position) => position <= n);
    if (below === n) return priority;
    const at = (position: number) => ordered[position]?.priority ?? 0;
    if (below === undefined) return lowered(at(above ?? 0), n - (above ?? 0), ordered.length - 1 - (above ?? 0));
    if (above === undefined) return -lowered(-at(below), below - n, below);
    const share = (at(above) - at(below)) / (below - above);
    return at(below) + Math.floor(share * (below - n));
  });
}

/** The priority so many places below: with a gap, or without where the gaps would not fit. */
function lowered(priority: number, places: number, of: number): number {
  const gap = priority - of * GAP >= -MAX_PRIORITY ? GAP : 1;
  return priority - places * gap;
}
