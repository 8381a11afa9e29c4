/** The first `max` UTF-16 units. Half of a surrogate pair at the end is dropped: providers and the store refuse it. */
export function truncate(text: string, max: number): string {
  const cut = text.slice(0, max);
  return cut.length < text.length && !cut.isWellFormed() ? cut.slice(0, -1) : cut;
}
