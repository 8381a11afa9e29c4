import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import { RELAY_GRACE } from '#shared/domain/payments/reconciliation.rules.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { plus } from '#shared/kernel/clock.ts';
import { withoutFields } from '#shared/kernel/without-fields.ts';

export type InvoiceStatus = 'open' | 'paid' | 'failed' | 'canceled';

/** What a subscription owes for one period. Stored as is; the API shows it without internal fields. */
export type Invoice = {
  readonly id: string;
  readonly org_id: string;
  readonly subscription_id: string;
  readonly customer_id: string;
  readonly plan_id: string;
  /** For people: the end of the subscription's id, a dash, and the invoice's number within it. */
  readonly number: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly status: InvoiceStatus;
  readonly period_start: string;
  readonly period_end: string;
  /** The number of collection attempts so far. */
  readonly attempts: number;
  readonly next_retry_at: string | null;
  /** The payment of the last attempt, or the one that paid it. */
  readonly payment_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;

  /** Internal fields from here on: no response shows them. */
  readonly version: number;
  /** Whether paying it renews the subscription; the first invoice starts it. */
  readonly renews: boolean;
  /** The running attempt. */
  readonly trying?: CollectionAttempt;
  /** The number of the policy's retries that are used up or planned. */
  readonly retries: number;
  /** The policy's next retry, kept while a requested attempt is running. */
  readonly planned_at?: string;
  /** The version of the subscription's payment method in the last attempt. */
  readonly method_version: number;
  /** The operation that is canceling its payment, and then the invoice. */
  readonly ending?: string;
  /** Idempotency markers of the latest operations: a repeat after a crash finds its work done. */
  readonly last_acts?: readonly string[];
  readonly outbox: readonly EventStub[];
  readonly announced: number;
  /** The work that wrote this version, and its new events (see `namingWork`). */
  readonly trace?: string;
  /** Over how many partitions its organization's lists were spread when it was created. Missing: 4. */
  readonly list_shards?: number;
};

/**
 * One attempt to collect the invoice; its payment may try several connections. `by`: the operation of the request, none
 * for a scheduled attempt. `parked`: it waits for the customer or the PSP, and no process is working on it.
 */
type CollectionAttempt = { readonly number: number; readonly by?: string; readonly parked?: true };

export type PublicInvoice = Omit<Invoice, (typeof INTERNAL_FIELDS)[number]>;

const INTERNAL_FIELDS = [
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
  'trace',
  'list_shards',
] as const satisfies readonly (keyof Invoice)[];

/** The invoice as the API and its events show it. */
export const toPublicInvoice = (invoice: Invoice): PublicInvoice => withoutFields(invoice, INTERNAL_FIELDS);

/** Adds an event with a snapshot of the invoice as it is now. */
export const announceInvoice = (invoice: Invoice, type: EventType, at: Date): Invoice =>
  withEvent(invoice, type, at, toPublicInvoice(invoice));

/** When the due sweep must process it, if ever. The payment's own due time drives a running attempt. */
export function invoiceDueAt({ status, next_retry_at, outbox }: Invoice): string | undefined {
  const waiting = outbox[0];
  const times = [
    status === 'open' ? next_retry_at : null,
    waiting ? plus(waiting.at, RELAY_GRACE).toISOString() : null,
  ];
  return times.filter((time) => time !== null).sort()[0];
}
