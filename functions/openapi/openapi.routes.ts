import { respondToPreflight } from '#functions/openapi/preflight.usecase.ts';
import { serveApiDocument, serveDashboardDocument } from '#functions/openapi/serve-document.usecase.ts';
import type { RawRoute } from '#shared/http/route.ts';

const DOCUMENT = {
  200: {
    description: 'The document, with an `ETag`; compressed, if the caller accepts gzip.',
    content: { 'application/json': { schema: { type: 'object' } } },
  },
  304: { description: 'The document is still the one whose `ETag` was sent in `If-None-Match`.' },
} as const;

/** Anyone may ask, and everybody gets the same: this function needs neither the table nor a secret. */
export const openApiRoutes = [
  {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Get the API document of integrations',
    operationId: 'getApiDocument',
    raw: serveApiDocument,
    stateless: true,
    responses: DOCUMENT,
  },
  {
    method: 'GET',
    path: '/openapi-dashboard.json',
    summary: 'Get the API document of the dashboard',
    operationId: 'getDashboardApiDocument',
    raw: serveDashboardDocument,
    stateless: true,
    responses: DOCUMENT,
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
