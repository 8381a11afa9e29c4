import { isHard } from '#shared/domain/billing/dunning.rules.ts';
import {
  type FailedTry,
  failTry,
  markCanceled,
  mayBePaid,
  parkTry,
  payInvoice,
} from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { asksOfInvoice, noteUnwanted } from '#shared/domain/billing/invoice-payment.rules.ts';
import { USUAL_RETRIES } from '#shared/domain/billing/retry-policy.model.ts';
import { noteDecline, pauseSubscription } from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { isClosed } from '#shared/domain/billing/subscription.rules.ts';
import { noteAct } from '#shared/domain/payments/acts.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { wasDeclinedBefore } from '#shared/domain/payments/retry-budget.rules.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Billing } from '#shared/ports/invoices.port.ts';

type Needs = Pick<Deps, 'invoices' | 'subscriptions' | 'billing' | 'payments' | 'retryPolicies' | 'clock' | 'log'>;

/**
 * Applies a payment's outcome to its invoice: paid, or one try failed. Safe to repeat, by the worker, the relay or both
 * at once. Money that the invoice no longer asks for is refunded.
 */
export async function settleInvoice(payment: Payment, deps: Needs): Promise<Payment> {
  const asks = asksOfInvoice(payment);
  if (asks === undefined || !payment.invoice_id) return payment;
  const invoice = await deps.invoices.byId(payment.invoice_id);
  if (!invoice) return payment;
  if (asks === 'pay') return pay(invoice, payment, deps);
  await fail(invoice, payment, deps);
  return payment;
}

/**
 * Marks a new invoice whose payment has no outcome yet, so that the relay announces it now. Otherwise the relay leaves
 * it to the worker of the first try, and would wait for the outcome.
 */
export async function parkInvoice(
  invoice: Invoice,
  payment: Payment,
  { invoices }: Pick<Deps, 'invoices'>,
): Promise<void> {
  if (asksOfInvoice(payment) !== undefined) return;
  await invoices.change(invoice, (i) => (i.trying?.number === invoice.trying?.number ? parkTry(i) : undefined));
}

async function pay(invoice: Invoice, payment: Payment, deps: Needs): Promise<Payment> {
  const isPaid = ({ status, payment_id }: Invoice) => status === 'paid' && payment_id === payment.id;
  if (isPaid(invoice)) return payment;
  const subscription =
    invoice.renews && mayBePaid(invoice) ? await deps.subscriptions.byId(invoice.subscription_id) : undefined;
  const paid = await deps.invoices.change(invoice, (i) =>
    isPaid(i) ? undefined : payInvoice(i, payment.id, subscription, deps.clock.now()),
  );
  if (isPaid(paid)) return payment;
  deps.log.warn('invoice_payment_unwanted', { payment_id: payment.id, invoice_id: invoice.id, org_id: invoice.org_id });
  const reason = paid.status === 'paid' ? 'duplicate_charge' : 'after_cancel';
  return deps.payments.change(payment, (p) => noteUnwanted(p, reason, deps.clock.now()));
}

/** Only the current try can fail, and only once: the payment carries the number of the try it was made for. */
const isFailing = (invoice: Invoice, payment: Payment): boolean =>
  invoice.trying !== undefined && invoice.trying.number === payment.invoice_try && invoice.payment_id === payment.id;

async function fail(invoice: Invoice, payment: Payment, deps: Needs): Promise<void> {
  if (!isFailing(invoice, payment)) return;
  const policy = await policyFor(invoice, deps);
  let current: Invoice | undefined = invoice;
  await inRounds(async () => {
    current ??= await deps.invoices.byId(invoice.id);
    if (!current || !isFailing(current, payment)) return true;
    const subscription = await deps.subscriptions.byId(current.subscription_id);
    const done = await deps.billing.commit(
      afterFailure(
        current,
        subscription,
        { final: isHard(payment), policy, declined: wasDeclinedBefore(payment) },
        deps.clock.now(),
      ),
    );
    current = undefined;
    return done || undefined;
  }, 'Others are changing this invoice right now.');
}

/**
 * Uses up the tries of an invoice whose payment method was found invalid outside of a try. Answers whether that was
 * written.
 */
export const endTries = (
  invoice: Invoice,
  subscription: Subscription,
  { billing, clock }: Pick<Deps, 'billing' | 'clock'>,
): Promise<boolean> =>
  billing.commit(
    afterFailure(invoice, subscription, { final: true, policy: USUAL_RETRIES, declined: true }, clock.now()),
  );

type Failed = FailedTry & { readonly declined: boolean };

/** The subscription's part (pause, decline) is in the same write; a canceled subscription gets none. */
function afterFailure(invoice: Invoice, subscription: Subscription | undefined, failed: Failed, at: Date): Billing {
  const after = invoiceAfterFailure(invoice, subscription, failed, at);
  const step: Billing = { invoice: { before: invoice, after } };
  if (subscription === undefined || subscription.status === 'canceled') return step;
  const exhausted = invoice.status === 'open' && after.status === 'failed';
  const learned = warned(subscription, { exhausted, declined: failed.declined }, at);
  return learned === subscription ? step : { ...step, subscription: { before: subscription, after: learned } };
}

/**
 * Canceled where that was requested, or where a closed subscription owes nothing more; otherwise the policy plans the
 * next try.
 */
function invoiceAfterFailure(
  invoice: Invoice,
  subscription: Subscription | undefined,
  failed: Failed,
  at: Date,
): Invoice {
  const isOwed = invoice.status !== 'open' || (subscription !== undefined && !isClosed(subscription));
  if (isOwed && invoice.ending === undefined) return failTry(invoice, failed, at);
  const canceled = markCanceled(invoice, at);
  if (!canceled) return failTry(invoice, failed, at);
  return invoice.ending === undefined ? canceled : noteAct(canceled, invoice.ending);
}

/** The last failure pauses the subscription; any decline makes the next period's first charge ask the retry budget. */
function warned(
  subscription: Subscription,
  { exhausted, declined }: { readonly exhausted: boolean; readonly declined: boolean },
  at: Date,
): Subscription {
  const noted = declined ? noteDecline(subscription, at) : subscription;
  return (exhausted ? pauseSubscription(noted, at) : undefined) ?? noted;
}

/** The plan's policy, else the organization's, else the default; as it is when the try fails. */
async function policyFor({ org_id, plan_id }: Invoice, { retryPolicies }: Needs): Promise<FailedTry['policy']> {
  return (await retryPolicies.get(org_id, plan_id)) ?? (await retryPolicies.get(org_id, '')) ?? USUAL_RETRIES;
}
