/** At most so many UTF-16 units of it, and no half of a pair at its end: providers and the store refuse that. */
export function shortened(text: string, most: number): string {
  const cut = text.slice(0, most);
  return cut.length < text.length && !cut.isWellFormed() ? cut.slice(0, -1) : cut;
}
