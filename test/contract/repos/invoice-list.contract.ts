import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { invoiceEntity, listInvoices } from '#shared/store/repos/billing/invoice.repo.ts';
import { type ListedKind, type MadeTable, recordLists } from '#test/contract/repos/list-records.contract.ts';
import { later } from '#test/support/stopped-clock.ts';
import { anInvoice, subscriptionId } from '#test/support/subscription.builder.ts';

const INVOICES: ListedKind<Invoice> = {
  name: 'invoices',
  idKind: 'invoice',
  filters: {
    status: ['paid', 'open', 'failed', 'canceled'],
    customer_id: ['ann', 'bob'],
    subscription_id: [subscriptionId(1), subscriptionId(2), subscriptionId(3)],
    plan_id: ['basic', 'team'],
  },
  moving: ['status'],
  make: (about) => anInvoice(about as Partial<Invoice>),
  entity: invoiceEntity,
  due: {
    at: later(777).toISOString(),
    asks: { status: 'open', next_retry_at: later(777).toISOString() },
    rests: { status: 'paid', next_retry_at: null },
  },
  list: listInvoices,
};

export const invoiceLists = (made: MadeTable): void => recordLists(INVOICES, made);
