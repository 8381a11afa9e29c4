import { amountText, type I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import type { LinkSummary } from '#functions/hosted-pages/views/link-view.model.ts';
import { sentenceWithTime } from '#functions/hosted-pages/views/local-time.page.ts';
import { logo } from '#functions/hosted-pages/views/seller.page.ts';
import { type Html, type HtmlValue, html } from '#shared/http/html.ts';

/** Amounts with more characters are set smaller, to fit a small phone. */
const LONG_AMOUNT = 13;

/** The amount and its payee. It is the headline of the form; on other pages the payment's status is. */
export const amountHeader = (link: LinkSummary, i18n: I18n, on: 'form' | 'status'): Html =>
  html`<header class="amount-header">
${link.mode === 'sandbox' && testModeBadge(i18n)}
${logo(link)}
${on === 'form' ? html`<h1 class="payee">${payee(link, i18n)}</h1>` : html`<p class="payee">${payee(link, i18n)}</p>`}
${amountLine(link, i18n)}
${link.description !== null && html`<p class="description" dir="auto">${link.description}</p>`}
${on === 'form' && payableUntilLine(link, i18n)}
</header>`;

const testModeBadge = ({ messages }: I18n): Html =>
  html`<p class="test-mode"><strong>${messages.testMode}</strong> · ${messages.testModeNotice}</p>`;

/** Several currencies share a sign, so the currency code is shown too. */
function amountLine(link: LinkSummary, i18n: I18n): Html {
  const amount = amountText(link, i18n);
  const code = !amount.includes(link.currency) && html` <span>${link.currency}</span>`;
  return html`<p class="${amount.length > LONG_AMOUNT ? 'amount long' : 'amount'}">${amount}${code}</p>`;
}

const payableUntilLine = ({ expires_at }: LinkSummary, i18n: I18n): HtmlValue =>
  expires_at !== null &&
  html`<p class="muted small">${sentenceWithTime(i18n.messages.payableUntil, expires_at, i18n)}</p>`;

/** Isolates the name, so that right-to-left text does not reorder what is next to it. */
const payee = ({ merchant }: LinkSummary, { messages }: I18n): Html =>
  merchant.trim() === '' ? html`${messages.payment}` : html`${messages.paymentTo} <bdi>${merchant}</bdi>`;
