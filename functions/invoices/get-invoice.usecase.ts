import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getInvoice(
  { id }: { readonly id: string },
  caller: Caller,
  { invoices }: Pick<Deps, 'invoices'>,
): Promise<Invoice> {
  return need(await invoices.get(caller.orgId, id), 'There is no such invoice.');
}
