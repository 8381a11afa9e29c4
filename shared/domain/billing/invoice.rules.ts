import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { RELAY_TIME } from '#shared/domain/payments/duties.rules.ts';
import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { plus } from '#shared/kernel/clock.ts';

export type ShownInvoice = Omit<Invoice, (typeof INNER)[number]>;

const INNER = [
  'version',
  'renews',
  'trying',
  'retries',
  'planned_at',
  'method_version',
  'ending',
  'last_acts',
  'outbox',
  'announced',
] as const satisfies readonly (keyof Invoice)[];

const isInner: ReadonlySet<string> = new Set(INNER);

/** The invoice as the API and its events show it. */
export const shownInvoice = (invoice: Invoice): ShownInvoice =>
  Object.fromEntries(Object.entries(invoice).filter(([name]) => !isInner.has(name))) as unknown as ShownInvoice;

/** Adds an event with a snapshot of the invoice as it is now. */
export const announceInvoice = (invoice: Invoice, type: EventType, at: Date): Invoice =>
  withEvent(invoice, type, at, shownInvoice(invoice));

/** When the sweeper must look at it, if ever; a try under way is left to its payment. */
export function invoiceDueAt({ status, next_retry_at, outbox }: Invoice): string | undefined {
  const waiting = outbox[0];
  const times = [status === 'open' ? next_retry_at : null, waiting ? plus(waiting.at, RELAY_TIME).toISOString() : null];
  return times.filter((time) => time !== null).sort()[0];
}
