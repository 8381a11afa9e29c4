import { html, pageHeaders } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** The name of a file holds a hash of its content, so that it never changes. */
export const ASSET_HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
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

/** The page is the same for everybody, so browsers may keep it, if they ask each time whether it is still the newest. */
export const pageHeadersFor = ({ headers }: PageRequest, connectsTo: readonly string[]) => ({
  ...pageHeaders(headers['x-forwarded-proto'] === 'https'),
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy(connectsTo),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
});

/** For the person who changes its source: on AWS a dashboard that does not compile is not deployed. */
export const renderBroken = (message: string, request: PageRequest): RawResponse => ({
  status: 503,
  headers: { ...pageHeadersFor(request, []), 'cache-control': 'no-store' },
  body: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>The dashboard could not be built – Payfork</title></head>
<body>
<h1>The dashboard could not be built</h1>
<p>Mend its source, and load this page again.</p>
<pre>${message}</pre>
</body>
</html>
`.toString(),
});
