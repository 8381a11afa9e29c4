import { type Html, html, ours, type Shown } from '#functions/payment-links/page/html.page.ts';
import type { Language } from '#functions/payment-links/page/language.page.ts';
import type { Page } from '#functions/payment-links/page/link-view.model.ts';
import { pageHeaders, type Site } from '#functions/payment-links/page/page-headers.page.ts';
import { STYLE } from '#functions/payment-links/page/style.page.ts';

export type Sheet = {
  /** What the page shows, for whoever looks at it by program. */
  readonly view: string;
  readonly title: string;
  readonly content: Shown;
  /** The page goes on by itself, after so many seconds: to this address, or to itself anew. */
  readonly goesOn?: { readonly after: number; readonly to?: string };
  /** Where a form of it goes, other than to us. */
  readonly formTo?: string;
};

/** A whole page. What it names from elsewhere is nothing: its style and signs stand in it. */
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
  return { html: page.toString(), headers: pageHeaders(language, site, sheet.formTo) };
}

const goingOn = ({ goesOn }: Sheet): Html | false =>
  goesOn !== undefined && html`<meta http-equiv="refresh" content="${goesOn.after}${goesOn.to !== undefined && `;url=${goesOn.to}`}">\n`;
