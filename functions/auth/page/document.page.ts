import { type Html, html, ours } from '#functions/auth/page/html.page.ts';
import { SCRIPT, SCRIPT_HASH } from '#functions/auth/page/script.page.ts';
import { STYLE, STYLE_HASH } from '#functions/auth/page/style.page.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';

export type Sheet = {
  readonly status?: number;
  /** What the page shows, for whoever looks at it by program. */
  readonly view: 'link' | 'ask' | 'trouble';
  readonly title: string;
  readonly content: Html;
  /** Where it goes on after the sign-in. */
  readonly next?: string | undefined;
};

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Of what a page could load or do, this is all that it does. */
const POLICY = [
  "default-src 'none'",
  `style-src '${STYLE_HASH}'`,
  `script-src '${SCRIPT_HASH}'`,
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const UNUSED = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'payment', 'usb'];

/** Its address holds what signs in: it is kept nowhere, and told nobody. */
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-language': 'en',
  'cache-control': 'no-store',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'permissions-policy': UNUSED.map((feature) => `${feature}=()`).join(', '),
};

/** A whole page. What it names from elsewhere is nothing: its style and script stand in it. */
export function documentOf({ status = 200, view, title, content, next }: Sheet, { headers }: Pick<RawRequest, 'headers'>): RawReply {
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
  const secure = headers['x-forwarded-proto'] === 'https' && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` };
  return { status, headers: { ...HEADERS, ...secure }, body: page.toString() };
}
