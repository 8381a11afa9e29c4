import { raw, html as tag } from 'hono/html';

/** Markup: what stands in it as text is escaped. */
export type Html = ReturnType<typeof raw>;
export type Shown = string | number | false | undefined | Html;

/** The only way to markup: every value in it is escaped, save what this made itself. Attributes stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Shown[]): Html {
  const made = tag(strings, ...values);
  if (made instanceof Promise) throw new TypeError('A page waits for nothing.');
  return made;
}

/** For texts of ours that are whole already: the style and the script. */
export const ours = (text: string): Html => raw(text);
