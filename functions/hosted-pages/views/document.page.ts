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
  /** The only server that the page loads an image from. */
  readonly imageSource?: string;
};

type DocumentOptions = {
  readonly language: string;
  readonly script?: string;
  /** For the script. */
  readonly data?: Readonly<Record<string, string>>;
};

/** The markup of a hosted page. Style, script and icons are inline: it loads nothing but the seller's logo, if any. */
export const documentOf = (page: PageContent, { language, script, data = {} }: DocumentOptions): string =>
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
<main class="stack" data-view="${page.view}"${dataAttributes(data)}>
${page.content}
</main>
${script !== undefined && html`<script>${trustedHtml(script)}</script>\n`}</body>
</html>
`.toString();

const dataAttributes = (data: Readonly<Record<string, string>>): readonly Html[] =>
  Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`);

const refreshTag = ({ refresh }: PageContent): Html | false =>
  refresh !== undefined &&
  html`<meta http-equiv="refresh" content="${refresh.after}${refresh.to !== undefined && `;url=${refresh.to}`}">\n`;

type CspSources = {
  readonly scriptHash?: string;
  /** Whether the script calls our API. */
  readonly connects?: boolean;
  readonly formTarget?: string | undefined;
  readonly imageSource?: string | undefined;
};

/** The only things that a hosted page may load or do. No site may show it in a frame. */
export const contentSecurityPolicy = ({ scriptHash, connects, formTarget, imageSource }: CspSources): string =>
  [
    "default-src 'none'",
    `style-src '${STYLE_HASH}'`,
    ...(scriptHash === undefined ? [] : [`script-src '${scriptHash}'`]),
    ...(connects ? ["connect-src 'self'"] : []),
    ...(imageSource === undefined ? [] : [`img-src ${imageSource}`]),
    `form-action ${["'self'", ...(formTarget === undefined ? [] : [formTarget])].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
