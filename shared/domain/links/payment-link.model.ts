import type { EventStub, Metadata } from '#shared/domain/payments/payment.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

export type PaymentLinkStatus = 'active' | 'completed' | 'expired' | 'inactive';

/**
 * A slot for one of the payments that a link takes.
 * `held`: a customer is paying, at most until `until`.
 * `paid`: the payment is counted. Kept longer than any worker runs, so that none counts it again.
 * `turned_away`: paid after all slots were taken, so refunded. Kept as long, so that all workers agree.
 * `given_up`: the payment failed. Kept for a while, so that a repeated start does not take another slot.
 */
export type Slot = {
  readonly state: 'held' | 'paid' | 'turned_away' | 'given_up';
  readonly payment_id: string;
  readonly until: string;
};

/** A page that customers pay at, up to `max_payments` times. */
export type PaymentLink = {
  readonly id: string;
  readonly org_id: string;
  readonly mode: Stage;
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly methods: readonly string[];
  readonly status: PaymentLinkStatus;
  readonly max_payments: number;
  readonly payments_made: number;
  readonly expires_at: string | null;
  readonly metadata: Metadata;
  /** Its payments are captured later. Missing: at once. */
  readonly capture?: 'manual';
  /** The customer who makes its payments. Missing: not known. */
  readonly customer_id?: string;
  /** The saved method that they are charged with. Whoever opens the page pays with it. */
  readonly payment_method_id?: string;
  /** They keep their payment method for the customer. */
  readonly save?: true;
  readonly created_at: string;
  readonly updated_at: string;

  /** The fields from here on are internal: no response contains them. */
  readonly version: number;
  /** What its payments pass on to their providers, while it takes payments. Missing if there is nothing. */
  readonly sealed_details?: string;
  /** Slots neither paid nor held. One conditional write takes a slot. */
  readonly slots_left: number;
  /** By the part of the payment's id that does not depend on time, so that a repeated start finds its own slot. */
  readonly slots: Readonly<Record<string, Slot>>;
  readonly outbox: readonly EventStub[];
  readonly announced: number;
  /** The work that wrote this version, and its new events (see `namingWork`). */
  readonly trace?: string;
};
