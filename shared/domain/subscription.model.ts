import type { Interval } from '#shared/domain/billing-calendar.rules.ts';
import type { EventStub, Metadata, TokenAccount } from '#shared/domain/payment.model.ts';

export type SubscriptionStatus = 'active' | 'paused' | 'canceled';

/** A customer's agreement to be charged each period; as it is stored and, without its inner fields, answered. */
export type Subscription = {
  readonly id: string;
  readonly org_id: string;
  readonly mode: 'sandbox' | 'live';
  readonly customer_id: string;
  readonly customer_email: string | null;
  readonly country: string | null;
  readonly plan_id: string;
  /** Of each period, in minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  readonly interval: Interval;
  readonly status: SubscriptionStatus;
  /** The first period's start, which all others are counted from. */
  readonly start_at: string;
  /** The start of the next period that will be charged; the first one's only while that lies ahead when it is created. `null` while nothing renews. */
  readonly next_renewal_at: string | null;
  readonly cancel_at_period_end: boolean;
  readonly canceled_at: string | null;
  readonly metadata: Metadata;
  readonly created_at: string;
  readonly updated_at: string;

  /** Inner fields from here on: no answer shows them. */
  readonly version: number;
  readonly sealed_method: string | null;
  /** Counts the payment methods it has had, 1 being the first. */
  readonly method_version: number;
  /** The account that knows its payment method's bare token: where the last payment with it was sent. */
  readonly token_of?: TokenAccount;
  /** The number of the period that is charged next, 0 being the first, and when it starts; `null` once nothing is charged any more. */
  readonly next_period: number;
  readonly bills_at: string | null;
  /** How many invoices it has had. */
  readonly invoices: number;
  /** Until then its organization may take no money, and is not asked about again. */
  readonly held_until?: string;
  /** The newest invoice: lists show it late. */
  readonly last_invoice_id?: string;
  /** The operations that changed it last: asked for again after a crash, they have been done. */
  readonly last_acts?: readonly string[];
  readonly outbox: readonly EventStub[];
  readonly announced: number;
};
