import { openVisit, startPage, type Visit } from '#functions/hosted-pages/link-page.ts';
import { shownPayment } from '#functions/hosted-pages/link-session.ts';
import { paymentPage } from '#functions/hosted-pages/payment-page.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A payment link's page: the form, or the payment that the visitor has begun. */
export async function showLinkPage(request: RawRequest, deps: Deps): Promise<RawReply> {
  const visit = await openVisit(request, deps);
  const payment = await begunPayment(visit, deps);
  return payment ? paymentPage(visit, payment, deps) : startPage(visit, null, deps);
}

/** A URL with a payment shows that payment; the bare link shows the visitor's open payment, if any. */
async function begunPayment({ request, link }: Visit, deps: Deps): Promise<Payment | undefined> {
  const shown = shownPayment(request, deps.config);
  const payment = shown && (await deps.payments.byId(shown.id));
  if (payment?.payment_link_id !== link.id) return undefined;
  return shown?.from === 'address' || payment.status === 'requires_action' || payment.status === 'processing'
    ? payment
    : undefined;
}
