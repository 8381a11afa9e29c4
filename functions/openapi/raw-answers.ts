import type { RawAnswers } from '#shared/http/openapi/operation.ts';

const BACK: RawAnswers = {
  200: { description: 'Thanks the customer, where the merchant named no address to return to.', content: { 'text/plain': { schema: { type: 'string' } } } },
  303: { description: 'Sends the customer on to `return_url`, with `payment_id` and `status` added.', headers: ['Location'] },
};

/** What pages and callbacks answer when all is well; a line for each route without a shape of its own. */
const BY_ROUTE: Readonly<Record<string, RawAnswers>> = {
  'GET /pay/return/{payment_id}': BACK,
  'POST /pay/return/{payment_id}': BACK,
  'POST /webhooks/{provider}': {
    200: {
      description: 'Handled, or known already, or of a type that is not used.',
      content: { 'application/json': { schema: { type: 'object', required: ['received'], properties: { received: { const: true } } } } },
    },
  },
  'GET /openapi.json': { 200: { description: 'This document.', content: { 'application/json': { schema: { type: 'object' } } } } },
};

const ANY_PAGE: RawAnswers = { '2XX': { description: 'A page.' }, '3XX': { description: 'Leads on to another page.', headers: ['Location'] } };

export const rawAnswers = (routeKey: string): RawAnswers => BY_ROUTE[routeKey] ?? ANY_PAGE;
