import { serveList, serveReference } from '#functions/reference/serve-reference.usecase.ts';
import type { RawRoute } from '#shared/http/route.ts';

const HTML = { 'text/html': { schema: { type: 'string' } } } as const;
const TEXT = { 'text/plain': { schema: { type: 'string' } } } as const;
const UNCHANGED = { description: 'It is still what has the `ETag` that was sent in `If-None-Match`.' };

/** The documentation is the same for everybody: this function needs neither the table nor a secret. */
export const referenceRoutes = [
  {
    method: 'GET',
    path: '/docs',
    summary: 'The documentation: guides, the API, errors and events',
    operationId: 'showReference',
    raw: serveReference,
    stateless: true,
    responses: {
      200: { description: 'The page; Markdown, if the caller accepts that and no HTML.', content: HTML },
      304: UNCHANGED,
    },
  },
  {
    method: 'GET',
    path: '/docs/{path+}',
    summary: 'A page of the documentation, its Markdown, or one of the files that it is made of',
    raw: serveReference,
    stateless: true,
    responses: { 200: { description: 'The page, its Markdown, a script, a style or the search index.' } },
  },
  {
    method: 'GET',
    path: '/llms.txt',
    summary: 'The list of all pages of the documentation, for programs that read',
    operationId: 'showLlmsText',
    raw: serveList('llms.txt'),
    stateless: true,
    responses: { 200: { description: 'Each page with its address and a sentence.', content: TEXT }, 304: UNCHANGED },
  },
  {
    method: 'GET',
    path: '/llms-full.txt',
    summary: 'All pages of the documentation as one Markdown text',
    operationId: 'showLlmsFullText',
    raw: serveList('llms-full.txt'),
    stateless: true,
    responses: { 200: { description: 'The pages, one after the other.', content: TEXT }, 304: UNCHANGED },
  },
] as const satisfies readonly RawRoute[];
