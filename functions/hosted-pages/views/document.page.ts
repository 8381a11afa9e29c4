import type { Language } from '#functions/hosted-pages/views/language.page.ts';
import type { Page } from '#functions/hosted-pages/views/link-view.model.ts';
import { linkPageHeaders, type Site } from '#functions/hosted-pages/views/page-headers.page.ts';
import { STYLE } from '#functions/hosted-pages/views/style.page.ts';
import { type Html, html, ours, type Shown } from '#shared/http/html.ts';

export type Sheet = {
  /** The page's state, for programs and tests. */
  readonly view: string;
  readonly title: string;
  readonly content: Shown;
  /** The page reloads or redirects by itself after this many seconds. */
  readonly goesOn?: { readonly after: number; readonly to?: string };
  /** A form's target other than us. */
  readonly formTo?: string;
};

/** A whole page. It loads nothing: style and signs are inline. */
export function documentOf(sheet: Sheet, language: Language, site: Site): Page {
  const { view, title, content } = sheet;
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
${goingOn(sheet)}<title>${title}</title>
<style>${ours(STYLE)}</style>
</head>
<body>
<main class="stack" data-view="${view}">
${content}
</main>
</body>
</html>
`;
  return { html: page.toString(), headers: linkPageHeaders(language, site, sheet.formTo) };
}

const goingOn = ({ goesOn }: Sheet): Html | false =>
  goesOn !== undefined &&
  html`<meta http-equiv="refresh" content="${goesOn.after}${goesOn.to !== undefined && `;url=${goesOn.to}`}">\n`;
