import { answerPreflight } from '#functions/openapi/answer-preflight.usecase.ts';
import { serveDocument } from '#functions/openapi/serve-document.usecase.ts';
import type { RawRoute } from '#shared/http/route.ts';

export const openApiRoutes: readonly RawRoute[] = [
  { method: 'GET', path: '/openapi.json', summary: 'Get this document', raw: serveDocument },
  {
    method: 'OPTIONS',
    path: '/{proxy+}',
    summary: 'Tell a browser whether a page may call an endpoint',
    raw: answerPreflight,
  },
];
