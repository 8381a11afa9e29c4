import type { EventStub, Metadata } from '#shared/domain/payment.model.ts';

export type PaymentLinkStatus = 'active' | 'completed' | 'expired' | 'inactive';

/**
 * One of the payments that a link takes:
 * `held`: a customer is paying it, until then at most.
 * `paid`: counted; kept for longer than any worker runs, so that none of them counts it again.
 * `turned_away`: none of them after all, as the money came when all were taken; kept as long, so that all workers say so.
 * `given_up`: its payment failed; kept for a while, so that a repeated start does not take another.
 */
export type Slot = { readonly state: 'held' | 'paid' | 'turned_away' | 'given_up'; readonly payment_id: string; readonly until: string };

/** An address that customers pay at, up to `max_payments` times. */
export type PaymentLink = {
  readonly id: string;
  readonly org_id: string;
  readonly mode: 'sandbox' | 'live';
  readonly amount: number;
  readonly currency: string;
  readonly description: string | null;
  readonly methods: readonly string[];
  readonly status: PaymentLinkStatus;
  readonly max_payments: number;
  readonly payments_made: number;
  readonly expires_at: string | null;
  readonly metadata: Metadata;
  readonly created_at: string;
  readonly updated_at: string;

  /** Inner fields from here on: no answer shows them. */
  readonly version: number;
  /** What is neither paid nor held: a start takes one of these, in one conditional write. */
  readonly slots_left: number;
  /** By what of the payment's id does not depend on its time: a start that is tried again finds its own. */
  readonly slots: Readonly<Record<string, Slot>>;
  readonly outbox: readonly EventStub[];
  readonly announced: number;
};
