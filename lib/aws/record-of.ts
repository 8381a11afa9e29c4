/**
 * Keys of a record by their names: TypeScript forgets them, as a wider record might have more. Ours are tables, and
 * have not.
 */
export const namesOf = <K extends string>(record: Readonly<Record<K, unknown>>): readonly K[] =>
  Object.keys(record) as K[];

export function recordOf<K extends string, V>(names: readonly K[], make: (name: K) => V): Readonly<Record<K, V>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;
}
