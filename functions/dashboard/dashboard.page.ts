import { builtPageHeaders, html } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** As those of any built page. */
export const pageHeadersFor = builtPageHeaders;

/** For the person who changes its source: on AWS a dashboard that does not compile is not deployed. */
export const renderBroken = (message: string, request: RawRequest): RawResponse => ({
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
