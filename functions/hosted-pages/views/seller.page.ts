import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import type { LinkSummary, LinkView, Seller } from '#functions/hosted-pages/views/link-view.model.ts';
import { safeUrl } from '#functions/hosted-pages/views/safe-url.page.ts';
import { type Html, type HtmlValue, html } from '#shared/http/html.ts';

/**
 * The seller's logo. The name stands beside it, so that it needs no text of its own. The URL of the page is a secret of
 * the customer, so the logo's server does not get it as a referrer.
 */
export const logo = ({ seller }: LinkSummary): HtmlValue =>
  seller?.logo_url &&
  html`<p><img class="logo" src="${safeUrl(seller.logo_url)}" alt="" height="48" referrerpolicy="no-referrer"></p>`;

/** The server that the logo is loaded from. */
export const logoSource = ({ seller }: LinkSummary): { readonly imageSource?: string } =>
  seller?.logo_url ? { imageSource: new URL(seller.logo_url).origin } : {};

/** Pages that end the visit have a button to the shop. The others have a link in their footer. */
const ENDS: ReadonlySet<LinkView['kind']> = new Set(['succeeded', 'failed', 'review', 'canceled', 'unfinished']);

/** Who is paid, whom to ask, and the way back. Nothing of it where the organization tells nothing. */
export function sellerFooter({ kind, link: { seller, merchant } }: LinkView, i18n: I18n): HtmlValue {
  if (!seller) return false;
  const { messages } = i18n;
  const lines = [
    seller.legal_name !== null &&
      seller.legal_name !== merchant &&
      html`<p>${messages.seller.name}: <bdi>${seller.legal_name}</bdi></p>\n`,
    contactLine(seller, i18n),
    seller.website_url !== null &&
      !ENDS.has(kind) &&
      html`<p><a class="link" rel="noreferrer" href="${safeUrl(seller.website_url)}">${messages.seller.back}</a></p>\n`,
  ].filter((line) => line !== false);
  return lines.length > 0 && html`<footer class="seller muted small">\n${lines}</footer>`;
}

function contactLine({ support_email, support_phone }: Seller, { messages }: I18n): Html | false {
  const ways = [
    ...(support_email === null ? [] : [html`<a href="mailto:${support_email}">${support_email}</a>`]),
    ...(support_phone === null ? [] : [html`<a href="tel:${dialable(support_phone)}">${support_phone}</a>`]),
  ];
  return ways.length > 0 && html`<p>${messages.seller.questions}</p>\n${ways.map((way) => html`<p>${way}</p>\n`)}`;
}

const dialable = (phone: string): string => phone.replaceAll(/[^\d+]/g, '');
