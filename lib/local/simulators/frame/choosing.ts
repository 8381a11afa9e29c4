import type { Stored } from '#lib/local/simulators/frame/object-store.ts';

/**
 * Who completes something names an object, which then is the only candidate, or a payment: of all that belongs to that, the
 * newest that fits the first of the wishes that anything fits.
 */
export function choose(candidates: readonly Stored[], ...wishes: readonly ((stored: Stored) => boolean)[]): Stored | undefined {
  if (candidates.length === 1) return candidates[0];
  const wish = wishes.find((fits) => candidates.some(fits));
  return wish && candidates.findLast(wish);
}
