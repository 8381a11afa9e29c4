import { isHard } from '#shared/domain/billing/dunning.rules.ts';
import { beginTry } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { currentAttempt, isUnknown } from '#shared/domain/payments/attempts.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Billing } from '#shared/ports/invoices.port.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';
import {
  accountOf,
  newPayment,
  type PlannedPayment,
  reservePlanned,
  samePayment,
  stopPlanned,
  tryOperation,
} from '#shared/services/billing/invoice-payment.service.ts';
import { settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import { chargePayment } from '#shared/services/payments/charge-payment.service.ts';
import { assertOutcomeKnown } from '#shared/services/payments/assert-outcome-known.service.ts';
import { keepIfBegun } from '#shared/services/payments/retry-budget.service.ts';

/** The records of a try, as they were read. */
export type TryFor = {
  readonly invoice: Invoice;
  readonly subscription: Subscription;
  readonly payment: Payment;
  readonly setup: Setup;
};

type Lost = { readonly how: 'lost' };
type Refused = { readonly how: 'refused'; readonly until: Date };

/**
 * `lost`: a concurrent write has changed what was read. `refused`: the retry budget is exhausted, and has room again at
 * `until`.
 */
export type Tried = { readonly how: 'tried' } | Lost | Refused;

/**
 * Tries once more to collect an invoice, with its payment, or with a new one where that can't be retried. The try is
 * written before the PSP is called, on invoice, subscription and payment as they were read: of two concurrent tries one
 * is made.
 */
export async function tryInvoice(read: TryFor, by: string | undefined, deps: Deps): Promise<Tried> {
  const { invoice, subscription, payment, setup } = read;
  const at = deps.clock.now();
  const operation = tryOperation(invoice, invoice.attempts + 1, at);
  const planned = await (isTriedAgain(payment, subscription)
    ? samePayment(payment, invoice, subscription, setup, operation, deps)
    : newPayment(invoice, subscription, setup, operation, deps));
  const begun = await begin(read, planned, by, at, deps);
  if (begun.how !== 'begun') return begun;
  await settleInvoice(await chargePayment(begun.payment, operation, false, setup, deps), deps);
  return { how: 'tried' };
}

/** Whether the same payment is tried again; otherwise a new one is made, which also counts against the plan's limit. */
export function isTriedAgain(payment: Payment, { method, sealed_method }: Subscription): boolean {
  // A payment keeps its method where the subscription's is of another type, so a hard decline would only repeat.
  const isHopeless = isHard(payment) && sealed_method !== null && method !== payment.method;
  return payment.status === 'failed' && payment.failure?.retryable === true && !isHopeless;
}

/**
 * Whether the subscription has another payment method than the last try: it was given one since, or that try brought
 * its own.
 */
export const hasOtherMethod = (
  { method_version, sealed_method }: Subscription,
  last: Pick<Invoice, 'method_version'>,
  { own_method }: Pick<Payment, 'own_method'>,
): boolean => sealed_method !== null && (own_method === true || method_version !== last.method_version);

type Begun = { readonly how: 'begun'; readonly payment: Payment } | Lost | Refused;

/**
 * Without room in the retry budget a request is refused; a scheduled try is used up as failed, so that dunning ends.
 */
async function begin(
  read: TryFor,
  planned: PlannedPayment,
  by: string | undefined,
  at: Date,
  deps: Deps,
): Promise<Begun> {
  const reserved = await reservePlanned(planned, deps);
  if (reserved.how === 'full' && by !== undefined) return { how: 'refused', until: reserved.until };
  const granted = reserved.how === 'full' ? stopPlanned(planned, deps.clock.now()) : planned;
  const payment = await keepIfBegun(reserved, commitTry(read, granted, by, at, deps), deps);
  return payment ? { how: 'begun', payment } : { how: 'lost' };
}

/** The payment as it was written; undefined where a concurrent write came first, and nothing was. */
async function commitTry(
  read: TryFor,
  planned: PlannedPayment,
  by: string | undefined,
  at: Date,
  { billing }: Deps,
): Promise<Payment | undefined> {
  const { invoice, subscription } = read;
  const { before, payment } = planned;
  const tried = {
    payment_id: payment.id,
    method_version: subscription.method_version,
    ...(by !== undefined && { by }),
  };
  const isWritten = await billing.commit({
    subscription: pinning(subscription, planned),
    invoice: { before: invoice, after: beginTry(invoice, tried, at) },
    payment: before ? { before, after: payment } : { after: payment },
  });
  if (!isWritten) return undefined;
  return before ? { ...payment, version: before.version + 1 } : payment;
}

/** A bare token is bound to the account that its first attempt goes to, also where that is not the first try. */
function pinning(subscription: Subscription, { payment, sent }: PlannedPayment): Billing['subscription'] {
  const isOwn = subscription.sealed_method !== null && subscription.method === payment.method;
  if (!isOwn || sent === undefined || subscription.token_of !== undefined) return { unchanged: subscription };
  return { before: subscription, after: { ...subscription, token_of: accountOf(sent) } };
}

/** With a payment in review the money may have arrived already: a person decides first. */
export function mayBeTried(payment: Payment): boolean {
  const attempt = currentAttempt(payment);
  return (
    (payment.status === 'failed' || payment.status === 'canceled') &&
    !payment.review &&
    !(attempt && isUnknown(attempt))
  );
}

/** Throws, with the reason, where no try can be made now. */
export function refuseTry(payment: Payment): void {
  assertOutcomeKnown(payment);
  if (mayBeTried(payment)) return;
  throw new AppError('invoice_not_retryable', `The payment of this invoice ${whyNot(payment)}.`);
}

function whyNot({ status, review }: Payment): string {
  if (review) return 'is in review: cancel the payment to end that';
  return status === 'requires_action' ? 'waits for the customer (see its next_action)' : 'is on its way';
}
