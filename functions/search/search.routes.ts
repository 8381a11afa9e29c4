import { SearchQuery, SearchReply } from '#functions/search/search.schema.ts';
import { search } from '#functions/search/search.usecase.ts';
import { get } from '#shared/http/route.ts';

/** A function of its own: it reads many kinds of records, and those that charge should not. */
export const searchRoutes = [
  get('/v1/search', {
    scope: 'payments:read',
    summary: 'Find records by an id, a reference or a customer',
    operationId: 'findRecords',
    query: SearchQuery,
    reply: SearchReply,
    run: search,
  }),
];
