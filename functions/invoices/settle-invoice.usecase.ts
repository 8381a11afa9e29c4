import { noteAct } from '#shared/domain/acts.rules.ts';
import { isHard } from '#shared/domain/dunning.rules.ts';
import { cancelInvoice, type FailedTry, failTry, mayBePaid, parkTry, payInvoice } from '#shared/domain/invoice.machine.ts';
import type { Invoice } from '#shared/domain/invoice.model.ts';
import { asksOfInvoice, noteUnwanted } from '#shared/domain/invoice-payment.rules.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { wasDeclinedBefore } from '#shared/domain/retry-budget.rules.ts';
import { USUAL_RETRIES } from '#shared/domain/retry-policy.model.ts';
import { beWary, pauseSubscription } from '#shared/domain/subscription.machine.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { isClosed } from '#shared/domain/subscription.rules.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Billing } from '#shared/ports/invoices.port.ts';

type Needs = Pick<Deps, 'invoices' | 'subscriptions' | 'billing' | 'payments' | 'retryPolicies' | 'clock' | 'log'>;

/**
 * Tells a payment's invoice what became of it: paid, or tried in vain. Told again, by the worker, the relay or both at once,
 * it finds that done. Money that the invoice did not ask for any more goes back.
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

/** A new invoice whose payment has no end yet is announced now; else the relay, which leaves it to whoever makes the first try, would wait for that end. */
export async function parkInvoice(invoice: Invoice, payment: Payment, { invoices }: Pick<Deps, 'invoices'>): Promise<void> {
  if (asksOfInvoice(payment) !== undefined) return;
  await invoices.change(invoice, (i) => (i.trying?.number === invoice.trying?.number ? parkTry(i) : undefined));
}

async function pay(invoice: Invoice, payment: Payment, deps: Needs): Promise<Payment> {
  const isPaid = ({ status, payment_id }: Invoice) => status === 'paid' && payment_id === payment.id;
  if (isPaid(invoice)) return payment;
  const subscription = invoice.renews && mayBePaid(invoice) ? await deps.subscriptions.byId(invoice.subscription_id) : undefined;
  const paid = await deps.invoices.change(invoice, (i) => (isPaid(i) ? undefined : payInvoice(i, payment.id, subscription, deps.clock.now())));
  if (isPaid(paid)) return payment;
  deps.log.warn('invoice_payment_unwanted', { payment_id: payment.id, invoice_id: invoice.id, org_id: invoice.org_id });
  const reason = paid.status === 'paid' ? 'duplicate_charge' : 'after_cancel';
  return deps.payments.change(payment, (p) => noteUnwanted(p, reason, deps.clock.now()));
}

/** Only the try that is on its way can fail, and once: which one the payment was on its way for stands on it. */
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
      afterFailure(current, subscription, { final: isHard(payment), policy, declined: wasDeclinedBefore(payment) }, deps.clock.now()),
    );
    current = undefined;
    return done || undefined;
  }, 'Others are changing this invoice right now.');
}

/** What would be tried with is not accepted any more, as somebody has found out beside the tries. Answers whether that was written. */
export const endTries = (invoice: Invoice, subscription: Subscription, { billing, clock }: Pick<Deps, 'billing' | 'clock'>): Promise<boolean> =>
  billing.commit(afterFailure(invoice, subscription, { final: true, policy: USUAL_RETRIES, declined: true }, clock.now()));

type Failed = FailedTry & { readonly declined: boolean };

/** What the subscription learns of it is in the same write; one that is closed is owed nothing more. */
function afterFailure(invoice: Invoice, subscription: Subscription | undefined, failed: Failed, at: Date): Billing {
  const after = invoiceAfterFailure(invoice, subscription, failed, at);
  const step: Billing = { invoice: { before: invoice, after } };
  if (subscription === undefined || subscription.status === 'canceled') return step;
  const exhausted = invoice.status === 'open' && after.status === 'failed';
  const learned = warned(subscription, { exhausted, declined: failed.declined }, at);
  return learned === subscription ? step : { ...step, subscription: { before: subscription, after: learned } };
}

/** Canceled where that was asked for, or where a subscription that is closed owes nothing more; else the policy plans the next try. */
function invoiceAfterFailure(invoice: Invoice, subscription: Subscription | undefined, failed: Failed, at: Date): Invoice {
  const isOwed = invoice.status !== 'open' || (subscription !== undefined && !isClosed(subscription));
  if (isOwed && invoice.ending === undefined) return failTry(invoice, failed, at);
  const canceled = cancelInvoice(invoice, at);
  if (!canceled) return failTry(invoice, failed, at);
  return invoice.ending === undefined ? canceled : noteAct(canceled, invoice.ending);
}

/** The last failure pauses it; any decline makes it wary of the next period's first charge. */
function warned(subscription: Subscription, { exhausted, declined }: { readonly exhausted: boolean; readonly declined: boolean }, at: Date): Subscription {
  const wary = declined ? beWary(subscription, at) : subscription;
  return (exhausted ? pauseSubscription(wary, at) : undefined) ?? wary;
}

/** The plan's, else the organization's, else the usual one; as it is when the try fails. */
async function policyFor({ org_id, plan_id }: Invoice, { retryPolicies }: Needs): Promise<FailedTry['policy']> {
  return (await retryPolicies.get(org_id, plan_id)) ?? (await retryPolicies.get(org_id, '')) ?? USUAL_RETRIES;
}
