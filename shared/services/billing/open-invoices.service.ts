import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { Deps } from '#shared/ports/deps.ts';

const A_PAGE = 200;

type Needs = Pick<Deps, 'invoices'>;
type Owner = Pick<Subscription, 'id' | 'org_id' | 'last_invoice_id'>;

/** The ids of a subscription's open invoices, page by page; the newest first and always, as lists show it late. */
export async function* openInvoices(
  { id, org_id, last_invoice_id }: Owner,
  { invoices }: Needs,
): AsyncGenerator<string> {
  if (last_invoice_id !== undefined) yield last_invoice_id;
  let cursor: string | undefined;
  do {
    const { items, next } = await invoices.list(org_id, {
      subscription_id: id,
      status: 'open',
      limit: A_PAGE,
      offset: 0,
      ...(cursor !== undefined && { cursor }),
    });
    for (const invoice of items) if (invoice.id !== last_invoice_id) yield invoice.id;
    cursor = next;
  } while (cursor !== undefined);
}

/** Whether one of them is really open: lists lag, and may still show closed ones. */
export async function owesInvoices(subscription: Owner, deps: Needs): Promise<boolean> {
  for await (const id of openInvoices(subscription, deps))
    if ((await deps.invoices.byId(id))?.status === 'open') return true;
  return false;
}
