import { getDunning } from '#functions/invoices/get-dunning.usecase.ts';
import { getInvoice, listInvoices } from '#functions/invoices/get-invoices.usecase.ts';
import {
  ById,
  DunningReply,
  InvoiceReply,
  InvoicesReply,
  ListInvoicesQuery,
} from '#functions/invoices/invoices.schema.ts';
import { retryInvoice } from '#functions/invoices/retry-invoice.usecase.ts';
import { CHANGE_ERRORS, get, list, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';
import { cancelInvoice } from '#shared/services/billing/cancel-invoice.service.ts';

const write = { scope: 'invoices:write', params: ById, body: NoBody, bodyOptional: true, reply: InvoiceReply } as const;

export const invoiceRoutes = [
  list('/v1/invoices', {
    scope: 'invoices:read',
    summary: 'List invoices',
    query: ListInvoicesQuery,
    reply: InvoicesReply,
    items: 'invoices',
    run: listInvoices,
  }),
  get('/v1/invoices/{id}', {
    scope: 'invoices:read',
    summary: 'Get an invoice',
    params: ById,
    reply: InvoiceReply,
    run: getInvoice,
  }),
  get('/v1/invoices/{id}/dunning', {
    scope: 'invoices:read',
    summary: "Get an invoice's retries",
    params: ById,
    reply: DunningReply,
    operationId: 'getInvoiceDunning',
    run: getDunning,
  }),
  post('/v1/invoices/{id}/retry', {
    ...write,
    agents: 'ask',
    summary: 'Retry an invoice now',
    errors: [
      'invoice_not_retryable',
      'outcome_unknown',
      'plan_limit_reached',
      'retry_budget_exhausted',
      ...CHANGE_ERRORS,
    ],
    run: retryInvoice,
  }),
  post('/v1/invoices/{id}/cancel', {
    ...write,
    agents: 'may',
    summary: 'Cancel an invoice',
    errors: ['invoice_not_cancelable', 'outcome_unknown', 'payment_not_cancelable', ...CHANGE_ERRORS, 'provider_error'],
    run: cancelInvoice,
  }),
];
