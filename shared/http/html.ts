import { raw, html as tag } from 'hono/html';

/** Markup, with all text in it escaped. */
export type Html = ReturnType<typeof raw>;
export type Shown = string | number | false | null | undefined | Html | readonly Shown[];

/** Characters that HTML cannot hold, and marks that reverse the text around them, such as the sum beside a name. */
const UNFIT = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const cleaned = (text: string): string => text.toWellFormed().replaceAll(UNFIT, '');

const prepared = (value: Shown): Shown =>
  Array.isArray(value) ? value.map(prepared) : typeof value === 'string' ? cleaned(value) : value;

/**
 * The only way to make markup: every value is escaped, except markup made by this function. Attributes are always in
 * double quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Shown[]): Html {
  const made = tag(strings, ...values.map(prepared));
  if (made instanceof Promise) throw new TypeError('A page waits for nothing.');
  return made;
}

/** For our own trusted texts: a style or a script. */
export const ours = (text: string): Html => raw(text);
