/** A path with its ids, each as one segment. An id that is empty or dots would address something else. */
export function path(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  for (const id of ids) {
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`${parts.join('{id}')} needs an id.`);
  }
  return parts.reduce((text, part, index) => `${text}${encodeURIComponent(ids[index - 1] ?? '')}${part}`);
}

/** Fields without a value are left out. A space is `%20`: not everything on the way takes a `+` for one. */
export function queryText(input: object | undefined): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const text = String(query).replaceAll('+', '%20');
  return text === '' ? '' : `?${text}`;
}
