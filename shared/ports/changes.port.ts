import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import type { OutboxOwner } from '#shared/domain/payments/outbox.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';

/** The resources whose changes are followed: to publish their events, or to count them. */
export type FollowedResources = {
  readonly payment: Payment;
  readonly payment_link: PaymentLink;
  readonly subscription: Subscription;
  readonly invoice: Invoice;
  readonly execution: Execution;
  readonly dispute: Dispute;
};

/** Those that have an outbox. */
type EventKind = {
  [K in keyof FollowedResources]: FollowedResources[K] extends OutboxOwner ? K : never;
}[keyof FollowedResources];

/**
 * The resources that have events. The relay gets the changes of no other, neither on AWS nor on a local host, so the
 * compiler asks for each kind that has an outbox.
 */
export const KINDS_WITH_EVENTS = Object.keys({
  payment: true,
  payment_link: true,
  subscription: true,
  invoice: true,
  dispute: true,
} satisfies Record<EventKind, true>) as readonly EventKind[];

/** The resources that the projector counts. It gets the changes of no other, neither on AWS nor on a local host. */
export const COUNTED_KINDS = [
  'payment',
  'execution',
  'subscription',
  'dispute',
] as const satisfies readonly (keyof FollowedResources)[];

type ChangeOf<K extends keyof FollowedResources> = {
  readonly kind: K;
  /** Sorts as text, in the order of the shard. */
  readonly seq: string;
  /** The same for all changes of one resource. */
  readonly resource: string;
  /** Missing if the resource was created. */
  readonly old?: () => FollowedResources[K];
  /** Missing if the resource was deleted. */
  readonly new?: () => FollowedResources[K];
};

/** One change of one resource, from the table's change feed. */
export type RecordChange = { [K in keyof FollowedResources]: ChangeOf<K> }[keyof FollowedResources];

export type ChangeWithEvents = { [K in EventKind]: ChangeOf<K> }[EventKind];

/** `retryFrom`: the first change that was not processed. The feed delivers it and all after it again. */
export type ChangesResult = { readonly retryFrom?: string };
