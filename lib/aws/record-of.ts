/**
 * The keys of a table with their literal types. TypeScript widens them to string, as an object may have more keys than
 * its type.
 */
export const namesOf = <K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] =>
  Object.keys(record) as K[];

export function recordOf<K extends string, V>(names: readonly K[], make: (name: K) => V): Readonly<Record<K, V>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;
}
