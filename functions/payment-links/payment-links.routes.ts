import {
  ById,
  CreatedPaymentLinkReply,
  CreatePaymentLinkBody,
  ListPaymentLinksQuery,
  PaymentLinkReply,
  PaymentLinksReply,
} from '#functions/payment-links/payment-links.schema.ts';
import {
  createPaymentLink,
  deactivatePaymentLink,
  getPaymentLink,
  listPaymentLinks,
} from '#functions/payment-links/payment-links.usecase.ts';
import { CHANGE_ERRORS, get, list, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';

export const paymentLinkRoutes = [
  post('/v1/payment-links', {
    scope: 'payments:write',
    agents: 'ask',
    summary: 'Create a payment link',
    body: CreatePaymentLinkBody,
    reply: CreatedPaymentLinkReply,
    status: 201,
    location: '/v1/payment-links/{id}',
    prefetch: true,
    run: createPaymentLink,
  }),
  list('/v1/payment-links', {
    scope: 'payments:read',
    summary: 'List payment links',
    query: ListPaymentLinksQuery,
    reply: PaymentLinksReply,
    items: 'payment_links',
    run: listPaymentLinks,
  }),
  get('/v1/payment-links/{id}', {
    scope: 'payments:read',
    summary: 'Get a payment link',
    params: ById,
    reply: PaymentLinkReply,
    run: getPaymentLink,
  }),
  post('/v1/payment-links/{id}/deactivate', {
    scope: 'payments:write',
    agents: 'may',
    summary: 'Deactivate a payment link',
    params: ById,
    body: NoBody,
    bodyOptional: true,
    reply: PaymentLinkReply,
    errors: ['payment_link_not_active', ...CHANGE_ERRORS],
    run: deactivatePaymentLink,
  }),
];
