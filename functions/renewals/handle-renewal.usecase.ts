import { tendInvoice } from '#functions/invoices/tend-invoice.usecase.ts';
import { renewSubscription } from '#functions/renewals/renew-subscription.usecase.ts';
import { type Renewal, RenewalMessage } from '#functions/renewals/renewals.schema.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The handler of each kind of entry. */
const HANDLERS: Readonly<Record<Renewal['kind'], (id: string, deps: Deps) => Promise<unknown>>> = {
  subscription: renewSubscription,
  invoice: tendInvoice,
};

/** One due subscription or invoice, read afresh: the index lags, and the work may have been done already. */
export async function handleRenewal(body: Readonly<Record<string, unknown>>, deps: Deps): Promise<void> {
  const { kind, id } = RenewalMessage.parse(body);
  await HANDLERS[kind](id, deps);
}
