import { RELAY_TIME } from '#shared/domain/duties.rules.ts';
import type { EventType } from '#shared/domain/events.catalog.ts';
import { withEvent } from '#shared/domain/outbox.rules.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { plus } from '#shared/kernel/clock.ts';

export type ShownSubscription = Omit<Subscription, (typeof INNER)[number]>;

const INNER = [
  'version',
  'sealed_method',
  'method_version',
  'token_of',
  'next_period',
  'bills_at',
  'invoices',
  'held_until',
  'last_invoice_id',
  'last_acts',
  'outbox',
  'announced',
] as const satisfies readonly (keyof Subscription)[];

const isInner: ReadonlySet<string> = new Set(INNER);

/** The subscription as the interface shows it, and as its events do. */
export const shownSubscription = (subscription: Subscription): ShownSubscription =>
  Object.fromEntries(Object.entries(subscription).filter(([name]) => !isInner.has(name))) as unknown as ShownSubscription;

/** The subscription with one more event to announce, which shows it as it is now. */
export const announceSubscription = (subscription: Subscription, type: EventType, at: Date): Subscription =>
  withEvent(subscription, type, at, shownSubscription(subscription));

/** When its next period is charged, or a canceled period end comes; undefined while neither does. */
export function billsAt({ status, bills_at, cancel_at_period_end, held_until }: Subscription): string | undefined {
  const waits = status === 'active' || (status === 'paused' && cancel_at_period_end);
  if (!waits || bills_at === null) return undefined;
  return held_until !== undefined && held_until > bills_at ? held_until : bills_at;
}

/** When the sweeper must look at it, if ever. */
export function subscriptionDueAt(subscription: Subscription): string | undefined {
  const waiting = subscription.outbox[0];
  const times = [billsAt(subscription), waiting && plus(waiting.at, RELAY_TIME).toISOString()];
  return times.filter((time) => time !== undefined).sort()[0];
}
