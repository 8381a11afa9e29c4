import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { RELAY_TIME } from '#shared/domain/payments/duties.rules.ts';
import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import type { EventType } from '#shared/domain/reference/events.catalog.ts';
import { plus } from '#shared/kernel/clock.ts';

export type ShownSubscription = Omit<Subscription, (typeof INNER)[number]>;

const INNER = [
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
] as const satisfies readonly (keyof Subscription)[];

const isInner: ReadonlySet<string> = new Set(INNER);

/** The subscription as the API and its events show it. */
export const shownSubscription = (subscription: Subscription): ShownSubscription =>
  Object.fromEntries(
    Object.entries(subscription).filter(([name]) => !isInner.has(name)),
  ) as unknown as ShownSubscription;

/** Adds an event with a snapshot of the subscription as it is now. */
export const announceSubscription = (subscription: Subscription, type: EventType, at: Date): Subscription =>
  withEvent(subscription, type, at, shownSubscription(subscription));

type Billed = Pick<
  Subscription,
  'status' | 'bills_at' | 'cancel_at_period_end' | 'ends_at' | 'held_until' | 'settles_at'
>;

/** When it is due: to bill its next period, to end, or to check what is still owed; undefined while nothing is. */
export function billsAt(subscription: Billed): string | undefined {
  const { status, bills_at, held_until, settles_at } = subscription;
  if (status === 'canceled') return settles_at;
  if (endsNext(subscription)) return endOf(subscription);
  if (status === 'paused' || bills_at === null) return undefined;
  return held_until !== undefined && held_until > bills_at ? held_until : bills_at;
}

/** Whether everything before its end is billed; while it is paused nothing is. */
export function endsNext(subscription: Billed): boolean {
  const end = endOf(subscription);
  return end !== undefined && (subscription.status === 'paused' || end <= (subscription.bills_at ?? end));
}

const endOf = ({ cancel_at_period_end, ends_at, bills_at }: Billed): string | undefined =>
  cancel_at_period_end ? (ends_at ?? bills_at ?? undefined) : undefined;

/** Whether nothing is owed any more: it was canceled at once, or its invoices were closed after it ended. */
export const isClosed = ({ status, settles_at }: Pick<Subscription, 'status' | 'settles_at'>): boolean =>
  status === 'canceled' && settles_at === undefined;

/** The subscription with the terms that its next unbilled period began under. */
export const asBegun = (subscription: Subscription): Subscription => ({
  ...subscription,
  ...subscription.begun?.[0]?.terms,
});

/** When the sweeper must look at it, if ever. */
export function subscriptionDueAt(subscription: Subscription): string | undefined {
  const waiting = subscription.outbox[0];
  const times = [billsAt(subscription), waiting && plus(waiting.at, RELAY_TIME).toISOString()];
  return times.filter((time) => time !== undefined).sort()[0];
}
