import { amountHeader } from '#functions/hosted-pages/views/amount-header.page.ts';
import type { PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { failureMessage } from '#functions/hosted-pages/views/failure-messages.page.ts';
import { hiddenInput } from '#functions/hosted-pages/views/fields.page.ts';
import { amountText, type I18n, pageTitle } from '#functions/hosted-pages/views/i18n.page.ts';
import type { Icon } from '#functions/hosted-pages/views/icons.page.ts';
import type {
  AfterFailure,
  ClosedReason,
  LinkSummary,
  LinkView,
} from '#functions/hosted-pages/views/link-view.model.ts';
import { sentenceWithTime, timeText } from '#functions/hosted-pages/views/local-time.page.ts';
import { safeUrl } from '#functions/hosted-pages/views/safe-url.page.ts';
import { autoRefresh, refreshLinks, statusPanel, type Tone } from '#functions/hosted-pages/views/status-panel.page.ts';
import { formatAmount } from '#shared/domain/reference/format.rules.ts';
import { type Html, type HtmlValue, html } from '#shared/http/html.ts';

type ViewOf<K extends LinkView['kind']> = Extract<LinkView, { kind: K }>;

const CLOSED_ICONS: Readonly<Record<ClosedReason, readonly [Icon, Tone]>> = {
  paid: ['done', 'good'],
  completed: ['note', 'note'],
  expired: ['clock', 'note'],
  inactive: ['note', 'note'],
  busy: ['clock', 'plain'],
  unavailable: ['note', 'note'],
};

/** A page that only informs. */
const statusPage = (view: string, heading: string, link: LinkSummary, content: HtmlValue, i18n: I18n): PageContent => ({
  view,
  title: pageTitle(heading, link, i18n),
  content: html`${amountHeader(link, i18n, 'status')}\n${content}`,
});

export function closedPage({ link, reason }: ViewOf<'closed'>, i18n: I18n): PageContent {
  const { messages } = i18n;
  const { heading, text } = messages.closed[reason];
  const expired =
    reason === 'expired' && link.expires_at !== null && sentenceWithTime(messages.expiredOn, link.expires_at, i18n);
  const retry = reason === 'busy' && html`\n<p><a class="button" href="">${messages.tryAgain}</a></p>`;
  const panel = statusPanel(...CLOSED_ICONS[reason], heading, expired, text);
  return statusPage(`closed-${reason}`, heading, link, [panel, retry], i18n);
}

export function processingPage({ link, refresh }: ViewOf<'processing'>, i18n: I18n): PageContent {
  const { heading, text } = i18n.messages.processing;
  const content = [statusPanel('spinner', 'plain', heading, text), '\n', refreshLinks(refresh, i18n)];
  return { ...statusPage('processing', heading, link, content, i18n), ...autoRefresh(refresh) };
}

type Fact = readonly [label: string, value: HtmlValue];

const factsList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;

/** It is also the customer's receipt. */
export function succeededPage(view: ViewOf<'succeeded'>, i18n: I18n): PageContent {
  const { link, payment_id, paid_at, refunded } = view;
  const { succeeded, refunded: refund } = i18n.messages;
  const { heading, text, amount, date, reference } = succeeded;
  const receipt = factsList([
    [amount, amountText(link, i18n)],
    ...(refunded ? [[refund.amount, formatAmount(refunded, link.currency, i18n.language)] as const] : []),
    [date, timeText(paid_at, i18n)],
    [reference, payment_id],
  ]);
  const content = [statusPanel('done', 'good', heading, text), '\n', receipt, '\n', backToShop(link, i18n)];
  return statusPage('succeeded', heading, link, content, i18n);
}

export function refundedPage({ link, payment_id }: ViewOf<'refunded'>, i18n: I18n): PageContent {
  const { refunded, succeeded } = i18n.messages;
  const facts = factsList([
    [refunded.amount, amountText(link, i18n)],
    [succeeded.reference, payment_id],
  ]);
  const content = [statusPanel('back', 'note', refunded.heading, refunded.text), '\n', facts];
  return statusPage('refunded', refunded.heading, link, content, i18n);
}

export function overpaidPage({ link }: ViewOf<'overpaid'>, i18n: I18n): PageContent {
  const { heading, text } = i18n.messages.overpaid;
  return statusPage('overpaid', heading, link, statusPanel('back', 'note', heading, text), i18n);
}

/** A page that says what happened, and that the shop or the seller knows more. */
export function noticePage({ kind, link }: ViewOf<'review' | 'canceled' | 'unfinished'>, i18n: I18n): PageContent {
  const { heading, text } = i18n.messages[kind];
  const content = [statusPanel('note', 'note', heading, text), '\n', backToShop(link, i18n)];
  return statusPage(kind, heading, link, content, i18n);
}

export function failedPage({ link, failure, method, next }: ViewOf<'failed'>, i18n: I18n): PageContent {
  const { messages } = i18n;
  const reason = failure && failureMessage(failure.code, messages, method);
  const panel = statusPanel('failed', 'bad', messages.failed.heading, reason, nextStepText(next, i18n));
  const retry = next?.kind === 'again' && [tryAgainForm(next.csrf, i18n), '\n'];
  return statusPage('failed', messages.failed.heading, link, [panel, '\n', retry, backToShop(link, i18n)], i18n);
}

const nextStepText = (next: AfterFailure | undefined, { messages }: I18n): string =>
  next ? messages.afterFailure[next.kind] : messages.failed.text;

const tryAgainForm = (csrf: string, { messages }: I18n): Html => html`<form method="post">
${hiddenInput('csrf', csrf)}
<button class="button" name="do" value="retry">${messages.tryAgain}</button>
</form>`;

function backToShop({ seller }: LinkSummary, { messages }: I18n): HtmlValue {
  if (!seller?.website_url) return false;
  const href = safeUrl(seller.website_url);
  return html`<p><a class="button secondary" rel="noreferrer" href="${href}">${messages.seller.back}</a></p>`;
}
