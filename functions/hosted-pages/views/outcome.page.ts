import { amountHeader } from '#functions/hosted-pages/views/amount-header.page.ts';
import type { PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { failureMessage } from '#functions/hosted-pages/views/failure-messages.page.ts';
import { formatTime } from '#functions/hosted-pages/views/format.page.ts';
import { amountText, type I18n, pageTitle } from '#functions/hosted-pages/views/i18n.page.ts';
import type { Icon } from '#functions/hosted-pages/views/icons.page.ts';
import type { ClosedReason, LinkSummary, LinkView } from '#functions/hosted-pages/views/link-view.model.ts';
import { autoRefresh, refreshLinks, statusPanel, type Tone } from '#functions/hosted-pages/views/status-panel.page.ts';
import { type HtmlValue, html } from '#shared/http/html.ts';

type ViewOf<K extends LinkView['kind']> = Extract<LinkView, { kind: K }>;

const CLOSED_ICONS: Readonly<Record<ClosedReason, readonly [Icon, Tone]>> = {
  paid: ['done', 'good'],
  completed: ['note', 'note'],
  expired: ['clock', 'note'],
  inactive: ['note', 'note'],
  busy: ['clock', 'plain'],
};

/** A page that only informs. */
const statusPage = (view: string, heading: string, link: LinkSummary, content: HtmlValue, i18n: I18n): PageContent => ({
  view,
  title: pageTitle(heading, link, i18n),
  content: html`${amountHeader(link, i18n, 'status')}\n${content}`,
});

export function closedPage({ link, reason }: ViewOf<'closed'>, i18n: I18n): PageContent {
  const { messages, language } = i18n;
  const { heading, text } = messages.closed[reason];
  const expired =
    reason === 'expired' && link.expires_at !== null && messages.expiredOn(formatTime(link.expires_at, language));
  const retry = reason === 'busy' && html`\n<p><a class="button" href="">${messages.tryAgain}</a></p>`;
  const panel = statusPanel(...CLOSED_ICONS[reason], heading, expired, text);
  return statusPage(`closed-${reason}`, heading, link, [panel, retry], i18n);
}

export function processingPage({ link, refresh }: ViewOf<'processing'>, i18n: I18n): PageContent {
  const { heading, text } = i18n.messages.processing;
  const content = [statusPanel('spinner', 'plain', heading, text), '\n', refreshLinks(refresh, i18n)];
  return { ...statusPage('processing', heading, link, content, i18n), ...autoRefresh(refresh) };
}

/** It is also the customer's receipt. */
export function succeededPage({ link, payment_id, paid_at }: ViewOf<'succeeded'>, i18n: I18n): PageContent {
  const { heading, text, amount, date, reference } = i18n.messages.succeeded;
  const facts: readonly (readonly [string, string])[] = [
    [amount, amountText(link, i18n)],
    [date, formatTime(paid_at, i18n.language)],
    [reference, payment_id],
  ];
  const receipt = html`<dl class="facts">${facts.map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
  return statusPage('succeeded', heading, link, [statusPanel('done', 'good', heading, text), '\n', receipt], i18n);
}

export function overpaidPage({ link }: ViewOf<'overpaid'>, i18n: I18n): PageContent {
  const { heading, text } = i18n.messages.overpaid;
  return statusPage('overpaid', heading, link, statusPanel('back', 'note', heading, text), i18n);
}

export function failedPage({ link, failure }: ViewOf<'failed'>, i18n: I18n): PageContent {
  const { heading, text } = i18n.messages.failed;
  const reason = failure && failureMessage(failure.code, i18n.messages);
  return statusPage('failed', heading, link, statusPanel('failed', 'bad', heading, reason, text), i18n);
}
