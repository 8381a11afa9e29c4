/** What the search index holds: title, page, address, and more words. */
export type Place = readonly [title: string, page: string, address: string, words: string];

const MAX_RESULTS = 30;

/** Places with all the words, best first: in the title, at its start, as a whole; then elsewhere. */
export function findPlaces(places: readonly Place[], asked: string): readonly Place[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return places
    .map((place) => ({ place, score: scoreOf(place, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_RESULTS)
    .map(({ place }) => place);
}

/** 0 where a word is missing. */
function scoreOf([title, page, address, more]: Place, words: readonly string[]): number {
  const place = { name: title.toLowerCase(), page: page.toLowerCase(), more: more.toLowerCase() };
  let score = place.name === words.join(' ') ? 100 : 0;
  for (const word of words) {
    const points = pointsFor(word, place);
    if (points === 0) return 0;
    score += points;
  }
  // Of two that fit as well: the reference before a guide, and the one that says less else.
  return score + (address.startsWith('/docs/api/') ? 1 : 0) + 1 / (1 + title.length);
}

function pointsFor(word: string, { name, page, more }: Readonly<Record<'name' | 'page' | 'more', string>>): number {
  // An endpoint's words begin with its method and path.
  if (word.startsWith('/') && more.split(' ')[1] === word) return 60;
  if (name.startsWith(word)) return 30;
  if (hasWord(name, word)) return 20;
  if (name.includes(word)) return 12;
  if (hasWord(page, word)) return 14;
  return more.includes(word) ? 4 : 0;
}

/** Whether a word of the text begins so; `invalid_signature` is one word. */
const hasWord = (text: string, start: string): boolean =>
  new RegExp(`(?:^|[^a-z0-9_])${start.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`).test(text);
