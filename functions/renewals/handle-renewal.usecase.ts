import type { Deps } from '#shared/ports/deps.ts';
import { processDueInvoice } from '#shared/services/billing/process-due-invoice.service.ts';
import { renewSubscription } from '#shared/services/billing/renew-subscription.service.ts';
import { type Renewal, RenewalMessage } from '#shared/services/billing/renewals.schema.ts';

/** The handler of each kind of entry. */
const HANDLERS: Readonly<Record<Renewal['kind'], (id: string, deps: Deps) => Promise<unknown>>> = {
  subscription: renewSubscription,
  invoice: processDueInvoice,
};

/** One due subscription or invoice, read afresh: the index lags, and the work may have been done already. */
export async function handleRenewal(body: Readonly<Record<string, unknown>>, deps: Deps): Promise<void> {
  const { kind, id } = RenewalMessage.parse(body);
  await HANDLERS[kind](id, deps);
}
