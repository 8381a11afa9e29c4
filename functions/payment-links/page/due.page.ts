import { type Html, html, type Shown } from '#functions/payment-links/page/html.page.ts';
import { momentInWords } from '#functions/payment-links/page/in-words.page.ts';
import type { LinkFacts } from '#functions/payment-links/page/link-view.model.ts';
import { type Say, sumOf } from '#functions/payment-links/page/say.page.ts';

/** From here on a sum takes more than the width of a small phone, set as large as others. */
const LONG = 13;

/** What is paid, and to whom. On the form it is the headline; elsewhere how the payment stands is. */
export const due = (link: LinkFacts, say: Say, on: 'form' | 'state'): Html => html`<header class="due">
${link.mode === 'sandbox' && html`<p class="test"><strong>${say.words.testMode}</strong> · ${say.words.testModeMeans}</p>`}
${on === 'form' ? html`<h1 class="to">${whom(link, say)}</h1>` : html`<p class="to">${whom(link, say)}</p>`}
${sumLine(link, say)}
${link.description !== null && html`<p class="about" dir="auto">${link.description}</p>`}
${on === 'form' && untilLine(link, say)}
</header>`;

/** The sign of a currency may be that of several: its code stands beside it. */
function sumLine(link: LinkFacts, say: Say): Html {
  const sum = sumOf(link, say);
  return html`<p class="${sum.length > LONG ? 'sum long' : 'sum'}">${sum}${!sum.includes(link.currency) && html` <span>${link.currency}</span>`}</p>`;
}

const untilLine = ({ expires_at }: LinkFacts, { words, language }: Say): Shown =>
  expires_at !== null && html`<p class="muted small">${words.payableUntil(momentInWords(expires_at, language))}</p>`;

/** A name from elsewhere is set apart: one that is read from right to left does not turn what stands beside it. */
const whom = ({ merchant }: LinkFacts, { words }: Say): Html =>
  merchant.trim() === '' ? html`${words.payment}` : html`${words.paymentTo} <bdi>${merchant}</bdi>`;
