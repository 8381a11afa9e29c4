import { type DueInvoiceDeps, processDueInvoice } from '#shared/services/billing/process-due-invoice.service.ts';
import { type RenewDeps, renewSubscription } from '#shared/services/billing/renew-subscription.service.ts';
import { type RenewalBody, RenewalMessage } from '#shared/services/billing/renewal-message.schema.ts';

type RenewalDeps = RenewDeps & DueInvoiceDeps;

/** The handler of each kind of entry. */
const HANDLERS: Readonly<Record<RenewalBody['kind'], (id: string, deps: RenewalDeps) => Promise<unknown>>> = {
  subscription: renewSubscription,
  invoice: processDueInvoice,
};

/** Handlers read the stored record, because the index lags behind and the work may be done already. */
export async function processRenewal(body: Readonly<Record<string, unknown>>, deps: RenewalDeps): Promise<void> {
  const { kind, id } = RenewalMessage.parse(body);
  await HANDLERS[kind](id, deps);
}
