import type { Block, Page } from '#lib/reference/page.model.ts';
import { anchorOf, plainText } from '#lib/reference/prose.ts';

/** A place on a page, to which links lead. `text` is what stands there, for the search. */
export type Place = {
  readonly id: string;
  readonly title: string;
  readonly code?: string;
  readonly isDeprecated?: boolean;
  readonly text: string;
};

/** The entries and headings of a page, in their order. */
export const contentsOf = (page: Page): readonly Place[] => page.blocks.flatMap(placesIn);

function placesIn(block: Block): readonly Place[] {
  if (block.kind === 'entry') {
    const { id, title, code, isDeprecated } = block;
    const text = block.blocks.map(proseOf).find((prose) => prose !== '') ?? '';
    return [{ id, title, ...(code !== undefined && { code }), ...(isDeprecated && { isDeprecated }), text }];
  }
  if (block.kind === 'heading') return [{ id: block.id ?? anchorOf(block.text), title: block.text, text: '' }];
  return block.kind === 'prose' ? headingsOf(block.markdown) : [];
}

const proseOf = (block: Block): string => (block.kind === 'prose' ? plainText(block.markdown) : '');

const HEADING = /^#{2,3} (.+)$/gm;

/** The sections of a document. A line of a code block is none, even if it begins like one. */
function headingsOf(markdown: string): readonly Place[] {
  const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const found = [...text.matchAll(HEADING)];
  return found.map(({ 0: line, 1: heading = '', index }, at) => ({
    id: anchorOf(plainText(heading)),
    title: plainText(heading),
    text: plainText(text.slice(index + line.length, found[at + 1]?.index)),
  }));
}

/** For lists of pages: a whole paragraph is too much there. */
export const firstSentence = (summary: string): string => plainText(/^.*?[.?!](?=\s|$)/s.exec(summary)?.[0] ?? summary);
