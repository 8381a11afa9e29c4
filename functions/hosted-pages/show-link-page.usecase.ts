import { type LinkRequest, loadLink, startPage } from '#functions/hosted-pages/link-page.ts';
import { sessionPayment } from '#functions/hosted-pages/link-session.ts';
import { paymentPage } from '#functions/hosted-pages/payment-page.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import type { ChargeDeps } from '#shared/services/payments/charge-payment.service.ts';

/** A payment link's page: the form, or the payment that the visitor has started. */
export async function showLinkPage(
  request: RawRequest,
  deps: ChargeDeps & Pick<Deps, 'organizations' | 'paymentLinks'>,
): Promise<RawResponse> {
  const linkRequest = await loadLink(request, deps);
  const payment = await visitorPayment(linkRequest, deps);
  return payment ? paymentPage(linkRequest, payment, deps) : startPage(linkRequest, null, deps);
}

/** A URL that names a payment shows that payment. The bare link shows the visitor's open payment, if there is one. */
async function visitorPayment(
  { request, link }: LinkRequest,
  { payments, config }: Pick<Deps, 'payments' | 'config'>,
): Promise<Payment | undefined> {
  const session = sessionPayment(request, config);
  const payment = session && (await payments.byId(session.id));
  if (payment?.payment_link_id !== link.id) return undefined;
  const isOpen = payment.status === 'requires_action' || payment.status === 'processing';
  return session?.from === 'url' || isOpen ? payment : undefined;
}
