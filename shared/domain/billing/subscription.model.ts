import type { Interval } from '#shared/domain/billing/billing-calendar.rules.ts';
import type { EventStub, Metadata, TokenAccount } from '#shared/domain/payments/payment.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

export type SubscriptionStatus = 'active' | 'paused' | 'canceled';

/** The terms whose changes apply from the next period on. */
type Terms = Pick<Subscription, 'amount' | 'plan_id' | 'metadata'>;

/** Terms of the unbilled periods below `before` that began before the terms changed; null where it was paused. */
export type Stretch = { readonly before: number; readonly terms: Terms | null };

/** A customer's agreement to be charged each period; stored as is, and shown without its inner fields. */
export type Subscription = {
  readonly id: string;
  readonly org_id: string;
  readonly mode: Stage;
  readonly customer_id: string;
  readonly customer_email: string | null;
  readonly country: string | null;
  readonly plan_id: string;
  /** Per period, in minor units. */
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  readonly interval: Interval;
  readonly status: SubscriptionStatus;
  /** The first period's start, the anchor of all others. */
  readonly start_at: string;
  /**
   * The start of the next period to be billed; the first one's only where that was ahead at creation. `null` while
   * nothing renews.
   */
  readonly next_renewal_at: string | null;
  readonly cancel_at_period_end: boolean;
  readonly canceled_at: string | null;
  readonly metadata: Metadata;
  readonly created_at: string;
  readonly updated_at: string;

  /** Inner fields from here on: no answer shows them. */
  readonly version: number;
  readonly sealed_method: string | null;
  /** The number of its present payment method, from 1. */
  readonly method_version: number;
  /** The account that its bare token belongs to: where its last payment was sent. */
  readonly token_of?: TokenAccount;
  /** The next period to be billed, from 0, and its start; `null` once nothing is billed any more. */
  readonly next_period: number;
  readonly bills_at: string | null;
  /**
   * From `next_period` on, oldest first: periods that have begun, are not billed yet, and began under other terms than
   * the present ones.
   */
  readonly begun?: readonly Stretch[];
  /** With `cancel_at_period_end`: the start of the first period that is not billed. */
  readonly ends_at?: string;
  /** It has ended with open invoices: it keeps its payment method, and is looked at again at this time. */
  readonly settles_at?: string;
  /** Number of its invoices. */
  readonly invoices: number;
  /** Put off until then, as its organization may take no payments. */
  readonly held_until?: string;
  /** Its payment method was declined: until then a period's first charge asks the retry budget too. */
  readonly wary_until?: string;
  /** The newest invoice: lists show it late. */
  readonly last_invoice_id?: string;
  /** The latest operations that changed it, so that a repeat after a crash finds its work done. */
  readonly last_acts?: readonly string[];
  readonly outbox: readonly EventStub[];
  readonly announced: number;
};
