/**
 * Words by component, or by operation such as `GET /v1/payments`; several names are separated by a comma. Within them
 * by property: `this` is the schema itself, `variants[].weight` a property of a list's items, `max_amount{}` a value of
 * a map, `response` what an operation returns. The end of such a path is enough; one that begins with a dot is whole.
 */
export type Notes = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The words for a place of one component or operation. `isReference`: the place refers to a component. */
export type Say = (path: string, isReference: boolean) => string | undefined;

/** The words of all components and operations, by name. A test asks which of them no place has used. */
export type WordBook = { readonly of: (name: string) => Say; readonly unused: () => readonly string[] };

/** Looks up words by the longest end of a path: first those of the component itself, then those for all. */
export function wordBook(notes: readonly Notes[], common: Notes[string]): WordBook {
  const words = new Map<string, string>();
  for (const [names, all] of notes.flatMap((each) => Object.entries(each)))
    for (const name of names.split(', '))
      for (const [path, text] of Object.entries(all)) words.set(`${name} ${path}`, text);
  const everywhere = new Map(Object.entries(common));
  const used = new Set<string>();
  const find = (map: ReadonlyMap<string, string>, prefix: string, path: string): string | undefined => {
    const key = endsOf(path).find((end) => map.has(prefix + end));
    if (key !== undefined) used.add(prefix + key);
    return key === undefined ? undefined : map.get(prefix + key);
  };
  return {
    of: (name) => (path, isReference) =>
      find(words, `${name} `, path) ?? (isReference ? undefined : find(everywhere, '', path)),
    unused: () => [...words.keys(), ...everywhere.keys()].filter((key) => !used.has(key)),
  };
}

/** `.a[].b.c`, `a[].b.c`, `b.c`, `c`. */
const endsOf = (path: string): readonly string[] => {
  const names = path.split('.');
  return [`.${path}`, ...names.map((_, index) => names.slice(index).join('.'))];
};
