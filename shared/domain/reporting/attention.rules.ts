import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Dispute } from '#shared/domain/disputes/dispute.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { type CallTotals, callsView } from '#shared/domain/routing/health.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';

/** Counting ends here: what a screen shows must not cost more because there is more of it. */
export const MAX_COUNTED = 100;
/** How many of each kind are shown, with their deadlines. */
export const SHOWN_ITEMS = 5;

export type Section<T> = { readonly count: number; readonly more: boolean; readonly items: readonly T[] };

/** `hasMore`: not all were read. */
export function sectionOf<T>(found: readonly T[], hasMore: boolean): Section<T> {
  const count = Math.min(found.length, MAX_COUNTED);
  return { count, more: hasMore || found.length > MAX_COUNTED, items: found.slice(0, SHOWN_ITEMS) };
}

export const reviewToShow = ({ id, review, amount, currency, status, capturable_until = null }: Payment) =>
  review
    ? [{ payment_id: id, reason: review.reason, since: review.at, amount, currency, status, capturable_until }]
    : [];

/** One without a deadline comes last. */
export const disputesToShow = (disputes: readonly Dispute[], at: Date) =>
  disputes
    .toSorted((a, b) => compareTimes(a.respond_by, b.respond_by) || (a.id < b.id ? -1 : 1))
    .map(({ id, payment_id, status, reason, amount, currency, respond_by }) => ({
      ...{ id, payment_id, status, reason, amount, currency, respond_by },
      overdue: respond_by !== null && respond_by <= at.toISOString(),
    }));

/** Down before degraded. A connection that takes no payments troubles nobody. */
export const connectionsToShow = (
  connections: readonly Connection[],
  calls: ReadonlyMap<string, CallTotals>,
  at: Date,
) =>
  connections
    .filter(({ status }) => status === 'active')
    .flatMap(({ id, provider }) => {
      const { health_status, health_score, last_failure_at } = callsView(calls.get(id), at);
      if (health_status !== 'down' && health_status !== 'degraded') return [];
      return [{ id, provider, health_status, health_score, last_failure_at }];
    })
    .sort((a, b) => (a.health_status < b.health_status ? 1 : -1));

/** The next try comes first. */
export const invoicesToShow = (invoices: readonly Invoice[]) =>
  invoices
    .filter(({ next_retry_at }) => next_retry_at !== null)
    .toSorted((a, b) => compareTimes(a.next_retry_at, b.next_retry_at))
    .map(({ id, subscription_id, customer_id, amount, currency, attempts, next_retry_at }) => ({
      ...{ id, subscription_id, customer_id, amount, currency, attempts, next_retry_at },
    }));

export function webhookState(config: WebhookConfig | undefined): 'none' | 'ok' | 'failing' | 'disabled' {
  if (!config) return 'none';
  if (!config.enabled) return 'disabled';
  return config.failing_since === undefined ? 'ok' : 'failing';
}

const LAST = '~';
const compareTimes = (a: string | null, b: string | null): number =>
  (a ?? LAST) < (b ?? LAST) ? -1 : Number((a ?? LAST) > (b ?? LAST));
