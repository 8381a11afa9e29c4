import { intendCancel, markCanceled, withdrawCancel } from '#shared/domain/billing/invoice.machine.ts';
import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { hasDone, noteAct } from '#shared/domain/payments/acts.rules.ts';
import { currentAttempt } from '#shared/domain/payments/attempts.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { cancelPayment } from '#shared/services/payments/cancel-payment.service.ts';

/**
 * Stops all tries of an open or failed invoice. A payment on its way is canceled first; if that fails, the invoice
 * stays as it is.
 */
export const cancelInvoice = ({ id }: { readonly id: string }, caller: Caller, deps: Deps): Promise<Invoice> =>
  cancel(id, false, caller, deps);

/**
 * The same for an open invoice whose payment has not started at the PSP, or waits for the customer; money that still
 * arrives is refunded. A charge that may have been made is owed: the PSP's verdict decides.
 */
export const cancelForGood = (id: string, caller: Caller, deps: Deps): Promise<Invoice> =>
  cancel(id, true, caller, deps);

function cancel(id: string, forGood: boolean, caller: Caller, deps: Deps): Promise<Invoice> {
  const by = operationId(caller.operation, 'request');
  return inRounds(async () => {
    const invoice = need(await deps.invoices.get(caller.orgId, id), 'There is no such invoice.');
    if (hasDone(invoice, by)) return invoice;
    if (forGood && invoice.status !== 'open') return invoice;
    refuseFinal(invoice);
    await cancelItsPayment(invoice, by, forGood, caller, deps);
    return cancelAsSeen(invoice, by, deps);
  }, 'Others are changing this invoice right now. Please try again.');
}

function refuseFinal({ status }: Invoice): void {
  if (status === 'paid')
    throw new AppError('invoice_not_cancelable', 'This invoice is paid. Refund its payment instead.');
  if (status === 'canceled') throw new AppError('invoice_not_cancelable', 'This invoice is canceled already.');
}

/**
 * The intent is written first: otherwise the relay, which may see the payment end before the invoice is written, would
 * take that for a failed try.
 */
async function cancelItsPayment(
  invoice: Invoice,
  by: string,
  forGood: boolean,
  caller: Caller,
  deps: Deps,
): Promise<void> {
  const payment = await deps.payments.byId(invoice.payment_id ?? '');
  if (payment?.status !== 'processing' && payment?.status !== 'requires_action') return;
  const intended = await deps.invoices.change(invoice, (i) =>
    i.attempts === invoice.attempts && i.trying ? intendCancel(i, by) : undefined,
  );
  try {
    await cancelPayment({ id: payment.id }, caller, deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (forGood && mayStillBegin(payment))
      return deps.log.info('payment_left_to_itself', { payment_id: payment.id, code: error.code });
    const left = await deps.invoices.change(intended, (i) => withdrawCancel(i, by));
    // Its try has ended meanwhile: either the invoice was canceled with it, or nothing is left to cancel.
    if (!hasDone(left, by) && !hasEnded(await deps.payments.byId(payment.id))) throw error;
  }
}

const hasEnded = (payment: Payment | undefined): boolean =>
  payment?.status === 'failed' || payment?.status === 'canceled';

/** The attempt may have been sent or not: its process has died, or is still running. */
const mayStillBegin = (payment: Payment): boolean =>
  payment.status === 'requires_action' || currentAttempt(payment)?.phase === 'calling';

/** `undefined` where another try has begun since the payment was read. */
async function cancelAsSeen(seen: Invoice, by: string, deps: Deps): Promise<Invoice | undefined> {
  const after = await deps.invoices.change(seen, (i) => {
    if (i.attempts !== seen.attempts || hasDone(i, by)) return undefined;
    refuseFinal(i);
    const end = markCanceled(i, deps.clock.now());
    return end && noteAct(end, by);
  });
  return hasDone(after, by) ? after : undefined;
}
