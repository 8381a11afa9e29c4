import { shouldAskOnRead } from '#shared/domain/payments/duties.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { askNow } from '#shared/services/payments/reconcile-payment.service.ts';

/** The payment. An unknown outcome is asked about first, so that readers need not wait for the timer. */
export async function getPayment({ id }: { readonly id: string }, caller: Caller, deps: Deps): Promise<Payment> {
  const payment = need(await deps.payments.get(caller.orgId, id), 'There is no such payment.');
  return shouldAskOnRead(payment, deps.clock.now()) ? askNow(payment, deps) : payment;
}
