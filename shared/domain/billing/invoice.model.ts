import type { EventStub } from '#shared/domain/payments/payment.model.ts';

export type InvoiceStatus = 'open' | 'paid' | 'failed' | 'canceled';

/** What a subscription owes for one period; stored as is, and shown without its inner fields. */
export type Invoice = {
  readonly id: string;
  readonly org_id: string;
  readonly subscription_id: string;
  readonly customer_id: string;
  readonly plan_id: string;
  /** For people: the subscription's number, a dash, and which of its invoices it is. */
  readonly number: string;
  /** In minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly status: InvoiceStatus;
  readonly period_start: string;
  readonly period_end: string;
  /** Number of tries. */
  readonly attempts: number;
  readonly next_retry_at: string | null;
  /** The payment of the last try, or the one that paid it. */
  readonly payment_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;

  /** Inner fields from here on: no answer shows them. */
  readonly version: number;
  /** Whether paying it renews the subscription; the first invoice starts it. */
  readonly renews: boolean;
  /** The try under way. */
  readonly trying?: Try;
  /** Number of the policy's retries that are used up or planned. */
  readonly retries: number;
  /** The policy's next retry, kept while a requested try is under way. */
  readonly planned_at?: string;
  /** The version of the subscription's payment method in the last try. */
  readonly method_version: number;
  /** The operation that cancels it once its payment is canceled. */
  readonly ending?: string;
  /** The latest operations that changed it, so that a repeat after a crash finds its work done. */
  readonly last_acts?: readonly string[];
  readonly outbox: readonly EventStub[];
  readonly announced: number;
};

/**
 * `by`: the request's operation; missing for a scheduled try. `parked`: it waits for the customer or the provider, and
 * no process attends it.
 */
type Try = { readonly number: number; readonly by?: string; readonly parked?: true };
