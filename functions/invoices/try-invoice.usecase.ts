import { beginOrStop, Lost } from '#functions/invoices/begin-or-stop.ts';
import { accountOf, newPayment, type PlannedPayment, samePayment, tryOperation } from '#functions/invoices/invoice-payment.ts';
import { settleInvoice } from '#functions/invoices/settle-invoice.usecase.ts';
import { chargePayment } from '#functions/payments/charge-payment.usecase.ts';
import { refuseUnknown } from '#functions/payments/refuse-unknown.ts';
import { currentAttempt, isUnknown } from '#shared/domain/attempts.rules.ts';
import { isHard } from '#shared/domain/dunning.rules.ts';
import { beginTry } from '#shared/domain/invoice.machine.ts';
import type { Invoice } from '#shared/domain/invoice.model.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Billing } from '#shared/ports/invoices.port.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

/** What a try needs, as it was read. */
export type TryFor = { readonly invoice: Invoice; readonly subscription: Subscription; readonly payment: Payment; readonly setup: Setup };

/** `refused`: the means of payment was declined too often, and who asked for the try may ask again then. `lost`: somebody else has changed what was read. */
export type Tried = { readonly how: 'tried' | 'lost' } | { readonly how: 'refused'; readonly until: Date };

/**
 * Tries to get an invoice paid once more, with the payment it has, or with another where that can't be retried. Written before
 * a provider hears of it, on invoice, subscription and payment as they were read: of two at once one tries.
 */
export async function tryInvoice(read: TryFor, by: string | undefined, deps: Deps): Promise<Tried> {
  const { invoice, subscription, payment, setup } = read;
  const at = deps.clock.now();
  const operation = tryOperation(invoice, invoice.attempts + 1, at);
  const isAgain = isTriedAgain(payment, subscription);
  const planned = await (isAgain
    ? samePayment(payment, invoice, subscription, setup, operation, deps)
    : newPayment(invoice, subscription, setup, operation, deps));
  const begun = await begin(read, planned, isAgain, by, at, deps);
  if ('how' in begun) return begun;
  await settleInvoice(await chargePayment(begun, operation, false, setup, deps), deps);
  return { how: 'tried' };
}

/** Whether it is the same payment that is tried: any other is a new one, also for the plan. */
export function isTriedAgain(payment: Payment, { method, sealed_method }: Subscription): boolean {
  // It keeps its own method where the subscription's is of another type.
  const isHopeless = isHard(payment) && sealed_method !== null && method !== payment.method;
  return payment.status === 'failed' && payment.failure?.retryable === true && !isHopeless;
}

/** Whether it has been given another payment method since the last try. */
export const hasOtherMethod = ({ method_version, sealed_method }: Subscription, last: Pick<Invoice, 'method_version'>): boolean =>
  method_version !== last.method_version && sealed_method !== null;

/** A try of the schedule that the budget of the means of payment has no room for is used up all the same, so that dunning ends. */
async function begin(read: TryFor, planned: PlannedPayment, isAgain: boolean, by: string | undefined, at: Date, deps: Deps): Promise<Payment | Tried> {
  const { invoice, subscription, payment: before } = read;
  const tried = { payment_id: planned.payment.id, method_version: subscription.method_version, ...(by !== undefined && { by }) };
  const commit = async (payment: Payment, sent: Attempt | undefined): Promise<Payment> => {
    const done = await deps.billing.commit({
      subscription: pinning(subscription, payment, sent),
      invoice: { before: invoice, after: beginTry(invoice, tried, at) },
      payment: isAgain ? { before, after: payment } : { after: payment },
    });
    if (!done) throw new Lost();
    return isAgain ? { ...payment, version: before.version + 1 } : payment;
  };
  let until: Date | undefined;
  const refuse = async (time: Date): Promise<Payment> => {
    until = time;
    return before;
  };
  try {
    const begun = await beginOrStop(planned, commit, by === undefined ? undefined : refuse, deps);
    return until === undefined ? begun : { how: 'refused', until };
  } catch (error) {
    if (error instanceof Lost) return { how: 'lost' };
    throw error;
  }
}

/** A bare token stays where it goes first, also where that is a later try. */
function pinning(subscription: Subscription, { method }: Payment, sent: Attempt | undefined): Billing['subscription'] {
  const isOwn = subscription.sealed_method !== null && subscription.method === method;
  if (!isOwn || sent === undefined || subscription.token_of !== undefined) return { unchanged: subscription };
  return { before: subscription, after: { ...subscription, token_of: accountOf(sent) } };
}

/** With its payment in review the customer's money may be here already: a person looks at that first. */
export function mayBeTried(payment: Payment): boolean {
  const attempt = currentAttempt(payment);
  return (payment.status === 'failed' || payment.status === 'canceled') && !payment.review && !(attempt && isUnknown(attempt));
}

/** Says why no try can be made now, where none can. */
export function refuseTry(payment: Payment): void {
  refuseUnknown(payment);
  if (mayBeTried(payment)) return;
  throw new AppError('invoice_not_retryable', `The payment of this invoice ${whyNot(payment)}.`);
}

function whyNot({ status, review }: Payment): string {
  if (review) return 'is in review: cancel the payment to end that';
  return status === 'requires_action' ? 'waits for the customer (see its next_action)' : 'is on its way';
}
