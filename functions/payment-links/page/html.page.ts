import { raw, html as tag } from 'hono/html';

/** Markup: what stands in it as text is escaped. */
export type Html = ReturnType<typeof raw>;
export type Shown = string | number | false | null | undefined | Html | readonly Shown[];

/** What HTML cannot hold, and marks that turn the text around them, such as the sum beside a name, the other way. */
const UNFIT = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

export const cleaned = (text: string): string => text.toWellFormed().replaceAll(UNFIT, '');

const prepared = (value: Shown): Shown => (Array.isArray(value) ? value.map(prepared) : typeof value === 'string' ? cleaned(value) : value);

/** The only way to markup: every value in it is escaped, save what this made itself. Attributes stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Shown[]): Html {
  const made = tag(strings, ...values.map(prepared));
  if (made instanceof Promise) throw new TypeError('A page waits for nothing.');
  return made;
}

/** For texts of ours that are markup already, such as the style. */
export const ours = (text: string): Html => raw(text);
