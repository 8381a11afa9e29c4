import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { withoutEvents } from '#shared/domain/payments/outbox.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { publishOutbox } from '#shared/services/relay/publish-outbox.service.ts';

type Needs = Pick<Deps, 'invoices' | 'events' | 'bus'>;

/** Passes an invoice's events on; each holds its own snapshot. */
export async function relayInvoice(invoice: Invoice, deps: Needs): Promise<Invoice> {
  if (invoice.outbox.length === 0) return invoice;
  const relayed = await publishOutbox(invoice, ({ was }) => was, deps);
  return deps.invoices.change(invoice, (i) => withoutEvents(i, relayed));
}
