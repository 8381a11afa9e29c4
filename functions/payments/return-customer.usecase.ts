import { returnToken } from '#functions/payments/charge-order.ts';
import { askNow } from '#functions/payments/reconcile-payment.usecase.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { sameText } from '#shared/kernel/same-text.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The customer comes back from the PSP's page: the payment is settled, and they are sent on to where the merchant wants them. */
export async function returnCustomer({ params, query }: RawRequest, deps: Deps): Promise<RawReply> {
  const id = params.payment_id ?? '';
  const payment = sameText(query.t ?? '', returnToken(id, deps.config)) ? await deps.payments.byId(id) : undefined;
  if (!payment) throw new AppError('not_found', 'There is no such payment.');
  const settled = payment.status === 'requires_action' || payment.status === 'processing' ? await askNow(payment, deps) : payment;
  if (settled.return_url === null)
    return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Thank you. You may close this page.' };
  return { status: 303, headers: { location: destination(settled, settled.return_url) } };
}

function destination(payment: Payment, returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_id', payment.id);
  url.searchParams.set('status', payment.status);
  return url.href;
}
