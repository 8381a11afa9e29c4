import { momentInWords } from '#functions/hosted-pages/views/format.page.ts';
import { type Say, sumOf } from '#functions/hosted-pages/views/i18n.page.ts';
import type { LinkFacts } from '#functions/hosted-pages/views/link-view.model.ts';
import { type Html, html, type Shown } from '#shared/http/html.ts';

/** Sums with this many characters or more are set smaller, to fit a small phone. */
const LONG = 13;

/** The sum and its payee. It is the headline of the form; on other pages the payment's state is. */
export const due = (link: LinkFacts, say: Say, on: 'form' | 'state'): Html => html`<header class="due">
${link.mode === 'sandbox' && html`<p class="test"><strong>${say.words.testMode}</strong> · ${say.words.testModeMeans}</p>`}
${on === 'form' ? html`<h1 class="to">${whom(link, say)}</h1>` : html`<p class="to">${whom(link, say)}</p>`}
${sumLine(link, say)}
${link.description !== null && html`<p class="about" dir="auto">${link.description}</p>`}
${on === 'form' && untilLine(link, say)}
</header>`;

/** A currency sign may belong to several currencies, so the code stands beside it. */
function sumLine(link: LinkFacts, say: Say): Html {
  const sum = sumOf(link, say);
  return html`<p class="${sum.length > LONG ? 'sum long' : 'sum'}">${sum}${!sum.includes(link.currency) && html` <span>${link.currency}</span>`}</p>`;
}

const untilLine = ({ expires_at }: LinkFacts, { words, language }: Say): Shown =>
  expires_at !== null && html`<p class="muted small">${words.payableUntil(momentInWords(expires_at, language))}</p>`;

/** Isolates a name, so that right-to-left text does not reorder what is next to it. */
const whom = ({ merchant }: LinkFacts, { words }: Say): Html =>
  merchant.trim() === '' ? html`${words.payment}` : html`${words.paymentTo} <bdi>${merchant}</bdi>`;
