import { getInvoice } from '#functions/invoices/get-invoice.usecase.ts';
import { ById, InvoiceReply, InvoicesReply, ListInvoicesQuery } from '#functions/invoices/invoices.schema.ts';
import { listInvoices } from '#functions/invoices/list-invoices.usecase.ts';
import { retryInvoice } from '#functions/invoices/retry-invoice.usecase.ts';
import { type AnyRoute, get, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';
import { cancelInvoice } from '#shared/services/billing/cancel-invoice.service.ts';

const write = { scope: 'invoices:write', params: ById, body: NoBody, bodyOptional: true, reply: InvoiceReply } as const;

export const invoiceRoutes: readonly AnyRoute[] = [
  get('/v1/invoices', {
    scope: 'invoices:read',
    summary: 'List invoices',
    query: ListInvoicesQuery,
    reply: InvoicesReply,
    run: listInvoices,
  }),
  get('/v1/invoices/{id}', {
    scope: 'invoices:read',
    summary: 'Get an invoice',
    params: ById,
    reply: InvoiceReply,
    run: getInvoice,
  }),
  post('/v1/invoices/{id}/retry', { ...write, summary: 'Try to collect an invoice now', run: retryInvoice }),
  post('/v1/invoices/{id}/cancel', { ...write, summary: 'Cancel an invoice', run: cancelInvoice }),
];
