import { type LinkRequest, loadLink, startPage } from '#functions/hosted-pages/link-page.ts';
import { sessionPayment } from '#functions/hosted-pages/link-session.ts';
import { paymentPage } from '#functions/hosted-pages/payment-page.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import type { ChargeDeps } from '#shared/services/payments/charge-payment.service.ts';

/** A payment link's page: the form, or the payment that the visitor has started. */
export async function showLinkPage(
  request: RawRequest,
  deps: ChargeDeps & Pick<Deps, 'organizations' | 'paymentLinks'>,
): Promise<RawResponse> {
  const location = correctedUrl(request, deps.config);
  if (location !== undefined) return { status: 303, headers: { location } };
  const linkRequest = await loadLink(request, deps);
  const payment = await visitorPayment(linkRequest, deps);
  return payment ? paymentPage(linkRequest, payment, deps) : startPage(linkRequest, null, deps);
}

/**
 * Any other path below `/pay/`. Mail programs and people add a slash to a URL, which makes another path: they are led
 * to the page that they mean. Everybody else gets a page too, as a browser shows whatever it gets.
 */
export async function redirectToPage(
  { params, query }: RawRequest,
  { config }: Pick<Deps, 'config'>,
): Promise<RawResponse> {
  const [, path] = /^((?:return\/)?[A-Za-z0-9_]+)\/+$/.exec(params.path ?? '') ?? [];
  if (path === undefined) throw new AppError('not_found', 'There is no such page.');
  return { status: 303, headers: { location: `${config.apiUrl}/pay/${path}${searchOf(query)}` } };
}

const LINK_ID = /plink_[0-9a-z]{26}(?![0-9a-z])/i;

/**
 * Chats and mails take the dot or bracket after a URL for a part of it, and some QR codes have capitals only. The page
 * is at the URL of the link itself: its cookies belong there.
 */
function correctedUrl({ params, query }: RawRequest, { apiUrl }: Pick<Deps['config'], 'apiUrl'>): string | undefined {
  const { id = '' } = params;
  const corrected = LINK_ID.exec(id)?.[0].toLowerCase();
  if (corrected === undefined || corrected === id) return undefined;
  return `${apiUrl}/pay/${corrected}${searchOf(query)}`;
}

function searchOf(query: RawRequest['query']): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const search = new URLSearchParams(given).toString();
  return search && `?${search}`;
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
