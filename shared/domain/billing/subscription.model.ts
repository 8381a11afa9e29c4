import type { Interval } from '#shared/domain/billing/billing-calendar.rules.ts';
import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import type { EventStub, Metadata, TokenConnection } from '#shared/domain/payments/payment.model.ts';
import { RELAY_GRACE } from '#shared/domain/payments/reconciliation.rules.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { withoutFields } from '#shared/kernel/without-fields.ts';

/** The latest start of a new subscription. */
export const MAX_YEARS_AHEAD = 5;

export type SubscriptionStatus = 'active' | 'paused' | 'canceled';

/** Changes of these apply from the next period on. */
type Terms = Pick<Subscription, 'amount' | 'plan_id' | 'metadata'>;

/**
 * Terms of the unbilled periods with a number below `before`; null if the subscription was paused when they started.
 */
export type StartedPeriods = { readonly before: number; readonly terms: Terms | null };

/** A customer's agreement to be charged each period. Stored as is; the API shows it without internal fields. */
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
  /** The saved payment method that it is charged with: its tokens are read at each charge. */
  readonly payment_method_id?: string;
  readonly interval: Interval;
  readonly status: SubscriptionStatus;
  /** The first period's start, the anchor of all others. */
  readonly start_at: string;
  /**
   * The start of the next period to be billed. The first period counts only if it was in the future at creation. `null`
   * while nothing renews.
   */
  readonly next_renewal_at: string | null;
  readonly cancel_at_period_end: boolean;
  readonly canceled_at: string | null;
  readonly metadata: Metadata;
  readonly created_at: string;
  readonly updated_at: string;

  /** Internal fields from here on: no response shows them. */
  readonly version: number;
  readonly sealed_method: string | null;
  /** The number of the current payment method, from 1. */
  readonly method_version: number;
  /** The connection that a token without a known owner belongs to: where its last payment was sent. */
  readonly token_of?: TokenConnection;
  /** The next period to be billed, from 0, and its start; `null` after the last one. */
  readonly next_period: number;
  readonly bills_at: string | null;
  /** Oldest first: unbilled periods that started on other terms than the current ones. */
  readonly begun?: readonly StartedPeriods[];
  /** With `cancel_at_period_end`: the start of the first period that is never billed. */
  readonly ends_at?: string;
  /** Set if it ended with open invoices: when to check them again. Until they are closed the payment method stays. */
  readonly settles_at?: string;
  /** The number of invoices so far. */
  readonly invoices: number;
  /** Billing is postponed until then because the organization may not take payments. */
  readonly held_until?: string;
  /** After a decline: until then the first charge of a period needs retry budget too. */
  readonly wary_until?: string;
  /** The newest invoice, kept here because list indexes lag behind. */
  readonly last_invoice_id?: string;
  /** Idempotency markers of the latest operations: a repeat after a crash finds its work done. */
  readonly last_acts?: readonly string[];
  readonly outbox: readonly EventStub[];
  readonly announced: number;
  /** The work that wrote this version, and its new events (see `namingWork`). */
  readonly trace?: string;
  /** Over how many partitions its organization's lists were spread when it was created. Missing: 4. */
  readonly list_shards?: number;
};

export type PublicSubscription = Omit<Subscription, (typeof INTERNAL_FIELDS)[number]>;

const INTERNAL_FIELDS = [
  'version',
  'sealed_method',
  'method_version',
  'token_of',
  'next_period',
  'bills_at',
  'begun',
  'ends_at',
  'settles_at',
  'invoices',
  'held_until',
  'wary_until',
  'last_invoice_id',
  'last_acts',
  'outbox',
  'announced',
  'trace',
  'list_shards',
] as const satisfies readonly (keyof Subscription)[];

/** The subscription as the API and its events show it. */
export const toPublicSubscription = (subscription: Subscription): PublicSubscription =>
  withoutFields(subscription, INTERNAL_FIELDS);

/** Adds an event with a snapshot of the subscription as it is now. */
export const announceSubscription = (subscription: Subscription, type: EventType, at: Date): Subscription =>
  withEvent(subscription, type, at, toPublicSubscription(subscription));

type BillingState = Pick<
  Subscription,
  'status' | 'bills_at' | 'cancel_at_period_end' | 'ends_at' | 'held_until' | 'settles_at'
>;

/** When to bill the next period, to end it, or to check its open invoices; undefined if there is nothing to do. */
export function nextBillingAt(subscription: BillingState): string | undefined {
  const { status, bills_at, held_until, settles_at } = subscription;
  if (status === 'canceled') return settles_at;
  if (isBilledToEnd(subscription)) return endTime(subscription);
  if (status === 'paused' || bills_at === null) return undefined;
  return held_until !== undefined && held_until > bills_at ? held_until : bills_at;
}

/** Whether no period before its scheduled end is left to bill. A paused subscription bills nothing. */
export function isBilledToEnd(subscription: BillingState): boolean {
  const end = endTime(subscription);
  return end !== undefined && (subscription.status === 'paused' || end <= (subscription.bills_at ?? end));
}

const endTime = ({ cancel_at_period_end, ends_at, bills_at }: BillingState): string | undefined =>
  cancel_at_period_end ? (ends_at ?? bills_at ?? undefined) : undefined;

/** Canceled with no invoice left to collect. */
export const isClosed = ({ status, settles_at }: Pick<Subscription, 'status' | 'settles_at'>): boolean =>
  status === 'canceled' && settles_at === undefined;

/** The subscription with the terms on which its next unbilled period started. */
export const withTermsOfDuePeriod = (subscription: Subscription): Subscription => ({
  ...subscription,
  ...subscription.begun?.[0]?.terms,
});

/** When the due sweep must process it, if ever. */
export function subscriptionDueAt(subscription: Subscription): string | undefined {
  const waiting = subscription.outbox[0];
  const times = [nextBillingAt(subscription), waiting && plus(waiting.at, RELAY_GRACE).toISOString()];
  return times.filter((time) => time !== undefined).sort()[0];
}
