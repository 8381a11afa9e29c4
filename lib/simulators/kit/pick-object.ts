import type { StoredObject } from '#lib/simulators/kit/object-store.ts';

/**
 * A completion names either an object, which is then the only candidate, or a payment. Of a payment's objects, picks
 * the newest one that matches the first preference that any object matches.
 */
export function pickObject(
  candidates: readonly StoredObject[],
  ...preferences: readonly ((stored: StoredObject) => boolean)[]
): StoredObject | undefined {
  if (candidates.length === 1) return candidates[0];
  const preference = preferences.find((matches) => candidates.some(matches));
  return preference && candidates.findLast(preference);
}
