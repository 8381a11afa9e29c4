import { SCRIPT, SCRIPT_HASH } from '#functions/hosted-pages/sign-in/script.page.ts';
import { STYLE, STYLE_HASH } from '#functions/hosted-pages/sign-in/style.page.ts';
import { type Html, html, ours } from '#shared/http/html.ts';
import { pageHeaders } from '#shared/http/page-headers.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';

export type Sheet = {
  readonly status?: number;
  /** The page's state, for programs and tests. */
  readonly view: 'link' | 'ask' | 'trouble';
  readonly title: string;
  readonly content: Html;
  /** Where it goes on after the sign-in. */
  readonly next?: string | undefined;
};

/** The only things that the page may load or do. */
const POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  `script-src '${SCRIPT_HASH}'`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The address holds a token: it is not cached, and sent to nobody as a referrer. */
const HEADERS = {
  'content-language': 'en',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
};

/** A whole page. It loads nothing: style and script are inline. */
export function documentOf(
  { status = 200, view, title, content, next }: Sheet,
  { headers }: Pick<RawRequest, 'headers'>,
): RawReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Payfork</title>
<style>${ours(STYLE)}</style>
</head>
<body>
<main data-view="${view}"${next !== undefined && html` data-next="${next}"`}>
${content}
</main>
${view !== 'trouble' && html`<script>${ours(SCRIPT)}</script>\n`}</body>
</html>
`;
  return {
    status,
    headers: { ...pageHeaders(headers['x-forwarded-proto'] === 'https'), ...HEADERS },
    body: page.toString(),
  };
}
