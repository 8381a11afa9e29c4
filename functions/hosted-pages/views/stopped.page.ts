import { amountHeader } from '#functions/hosted-pages/views/amount-header.page.ts';
import type { PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { cancelForm } from '#functions/hosted-pages/views/fields.page.ts';
import { type I18n, pageTitle } from '#functions/hosted-pages/views/i18n.page.ts';
import type { LinkView } from '#functions/hosted-pages/views/link-view.model.ts';
import { continueControl } from '#functions/hosted-pages/views/redirect.page.ts';
import { safeUrl } from '#functions/hosted-pages/views/safe-url.page.ts';
import { statusPanel } from '#functions/hosted-pages/views/status-panel.page.ts';
import { html } from '#shared/http/html.ts';

type StoppedView = Extract<LinkView, { kind: 'stopped' | 'unconfirmed' }>;

/**
 * The customer is back from the provider's page. It never redirects by itself: they would never get away from the
 * provider. The provider may still learn of a payment, so the customer is told to check before they pay again; first of
 * all if they seem to have paid.
 */
export function stoppedPage(view: StoppedView, i18n: I18n): PageContent {
  const { kind, link, action, csrf, checkUrl } = view;
  const { stopped, unconfirmed, display } = i18n.messages;
  const heading = i18n.messages[kind].heading;
  const text = csrf === null ? stopped.here : stopped.text;
  const { control, ...target } = continueControl(action, i18n);
  const other = csrf !== null && cancelForm(csrf, i18n);
  const check = (style: string) => html`<p><a class="${style}" href="${safeUrl(checkUrl)}">${display.checkNow}</a></p>`;
  const content =
    kind === 'unconfirmed'
      ? html`${statusPanel('clock', 'note', heading, unconfirmed.text)}\n${check('button')}\n${other}`
      : html`${statusPanel('note', 'note', heading, text)}
${control}
${other}
<div class="links">
<p class="muted small">${stopped.ifPaid}</p>
${check('button secondary')}
</div>`;
  return {
    ...target,
    view: kind,
    title: pageTitle(heading, link, i18n),
    content: html`${amountHeader(link, i18n, 'status')}\n${content}`,
  };
}
