import type { RawAnswers } from '#shared/http/openapi/operation.ts';

const HTML = { 'text/html': { schema: { type: 'string' } } } as const;

const BACK: RawAnswers = {
  200: { description: 'Thanks the customer, where the merchant named no address to return to.', content: HTML },
  303: {
    description:
      'Sends the customer on to `return_url`, with `payment_id` and `status` added, or to the payment link that they came from.',
    headers: ['Location'],
  },
};

/** What pages and callbacks answer when all is well; a line for each route without a shape of its own. */
const BY_ROUTE: Readonly<Record<string, RawAnswers>> = {
  'GET /pay/return/{payment_id}': BACK,
  'POST /pay/return/{payment_id}': BACK,
  'GET /pay/{id}': {
    200: {
      description: 'The form to pay with, how the begun payment stands, or why the link takes none.',
      content: HTML,
    },
  },
  'POST /pay/{id}': {
    303: { description: 'Leads to the page of the payment.', headers: ['Location'] },
    400: { description: 'The form again, with what is wrong with it.', content: HTML },
    403: { description: 'The form again: what was sent did not come from it.', content: HTML },
    409: { description: 'Why the link takes no payment now.', content: HTML },
  },
  'POST /webhooks/{provider}': {
    200: {
      description: 'Handled, or known already, or of a type that is not used.',
      content: {
        'application/json': {
          schema: { type: 'object', required: ['received'], properties: { received: { const: true } } },
        },
      },
    },
  },
  'GET /openapi.json': {
    200: { description: 'This document.', content: { 'application/json': { schema: { type: 'object' } } } },
  },
};

const ANY_PAGE: RawAnswers = {
  '2XX': { description: 'A page.' },
  '3XX': { description: 'Leads on to another page.', headers: ['Location'] },
};

export const rawAnswers = (routeKey: string): RawAnswers => BY_ROUTE[routeKey] ?? ANY_PAGE;
