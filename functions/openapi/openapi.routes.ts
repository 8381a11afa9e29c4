import { respondToPreflight } from '#functions/openapi/preflight.usecase.ts';
import { serveDocument } from '#functions/openapi/serve-document.usecase.ts';
import type { RawRoute } from '#shared/http/route.ts';

/** Anyone may ask, and everybody gets the same: this function needs neither the table nor a secret. */
export const openApiRoutes = [
  {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Get this document',
    operationId: 'getApiDocument',
    raw: serveDocument,
    stateless: true,
    responses: {
      200: {
        description: 'This document, with an `ETag`; compressed, if the caller accepts gzip.',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      304: { description: 'The document is still the one whose `ETag` was sent in `If-None-Match`.' },
    },
  },
  {
    method: 'OPTIONS',
    path: '/{proxy+}',
    summary: 'Tell a browser whether a page may call an endpoint',
    raw: respondToPreflight,
    stateless: true,
    responses: { 204: { description: 'Whether it may, in CORS headers.' } },
  },
] as const satisfies readonly RawRoute[];
