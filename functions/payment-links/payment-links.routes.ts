import { createPaymentLink } from '#functions/payment-links/create-payment-link.usecase.ts';
import { deactivatePaymentLink } from '#functions/payment-links/deactivate-payment-link.usecase.ts';
import { getPaymentLink } from '#functions/payment-links/get-payment-link.usecase.ts';
import { listPaymentLinks } from '#functions/payment-links/list-payment-links.usecase.ts';
import {
  ById,
  CreatePaymentLinkBody,
  ListPaymentLinksQuery,
  PaymentLinkReply,
  PaymentLinksReply,
} from '#functions/payment-links/payment-links.schema.ts';
import { type AnyRoute, get, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';

export const paymentLinkRoutes: readonly AnyRoute[] = [
  post('/v1/payment-links', {
    scope: 'payments:write',
    summary: 'Create a payment link',
    body: CreatePaymentLinkBody,
    reply: PaymentLinkReply,
    status: 201,
    run: createPaymentLink,
  }),
  get('/v1/payment-links', {
    scope: 'payments:read',
    summary: 'List payment links',
    query: ListPaymentLinksQuery,
    reply: PaymentLinksReply,
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
    summary: 'Deactivate a payment link',
    params: ById,
    body: NoBody,
    bodyOptional: true,
    reply: PaymentLinkReply,
    run: deactivatePaymentLink,
  }),
];
