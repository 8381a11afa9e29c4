import type { Deps } from '#shared/ports/deps.ts';
import { processDueInvoice } from '#shared/services/billing/process-due-invoice.service.ts';
import { renewSubscription } from '#shared/services/billing/renew-subscription.service.ts';
import { type RenewalBody, RenewalMessage } from '#shared/services/billing/renewal-message.schema.ts';

/** The handler of each kind of entry. */
const HANDLERS: Readonly<Record<RenewalBody['kind'], (id: string, deps: Deps) => Promise<unknown>>> = {
  subscription: renewSubscription,
  invoice: processDueInvoice,
};

/** Handlers read the stored record, because the index lags behind and the work may be done already. */
export async function processRenewal(body: Readonly<Record<string, unknown>>, deps: Deps): Promise<void> {
  const { kind, id } = RenewalMessage.parse(body);
  await HANDLERS[kind](id, deps);
}
