import { periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import { announceInvoice, type Invoice } from '#shared/domain/billing/invoice.model.ts';
import { type RetryPolicy, retryDelay } from '#shared/domain/billing/retry-policy.rules.ts';
import {
  type PublicSubscription,
  type Subscription,
  toPublicSubscription,
} from '#shared/domain/billing/subscription.model.ts';
import { addMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { nthId } from '#shared/kernel/ids.ts';

/** The invoice of the due period, before its first collection attempt. Each period has exactly one invoice. */
export function draftInvoice(subscription: Subscription, at: Date): Invoice {
  const { id, org_id, customer_id, plan_id, amount, currency, method_version } = subscription;
  const { start_at, interval, next_period: n, invoices } = subscription;
  return {
    id: nthId('invoice', at, invoices, id),
    org_id,
    subscription_id: id,
    customer_id,
    plan_id,
    number: `${id.slice(-8).toUpperCase()}-${String(invoices + 1).padStart(4, '0')}`,
    amount,
    currency,
    status: 'open',
    period_start: periodStart(start_at, interval, n),
    period_end: periodStart(start_at, interval, n + 1),
    attempts: 0,
    next_retry_at: null,
    payment_id: null,
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
    version: 1,
    renews: invoices > 0,
    retries: 0,
    method_version,
    outbox: [],
    announced: 0,
  };
}

/** The invoice as it is first stored, with its first collection attempt running. */
export const openInvoice = (draft: Invoice, first: NewCollection, at: Date): Invoice =>
  announceInvoice(startCollection(draft, first, at), 'invoice.created', at);

type NewCollection = Pick<Invoice, 'method_version'> & { readonly payment_id: string; readonly by?: string };

/** `by` marks an attempt that the API requested; the retry that the policy had planned is then kept for later. */
export function startCollection(
  invoice: Invoice,
  { payment_id, method_version, by }: NewCollection,
  at: Date,
): Invoice {
  const { planned_at: _, ...rest } = by === undefined ? invoice : addMarker(invoice, by);
  const { next_retry_at } = invoice;
  const number = invoice.attempts + 1;
  return {
    ...withUpdatedAt(rest, at),
    attempts: number,
    payment_id,
    method_version,
    next_retry_at: null,
    trying: { number, ...(by !== undefined && { by }) },
    ...(by !== undefined && next_retry_at !== null && { planned_at: next_retry_at }),
  };
}

/** The attempt waits for the customer or the PSP, and no process is working on it any more. */
export const parkCollection = (invoice: Invoice): Invoice | undefined =>
  invoice.trying && !invoice.trying.parked ? { ...invoice, trying: { ...invoice.trying, parked: true } } : undefined;

export const isPayable = ({ status }: Invoice): boolean => status === 'open' || status === 'failed';

/** `undefined` if it is paid or canceled already. */
export function markPaid(
  invoice: Invoice,
  payment_id: string,
  subscription: Subscription | undefined,
  at: Date,
): Invoice | undefined {
  if (!isPayable(invoice)) return undefined;
  const paid = announceInvoice(
    { ...endCollection(invoice, at), status: 'paid', next_retry_at: null, payment_id },
    'invoice.paid',
    at,
  );
  if (!invoice.renews || !subscription) return paid;
  return withEvent(paid, 'subscription.renewed', at, toPublicSubscription(subscription) satisfies PublicSubscription);
}

export type FailedCollection = {
  readonly final: boolean;
  readonly policy: Pick<RetryPolicy, 'delays' | 'max_retries'>;
};

/**
 * Dunning: plans the retry policy's next attempt, or fails the invoice if none is left. A requested attempt leaves the
 * planned retry as it was.
 */
export function failCollection(invoice: Invoice, { final, policy }: FailedCollection, at: Date): Invoice {
  const ended = endCollection(invoice, at);
  if (invoice.status !== 'open') return ended;
  if (!final && invoice.planned_at !== undefined) return { ...ended, next_retry_at: invoice.planned_at };
  const delay = final ? undefined : retryDelay(invoice.retries + 1, policy);
  if (delay === undefined)
    return announceInvoice({ ...ended, status: 'failed', next_retry_at: null }, 'invoice.failed', at);
  return { ...ended, retries: invoice.retries + 1, next_retry_at: plus(at, delay).toISOString() };
}

/** For reasons that are not the customer's fault; uses up no retry. */
export const postponeRetry = (invoice: Invoice, until: Date, at: Date): Invoice => ({
  ...withUpdatedAt(invoice, at),
  next_retry_at: until.toISOString(),
});

/**
 * Written before the payment is canceled. The process that sees the payment end first then cancels the invoice, instead
 * of counting a failed attempt.
 */
export const markCanceling = (invoice: Invoice, by: string): Invoice => ({ ...invoice, ending: by });

/** The payment could not be canceled: the attempt continues. */
export function unmarkCanceling(invoice: Invoice, by: string): Invoice | undefined {
  const { ending, ...continued } = invoice;
  return ending === by ? continued : undefined;
}

/** No further attempt is made. `undefined` if it is canceled already. */
export function markCanceled(invoice: Invoice, at: Date): Invoice | undefined {
  if (invoice.status === 'canceled') return undefined;
  if (invoice.status === 'paid')
    throw new AppError('invoice_not_cancelable', 'This invoice is paid. Refund its payment instead.');
  return announceInvoice(
    { ...endCollection(invoice, at), status: 'canceled', next_retry_at: null },
    'invoice.canceled',
    at,
  );
}

function endCollection(invoice: Invoice, at: Date): Invoice {
  const { trying: _, planned_at: __, ending: ___, ...rest } = withUpdatedAt(invoice, at);
  return rest;
}

const withUpdatedAt = (invoice: Invoice, at: Date): Invoice => ({ ...invoice, updated_at: at.toISOString() });
