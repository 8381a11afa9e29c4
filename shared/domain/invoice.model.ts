import type { EventStub } from '#shared/domain/payment.model.ts';

export type InvoiceStatus = 'open' | 'paid' | 'failed' | 'canceled';

/** What a subscription owes for one period; as it is stored and, without its inner fields, answered. */
export type Invoice = {
  readonly id: string;
  readonly org_id: string;
  readonly subscription_id: string;
  readonly customer_id: string;
  readonly plan_id: string;
  /** For people: the subscription's and, behind a dash, which of its invoices. */
  readonly number: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly status: InvoiceStatus;
  readonly period_start: string;
  readonly period_end: string;
  /** How often its payment was tried. */
  readonly attempts: number;
  readonly next_retry_at: string | null;
  /** The payment that was tried last, or that paid it. */
  readonly payment_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;

  /** Inner fields from here on: no answer shows them. */
  readonly version: number;
  /** Whether a payment of it renews the subscription; the first one begins it. */
  readonly renews: boolean;
  /** The try that is on its way. */
  readonly trying?: Try;
  /** How many of the policy's retries are used up or planned. */
  readonly retries: number;
  /** When the policy's next retry stands while a try that was asked for is on its way. */
  readonly planned_at?: string;
  /** Which of the subscription's payment methods the last try was made with. */
  readonly method_version: number;
  /** The operation that cancels it, once its payment is canceled. */
  readonly ending?: string;
  /** The operations that changed it last: asked for again after a crash, they have been done. */
  readonly last_acts?: readonly string[];
  readonly outbox: readonly EventStub[];
  readonly announced: number;
};

/** `by`: the operation of a request that asked for it; the schedule has none. `parked`: the customer or the provider takes its time, and whoever began it has gone. */
export type Try = { readonly number: number; readonly by?: string; readonly parked?: true };
