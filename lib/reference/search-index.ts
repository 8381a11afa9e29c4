import { contentsOf } from '#lib/reference/contents.ts';
import { addressOf, type Page } from '#lib/reference/page.model.ts';
import { plainText } from '#lib/reference/prose.ts';

/** A place that the search finds, and words that stand there. Short, as the page's script loads all of them. */
type Found = readonly [title: string, page: string, address: string, words: string];

/** More words of a place hardly ever decide. */
const MAX_WORDS_LENGTH = 280;

/** What the page's script searches. */
export function searchIndex(pages: readonly Page[]): string {
  return JSON.stringify(pages.flatMap(placesOf));
}

function placesOf(page: Page): readonly Found[] {
  const address = addressOf(page.path);
  // An old spelling of an endpoint is not found: the new one is.
  const places = contentsOf(page)
    .filter(({ isDeprecated }) => !isDeprecated)
    .map(
      ({ id, title, code = '', text }): Found => [title, page.title, `${address}#${id}`, truncated(`${code} ${text}`)],
    );
  const rows = page.blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []));
  const codes = rows.flatMap(({ id, cells: [name = '', ...more] }): Found[] =>
    id === undefined ? [] : [[plainText(name), page.title, `${address}#${id}`, truncated(plainText(more.join(' ')))]],
  );
  return [[page.title, page.section, address, truncated(page.summary)], ...places, ...codes];
}

const truncated = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_WORDS_LENGTH);
