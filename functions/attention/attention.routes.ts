import { AttentionReply, ListReviewsQuery, ReviewsReply } from '#functions/attention/attention.schema.ts';
import { getAttention } from '#functions/attention/get-attention.usecase.ts';
import { listReviews } from '#functions/attention/list-reviews.usecase.ts';
import { get, list } from '#shared/http/route.ts';

export const attentionRoutes = [
  get('/v1/attention', {
    scope: 'payments:read',
    summary: 'Get what needs attention',
    reply: AttentionReply,
    run: getAttention,
  }),
  list('/v1/payments/reviews', {
    scope: 'payments:read',
    summary: 'List payments under review',
    query: ListReviewsQuery,
    reply: ReviewsReply,
    items: 'payments',
    operationId: 'listPaymentReviews',
    run: listReviews,
  }),
];
