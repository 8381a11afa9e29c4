import type { Field, Variant } from '#lib/reference/field-tree.ts';

/** The sections of the navigation, in their order. */
export const SECTIONS = ['Start', 'Guides', 'In depth', 'API', 'Look up', 'On your machine'] as const;
export type Section = (typeof SECTIONS)[number];

export type Language = 'sh' | 'ts' | 'json' | 'js';

/** Where a reader writes a key, if the page's script has none to fill in. */
export const SAMPLE_KEY = 'sk_sandbox_YOUR_KEY';

/** The same request in one language. */
export type Sample = { readonly language: Language; readonly label: string; readonly code: string };

/**
 * A part of a page, which is written as HTML and as Markdown. Texts are Markdown, but for headings and labels, which are
 * plain.
 */
export type Block =
  | { readonly kind: 'prose'; readonly markdown: string }
  | { readonly kind: 'heading'; readonly level: 2 | 3; readonly text: string; readonly id?: string }
  /** A heading within an entry, one level below its title. It is no place of its own. */
  | { readonly kind: 'label'; readonly level: 3 | 4; readonly text: string }
  | FieldsBlock
  | { readonly kind: 'samples'; readonly title: string; readonly samples: readonly Sample[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly TableRow[] }
  | { readonly kind: 'cards'; readonly cards: readonly Card[] }
  | Entry;

/** `isReply`: the API sends them, so that most are always there, and those that may be missing are marked. */
export type FieldsBlock = {
  readonly kind: 'fields';
  readonly fields: readonly Field[];
  readonly variants?: readonly Variant[];
  readonly isReply?: true;
  /** They are folded under this line: what is the same everywhere. */
  readonly foldedUnder?: string;
};

/** `id` makes the row a place that links lead to. */
export type TableRow = { readonly id?: string; readonly cells: readonly string[] };

export type Card = { readonly title: string; readonly text: string; readonly path: string };

/** A thing with a place of its own: an operation, an event, an error. Samples stand beside it where there is room. */
export type Entry = {
  readonly kind: 'entry';
  readonly id: string;
  readonly title: string;
  /** `POST /v1/payments`. */
  readonly code?: string;
  /** The title is a word of programs, such as the code of an error. */
  readonly isCode?: true;
  /** Of its title: 3 below a heading of its own. */
  readonly level?: 2 | 3;
  /** Old spellings, which still work, are marked. */
  readonly isDeprecated?: boolean;
  readonly blocks: readonly Block[];
  readonly samples: readonly Extract<Block, { readonly kind: 'samples' }>[];
};

export type Page = {
  /** Below `/docs/`; empty for the first page. */
  readonly path: string;
  readonly title: string;
  /** One sentence, for search results and `llms.txt`. */
  readonly summary: string;
  readonly section: Section;
  readonly blocks: readonly Block[];
  /** The file in this repository that the page is made from. Links to that file lead to the page. */
  readonly source?: string;
};

export const addressOf = (path: string): string => (path === '' ? '/docs' : `/docs/${path}`);
