import { refuseUnknown } from '#functions/payments/refuse-unknown.ts';
import { sendOwedRefunds } from '#functions/payments/send-refund.usecase.ts';
import { cancelHere, currentAttempt, settle } from '#shared/domain/attempt.machine.ts';
import { advance } from '#shared/domain/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payment.model.ts';
import { AppError, need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { PspRefused } from '#shared/ports/psp.port.ts';
import { hearAnswer } from '#shared/psp/verdicts.ts';

/** Ends a payment that has taken no money. Where a PSP holds it, the PSP decides; what it says is what the payment becomes. */
export async function cancelPayment({ id }: { readonly id: string }, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, id), `No payment ${id}.`);
  if (caller.operation.resumed && payment.status === 'canceled') return sendOwedRefunds(payment, deps.pspDeadline(), deps);
  refuseUnknown(payment);
  advance(payment, 'cancel', deps.clock.now());
  const attempt = currentAttempt(payment);
  const canceled = !attempt || payment.review ? await cancelWithoutPsp(payment, deps) : await cancelAtPsp(payment, attempt, deps);
  if (canceled.status === 'canceled') return sendOwedRefunds(canceled, deps.pspDeadline(), deps);
  refuseUnknown(canceled);
  throw new AppError('payment_not_cancelable', `The provider did not cancel the payment; it is ${canceled.status}.`);
}

const cancelWithoutPsp = (payment: Payment, deps: Deps): Promise<Payment> =>
  deps.payments.change(payment, (p) => {
    // A confirmation that came first wins: its attempt is the PSP's business.
    if (p.attempts.length > payment.attempts.length) throw new AppError('payment_not_cancelable', 'The payment was confirmed meanwhile.');
    return cancelHere(p, deps.clock.now());
  });

async function cancelAtPsp(payment: Payment, attempt: Attempt, deps: Deps): Promise<Payment> {
  const { verdict } = await hearAnswer(async () => {
    const connection = await deps.connections.get(payment.org_id, attempt.connection_id);
    if (!connection || attempt.psp_reference === null) throw new PspRefused('not_found', 'The charge is out of reach.');
    const session = await deps.psp.open(connection, deps.pspDeadline());
    const reference = attempt.psp_reference;
    return session.cancel(reference, payment.id, attempt.id).catch((error) => {
      if (error instanceof PspRefused && error.kind === 'state') return session.fetch(reference, payment.id);
      throw error;
    });
  }, deps.log);
  return deps.payments.change(payment, (p) => settle(p, attempt.id, verdict, deps.clock.now()));
}
