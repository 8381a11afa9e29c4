import { builtPageHeaders, html } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** As those of any built page, but search engines may find it, as documentation should be found. */
export function pageHeadersFor(request: RawRequest, connectsTo: readonly string[]): Readonly<Record<string, string>> {
  const { 'x-robots-tag': _, ...headers } = builtPageHeaders(request, connectsTo);
  return headers;
}

/** Markdown and lists of pages: for programs of any origin, and with nothing to run. */
export const TEXT_HEADERS = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
} as const;

/** A page without script or styles: there are none that fit. */
const plainPage = (status: number, title: string, text: string, request: RawRequest): RawResponse => ({
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

export const renderMissing = (request: RawRequest): RawResponse =>
  plainPage(404, 'There is no such page', 'The address may have a mistake, or the page has moved.', request);

export const renderMissingText = (): RawResponse => ({
  status: 404,
  headers: { ...TEXT_HEADERS, 'cache-control': 'no-store', 'content-type': 'text/markdown; charset=utf-8' },
  body: '# There is no such page\n\n[llms.txt](/llms.txt) lists all pages of the documentation.\n',
});

/** For the person who changes its source: on AWS documentation that cannot be built is not deployed. */
export const renderBroken = (message: string, request: RawRequest): RawResponse =>
  plainPage(503, 'The documentation could not be built', message, request);
