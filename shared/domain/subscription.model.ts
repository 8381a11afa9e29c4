import type { Interval } from '#shared/domain/billing-calendar.rules.ts';
import type { EventStub, Metadata, TokenAccount } from '#shared/domain/payment.model.ts';

export type SubscriptionStatus = 'active' | 'paused' | 'canceled';

/** What counts from the next period on when it is changed. */
export type Terms = Pick<Subscription, 'amount' | 'plan_id' | 'metadata'>;

/** Periods that had begun before a change, up to the one of that number: what they are charged by; null where it was paused. */
export type Stretch = { readonly before: number; readonly terms: Terms | null };

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
  /** From `next_period` on, oldest first: what has begun, is not charged yet, and was begun otherwise than the subscription is by now. */
  readonly begun?: readonly Stretch[];
  /** With `cancel_at_period_end`: the start of the first period that is not charged any more. */
  readonly ends_at?: string;
  /** It has ended with its period and is owed for what was delivered: its payment method is kept, and this is when that is looked at again. */
  readonly settles_at?: string;
  /** How many invoices it has had. */
  readonly invoices: number;
  /** Until then its organization may take no money, and is not asked about again. */
  readonly held_until?: string;
  /** Its payment method was declined: until then a period's first charge, too, asks the scheme budget. */
  readonly wary_until?: string;
  /** The newest invoice: lists show it late. */
  readonly last_invoice_id?: string;
  /** The operations that changed it last: asked for again after a crash, they have been done. */
  readonly last_acts?: readonly string[];
  readonly outbox: readonly EventStub[];
  readonly announced: number;
};
