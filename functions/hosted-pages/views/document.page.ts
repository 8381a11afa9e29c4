import { STYLE, STYLE_HASH } from '#functions/hosted-pages/views/style.page.ts';
import { type Html, type HtmlValue, html, trustedHtml } from '#shared/http/html.ts';

/** What a page shows. */
export type PageContent = {
  /** The page's state, for programs and tests. */
  readonly view: string;
  readonly title: string;
  readonly content: HtmlValue;
  /** Reloads the page, or redirects to `to`, after this many seconds. */
  readonly refresh?: { readonly after: number; readonly to?: string };
  /** Where a form of the page posts to, if not to us. */
  readonly formTarget?: string;
};

type DocumentOptions = {
  readonly language: string;
  readonly script?: string;
  /** For the script: the URL to continue to. */
  readonly next?: string | undefined;
};

/** The markup of a hosted page. It loads nothing: style, script and icons are inline. */
export const documentOf = (page: PageContent, { language, script, next }: DocumentOptions): string =>
  html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
${refreshTag(page)}<title>${page.title}</title>
<style>${trustedHtml(STYLE)}</style>
</head>
<body>
<main class="stack" data-view="${page.view}"${next !== undefined && html` data-next="${next}"`}>
${page.content}
</main>
${script !== undefined && html`<script>${trustedHtml(script)}</script>\n`}</body>
</html>
`.toString();

const refreshTag = ({ refresh }: PageContent): Html | false =>
  refresh !== undefined &&
  html`<meta http-equiv="refresh" content="${refresh.after}${refresh.to !== undefined && `;url=${refresh.to}`}">\n`;

type CspSources = { readonly scriptHash?: string; readonly formTarget?: string | undefined };

/** The only things that a hosted page may load or do. No site may show it in a frame. */
export const contentSecurityPolicy = ({ scriptHash, formTarget }: CspSources): string =>
  [
    "default-src 'none'",
    `style-src '${STYLE_HASH}'`,
    ...(scriptHash === undefined ? [] : [`script-src '${scriptHash}'`, "connect-src 'self'"]),
    `form-action ${["'self'", ...(formTarget === undefined ? [] : [formTarget])].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
