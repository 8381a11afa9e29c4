import { tendInvoice } from '#functions/invoices/tend-invoice.usecase.ts';
import { renewSubscription } from '#functions/renewals/renew-subscription.usecase.ts';
import { type Renewal, RenewalMessage } from '#functions/renewals/renewals.schema.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What is done about each kind of entry. */
const HANDLERS: Readonly<Record<Renewal['kind'], (id: string, deps: Deps) => Promise<unknown>>> = {
  subscription: renewSubscription,
  invoice: tendInvoice,
};

/** One subscription or invoice that is due, looked at afresh: the index is late, and somebody may have done it already. */
export async function handleRenewal(body: Readonly<Record<string, unknown>>, deps: Deps): Promise<void> {
  const { kind, id } = RenewalMessage.parse(body);
  await HANDLERS[kind](id, deps);
}
