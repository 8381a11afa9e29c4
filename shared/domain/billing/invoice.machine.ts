import { periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { announceInvoice } from '#shared/domain/billing/invoice.rules.ts';
import type { RetryPolicy } from '#shared/domain/billing/retry-policy.model.ts';
import { delayBefore } from '#shared/domain/billing/retry-policy.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { type ShownSubscription, shownSubscription } from '#shared/domain/billing/subscription.rules.ts';
import { noteAct } from '#shared/domain/payments/acts.rules.ts';
import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { nthId } from '#shared/kernel/ids.ts';

/** The invoice of the period that begins now, before its first try. Each period of a subscription has exactly one. */
export function draftInvoice(subscription: Subscription, at: Date): Invoice {
  const {
    id,
    org_id,
    customer_id,
    plan_id,
    amount,
    currency,
    start_at,
    interval,
    next_period: n,
    method_version,
  } = subscription;
  return {
    id: nthId('invoice', at, subscription.invoices, id),
    org_id,
    subscription_id: id,
    customer_id,
    plan_id,
    number: `${id.slice(-8).toUpperCase()}-${String(subscription.invoices + 1).padStart(4, '0')}`,
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
    renews: subscription.invoices > 0,
    retries: 0,
    method_version,
    outbox: [],
    announced: 0,
  };
}

/** The invoice as it is first written, with its first try under way. */
export const openInvoice = (draft: Invoice, first: NewTry, at: Date): Invoice =>
  announceInvoice(beginTry(draft, first, at), 'invoice.created', at);

type NewTry = Pick<Invoice, 'method_version'> & { readonly payment_id: string; readonly by?: string };

/** Begins a try. The policy's planned retry is kept beside a requested one. */
export function beginTry(invoice: Invoice, { payment_id, method_version, by }: NewTry, at: Date): Invoice {
  const { planned_at: _, ...rest } = by === undefined ? invoice : noteAct(invoice, by);
  const { next_retry_at } = invoice;
  const number = invoice.attempts + 1;
  return {
    ...touched(rest, at),
    attempts: number,
    payment_id,
    method_version,
    next_retry_at: null,
    trying: { number, ...(by !== undefined && { by }) },
    ...(by !== undefined && next_retry_at !== null && { planned_at: next_retry_at }),
  };
}

/** The try waits for the customer or the provider, and no process attends it any more. */
export const parkTry = (invoice: Invoice): Invoice | undefined =>
  invoice.trying && !invoice.trying.parked ? { ...invoice, trying: { ...invoice.trying, parked: true } } : undefined;

export const mayBePaid = ({ status }: Invoice): boolean => status === 'open' || status === 'failed';

/** Marks it paid, whatever its state before; `undefined` where it is paid or canceled. */
export function payInvoice(
  invoice: Invoice,
  payment_id: string,
  subscription: Subscription | undefined,
  at: Date,
): Invoice | undefined {
  if (!mayBePaid(invoice)) return undefined;
  const paid = announceInvoice(
    { ...tried(invoice, at), status: 'paid', next_retry_at: null, payment_id },
    'invoice.paid',
    at,
  );
  return invoice.renews && subscription
    ? withEvent(paid, 'subscription.renewed', at, shownSubscription(subscription) satisfies ShownSubscription)
    : paid;
}

export type FailedTry = { readonly final: boolean; readonly policy: Pick<RetryPolicy, 'delays' | 'max_retries'> };

/**
 * The try has failed: the policy plans the next one, or none is left and the invoice fails. A requested try leaves the
 * policy's plan as it was.
 */
export function failTry(invoice: Invoice, { final, policy }: FailedTry, at: Date): Invoice {
  const ended = tried(invoice, at);
  if (invoice.status !== 'open') return ended;
  if (!final && invoice.planned_at !== undefined) return { ...ended, next_retry_at: invoice.planned_at };
  const delay = final ? undefined : delayBefore(invoice.retries + 1, policy);
  if (delay === undefined)
    return announceInvoice({ ...ended, status: 'failed', next_retry_at: null }, 'invoice.failed', at);
  return { ...ended, retries: invoice.retries + 1, next_retry_at: plus(at, delay).toISOString() };
}

/** Puts its next try off, for a reason that is not the customer's. */
export const putOffTry = (invoice: Invoice, until: Date, at: Date): Invoice => ({
  ...touched(invoice, at),
  next_retry_at: until.toISOString(),
});

/** Its payment is about to be canceled, and it with it: if the payment's end is seen first, it is no failed try. */
export const intendCancel = (invoice: Invoice, by: string): Invoice => ({ ...invoice, ending: by });

/** Its payment could not be canceled: the try goes on. */
export function withdrawCancel(invoice: Invoice, by: string): Invoice | undefined {
  const { ending, ...going } = invoice;
  return ending === by ? going : undefined;
}

/** Cancels it: no further try is made. `undefined` where it is canceled already. */
export function markCanceled(invoice: Invoice, at: Date): Invoice | undefined {
  if (invoice.status === 'canceled') return undefined;
  if (invoice.status === 'paid')
    throw new AppError('invoice_not_cancelable', 'This invoice is paid. Refund its payment instead.');
  return announceInvoice({ ...tried(invoice, at), status: 'canceled', next_retry_at: null }, 'invoice.canceled', at);
}

function tried(invoice: Invoice, at: Date): Invoice {
  const { trying: _, planned_at: __, ending: ___, ...rest } = touched(invoice, at);
  return rest;
}

const touched = (invoice: Invoice, at: Date): Invoice => ({ ...invoice, updated_at: at.toISOString() });
