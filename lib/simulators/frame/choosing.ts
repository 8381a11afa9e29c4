import type { Stored } from '#lib/simulators/frame/object-store.ts';

/**
 * A completion names an object, which is then the only candidate, or a payment: among all its objects, the newest that
 * fits the first applicable wish.
 */
export function choose(
  candidates: readonly Stored[],
  ...wishes: readonly ((stored: Stored) => boolean)[]
): Stored | undefined {
  if (candidates.length === 1) return candidates[0];
  const wish = wishes.find((fits) => candidates.some(fits));
  return wish && candidates.findLast(wish);
}
