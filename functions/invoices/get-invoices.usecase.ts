import type { ListInvoicesQuery } from '#functions/invoices/invoices.schema.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getInvoice(
  { id }: { readonly id: string },
  caller: Caller,
  { invoices }: Pick<Deps, 'invoices'>,
): Promise<Invoice> {
  return orNotFound(await invoices.get(caller.orgId, id), 'There is no such invoice.');
}

export async function listInvoices(query: ListInvoicesQuery, caller: Caller, { invoices }: Pick<Deps, 'invoices'>) {
  return invoices.list(caller.orgId, query);
}
