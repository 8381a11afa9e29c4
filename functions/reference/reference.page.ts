import { html, pageHeaders } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** The name of a file holds a hash of its content, so that it never changes. */
export const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const;

type PageRequest = Pick<RawRequest, 'headers'>;

/** Nothing from another site, no script or style in the markup, and no frame around it. */
const contentSecurityPolicy = (connectsTo: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...connectsTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * The page is the same for everybody: browsers keep it, and ask each time whether it is still the newest. It may be
 * found by search engines, as documentation should be.
 */
export function pageHeadersFor(
  { headers }: PageRequest,
  connectsTo: readonly string[],
): Readonly<Record<string, string>> {
  const { 'x-robots-tag': _, ...common } = pageHeaders(headers['x-forwarded-proto'] === 'https');
  return {
    ...common,
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy(connectsTo),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
}

/** Markdown and lists of pages: for programs of any origin, and with nothing to run. */
export const TEXT_HEADERS = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
} as const;

/** A page without script or styles: there are none that fit. */
const plainPage = (status: number, title: string, text: string, request: PageRequest): RawResponse => ({
  status,
  headers: { ...pageHeadersFor(request, []), 'cache-control': 'no-store' },
  body: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} – Payfork</title></head>
<body>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="/docs">All pages of the documentation</a></p>
</body>
</html>
`.toString(),
});

export const renderMissing = (request: PageRequest): RawResponse =>
  plainPage(404, 'There is no such page', 'The address may have a mistake, or the page has moved.', request);

/** For the person who changes its source: on AWS documentation that cannot be built is not deployed. */
export const renderBroken = (message: string, request: PageRequest): RawResponse =>
  plainPage(503, 'The documentation could not be built', message, request);
