import { markCanceled, markCanceling, unmarkCanceling } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { invoiceOutcome } from '#shared/domain/billing/invoice-payment.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { addMarker, hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import { currentAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { CancelDeps } from '#shared/services/payments/cancel-payment.service.ts';
import { cancelPayment } from '#shared/services/payments/cancel-payment.service.ts';

export type CancelInvoiceDeps = CancelDeps & Pick<Deps, 'invoices'>;

/** Whether the invoice itself was to be canceled, or everything that its canceled subscription still owes. */
type CancelReason = 'requested' | 'subscription_canceled';

/**
 * Ends the collection of an open or failed invoice. A running payment is canceled first; if that fails, the invoice
 * stays as it is.
 */
export const cancelInvoice = (
  { id }: { readonly id: string },
  caller: Caller,
  deps: CancelInvoiceDeps,
): Promise<Invoice> => cancel(id, 'requested', caller, deps);

/**
 * Cancels an open invoice even if its payment can't be canceled because it waits for the customer or may not have been
 * sent yet: money that still arrives is refunded. A charge that may have been made is left to the PSP's outcome.
 */
export const cancelOpenInvoice = (id: string, caller: Caller, deps: CancelInvoiceDeps): Promise<Invoice> =>
  cancel(id, 'subscription_canceled', caller, deps);

function cancel(id: string, reason: CancelReason, caller: Caller, deps: CancelInvoiceDeps): Promise<Invoice> {
  const by = operationId(caller.operation, 'request');
  return retryOnConflict(async () => {
    const invoice = orNotFound(await deps.invoices.get(caller.orgId, id), 'There is no such invoice.');
    if (hasMarker(invoice, by)) return invoice;
    if (reason === 'subscription_canceled' && invoice.status !== 'open') return invoice;
    assertCancelable(invoice);
    await cancelRunningPayment(invoice, by, reason, caller, deps);
    return writeCancel(invoice, by, deps);
  }, 'This invoice is being changed by other requests. Try again.');
}

function assertCancelable({ status }: Invoice): void {
  if (status === 'paid') throw isPaid();
  if (status === 'canceled') throw new AppError('invoice_not_cancelable', 'This invoice is already canceled.');
}

const isPaid = (): AppError =>
  new AppError('invoice_not_cancelable', 'This invoice is paid. Refund its payment instead.');

/**
 * The cancel is stored on the invoice first. Otherwise the relay, which may see the payment end earlier, would count a
 * failed attempt.
 */
async function cancelRunningPayment(
  invoice: Invoice,
  by: string,
  reason: CancelReason,
  caller: Caller,
  deps: CancelInvoiceDeps,
): Promise<void> {
  const payment = await deps.payments.byId(invoice.payment_id ?? '');
  // The customer has just paid, and the relay has yet to mark the invoice.
  if (payment && invoiceOutcome(payment) === 'paid') throw isPaid();
  if (payment?.status !== 'processing' && payment?.status !== 'requires_action') return;
  const canceling = await deps.invoices.change(invoice, (i) =>
    i.attempts === invoice.attempts && i.trying ? markCanceling(i, by) : undefined,
  );
  try {
    await cancelPayment({ id: payment.id }, caller, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (reason === 'subscription_canceled' && mayBeUnsent(payment))
      return deps.log.info('payment_left_to_itself', { payment_id: payment.id, code: error.code });
    const current = await deps.invoices.change(canceling, (i) => unmarkCanceling(i, by));
    // The attempt has ended meanwhile: the invoice was canceled with it, or there is no payment left to cancel.
    if (!hasMarker(current, by) && !hasEnded(await deps.payments.byId(payment.id))) throw error;
  }
}

const hasEnded = (payment: Payment | undefined): boolean =>
  payment?.status === 'failed' || payment?.status === 'canceled';

/** Nobody knows whether the attempt was sent: its process died, or is still running. */
const mayBeUnsent = (payment: Payment): boolean =>
  payment.status === 'requires_action' || currentAttempt(payment)?.phase === 'calling';

/** `undefined` if another attempt has started since the payment was read. */
async function writeCancel(
  seen: Invoice,
  by: string,
  deps: Pick<Deps, 'invoices' | 'clock'>,
): Promise<Invoice | undefined> {
  const after = await deps.invoices.change(seen, (i) => {
    if (i.attempts !== seen.attempts || hasMarker(i, by)) return undefined;
    assertCancelable(i);
    const end = markCanceled(i, deps.clock.now());
    return end && addMarker(end, by);
  });
  return hasMarker(after, by) ? after : undefined;
}

/**
 * For a canceled subscription. An invoice whose payment has no outcome yet stays open: the outcome makes it paid or
 * canceled.
 */
export async function cancelOpenInvoices(
  subscription: Subscription,
  caller: Caller,
  deps: CancelInvoiceDeps,
): Promise<void> {
  for await (const id of openInvoiceIds(subscription, deps)) {
    try {
      await cancelOpenInvoice(id, caller, deps);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      deps.log.info('open_invoice_left', { invoice_id: id, org_id: subscription.org_id, code: error.code });
    }
  }
}

const PAGE_SIZE = 200;

type Needs = Pick<Deps, 'invoices'>;
type SubscriptionRef = Pick<Subscription, 'id' | 'org_id' | 'last_invoice_id'>;

/** Page by page. The newest invoice comes first whatever its status, because list indexes lag behind. */
async function* openInvoiceIds(
  { id, org_id, last_invoice_id }: SubscriptionRef,
  { invoices }: Needs,
): AsyncGenerator<string> {
  if (last_invoice_id !== undefined) yield last_invoice_id;
  let cursor: string | undefined;
  do {
    const { items, next } = await invoices.list(org_id, {
      subscription_id: id,
      status: 'open',
      limit: PAGE_SIZE,
      offset: 0,
      ...(cursor !== undefined && { cursor }),
    });
    for (const invoice of items) if (invoice.id !== last_invoice_id) yield invoice.id;
    cursor = next;
  } while (cursor !== undefined);
}

/** Reads each invoice, because a lagging index may still list closed ones. */
export async function hasOpenInvoice(subscription: SubscriptionRef, deps: Needs): Promise<boolean> {
  for await (const id of openInvoiceIds(subscription, deps))
    if ((await deps.invoices.byId(id))?.status === 'open') return true;
  return false;
}
