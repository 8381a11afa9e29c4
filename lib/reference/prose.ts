import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { codeBox } from '#lib/reference/html/code-box.ts';
import type { Language } from '#lib/reference/page.model.ts';
import { type Html, html, trustedHtml } from '#shared/http/html.ts';

/** Where a link of a document leads: an address, or undefined if its target is no page. */
export type LinkTo = (target: string) => string | undefined;

/** The name that GitHub gives to a heading, so that links work there and here. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Links among the documents lead to their pages. `pages`: addresses by the path of a document. */
export function linksFrom(source: string, pages: ReadonlyMap<string, string>): LinkTo {
  return (target) => {
    if (/^(https?:|mailto:|#|\/)/.test(target)) return target;
    const [path = '', anchor] = target.split(/#/);
    const page = pages.get(posix.join(posix.dirname(source), path));
    return page === undefined ? undefined : page + (anchor === undefined ? '' : `#${anchor}`);
  };
}

const sameLink: LinkTo = (target) => target;

/** Markdown of this repository as HTML: headings can be linked to, wide tables scroll, code can be copied. */
export function proseHtml(markdown: string, linkTo: LinkTo = sameLink): Html {
  return trustedHtml(rendererOf(linkTo).parse(markdown, { async: false }));
}

/** A text without paragraphs, such as a cell of a table. */
export function inlineHtml(markdown: string, linkTo: LinkTo = sameLink): Html {
  return trustedHtml(rendererOf(linkTo).parseInline(markdown, { async: false }));
}

const rendererOf = (linkTo: LinkTo): Marked =>
  new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const id = anchorOf(plainText(text));
        return html`<h${depth} id="${id}"><a class="anchor" href="#${id}">${trustedHtml(this.parser.parseInline(tokens))}</a></h${depth}>
`.toString();
      },
      code: ({ text, lang = '' }: Tokens.Code) => codeBox(languageOf(lang), text).toString(),
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const to = linkTo(href);
        return to === undefined ? content : html`<a href="${to}">${trustedHtml(content)}</a>`.toString();
      },
      table(token: Tokens.Table) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'td' | 'th'): string =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const head = token.header.some(({ text }) => text !== '')
          ? `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
          : '';
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        return scrollingTable(trustedHtml(`${head}<tbody>${rows}</tbody>`)).toString();
      },
      // The documents have none; text that looks like it is shown as it is.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => html`${text}`.toString(),
    },
  });

/** What scrolls can be reached by keys. */
export const scrollingTable = (rows: Html): Html =>
  html`<div class="scrolls" tabindex="0" role="group" aria-label="Table"><table>${rows}</table></div>
`;

/** Markdown as plain words, for titles and the search. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<!\w)(\*{1,2}|_)([^*\n]+?)\1(?!\w)/g, '$2')
    .replaceAll('`', '');

const LANGUAGES: readonly Language[] = ['sh', 'ts', 'js', 'json'];
const languageOf = (info: string): Language => LANGUAGES.find((each) => each === info.split(' ')[0]) ?? 'sh';

/** The same document with links that work outside this repository; what leads to no page becomes its words. */
export const linkedMarkdown = (markdown: string, linkTo: LinkTo): string =>
  markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) =>
      part.startsWith('```') ? part : part.replaceAll(LINK, (_, text, target) => linkText(text, linkTo(target))),
    )
    .join('');

const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const linkText = (text: string, to: string | undefined): string => (to === undefined ? text : `[${text}](${to})`);
