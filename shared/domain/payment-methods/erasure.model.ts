import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { isClosed, type Subscription } from '#shared/domain/billing/subscription.model.ts';
import { deactivate } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import type { Attempt, Payment, Refund } from '#shared/domain/payments/payment.model.ts';
import { dueTasksOf } from '#shared/domain/payments/reconciliation.rules.ts';
import { DAY, HOUR, MINUTE, plus } from '#shared/kernel/clock.ts';

/** A request to erase a customer, until all of it is done. */
export type Erasure = {
  readonly id: string;
  readonly org_id: string;
  readonly customer_id: string;
  readonly requested_at: string;
  /** When the next pass is due. */
  readonly due_at: string;
  /** Passes so far that have found nothing to erase, for the pause before the next one. */
  readonly idle: number;
  readonly version: number;
};

/**
 * The last pass is no earlier: lists lag a little, and a payment that was being made when the request came is found by
 * then.
 */
const MIN_ERASURE_TIME = 15 * MINUTE;

const PAUSES = [5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, DAY] as const;

/** The pass after this one. Whatever is still under way, such as an authorization, is waited for. */
export function nextPass(erasure: Erasure, hasErased: boolean, at: Date): Erasure {
  const idle = hasErased ? 0 : erasure.idle + 1;
  const pause = PAUSES[Math.min(idle, PAUSES.length - 1)] ?? DAY;
  return { ...erasure, idle, due_at: plus(at, pause).toISOString() };
}

export const mayEnd = ({ requested_at }: Erasure, at: Date): boolean => plus(requested_at, MIN_ERASURE_TIME) <= at;

/** Stands for the customer where a record must name one. Nothing leads from it to the person. */
export const pseudonymOf = ({ id }: Pick<Erasure, 'id'>): string => `erased_${id.slice(id.indexOf('_') + 1)}`;

const ENDED: ReadonlySet<Payment['status']> = new Set(['succeeded', 'failed', 'canceled', 'refunded']);

/**
 * Nothing is left to do for which its data is needed: no call, no refund that is pending, no event, no review, no dispute
 * that it may be evidence in.
 */
export const isPaymentOver = (payment: Payment): boolean =>
  (ENDED.has(payment.status) || payment.attempts.length === 0) &&
  payment.review === null &&
  !payment.disputes?.some(({ open }) => open) &&
  dueTasksOf(payment).length === 0;

/**
 * What may identify the payer goes, texts that the merchant chose included, as they may too. What accounting and
 * statistics need stays: amounts, currency, country, results, connections and the provider's references.
 */
export const erasePayment = ({
  payment_method_id: _,
  details_only: __,
  save: ___,
  mail_hash: ____,
  ...payment
}: Payment): Payment => ({
  ...payment,
  erased: true,
  customer_id: null,
  customer_email: null,
  customer_ip: null,
  description: null,
  metadata: {},
  next_action: null,
  // A repeat of the create request gets the payment as it is: its first response is not stored any more.
  claim: payment.claim && { ...payment.claim, kept: true },
  sealed_method: null,
  return_url: null,
  attempts: payment.attempts.map(eraseAttempt),
  refunds: payment.refunds.map(eraseRefund),
});

const eraseAttempt = ({ card: _, avs: __, ...attempt }: Attempt): Attempt => attempt;
const eraseRefund = (refund: Refund): Refund => ({
  ...refund,
  metadata: {},
  ...(!refund.automatic && { reason: null }),
});

export const isInvoiceOver = ({ status, outbox }: Invoice): boolean => status !== 'open' && outbox.length === 0;
export const eraseInvoice = (invoice: Invoice, pseudonym: string): Invoice => ({ ...invoice, customer_id: pseudonym });

/** Nobody pays at it any more. Payments that have begun go on. */
export function eraseLink(link: PaymentLink, at: Date): PaymentLink {
  const closed = link.status === 'active' ? (deactivate(link, at) ?? link) : link;
  const { customer_id: _, payment_method_id: __, save: ___, sealed_details: ____, ...rest } = closed;
  return { ...rest, description: null, metadata: {} };
}

export const isSubscriptionOver = (subscription: Subscription): boolean =>
  isClosed(subscription) && subscription.outbox.length === 0;
export const eraseSubscription = (
  { payment_method_id: _, ...subscription }: Subscription,
  pseudonym: string,
): Subscription => ({
  ...subscription,
  customer_id: pseudonym,
  customer_email: null,
  metadata: {},
  sealed_method: null,
});
