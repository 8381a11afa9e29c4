import { amountHeader } from '#functions/hosted-pages/views/amount-header.page.ts';
import { collectForm } from '#functions/hosted-pages/views/collect.page.ts';
import { displayContent } from '#functions/hosted-pages/views/display.page.ts';
import type { PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { cancelForm } from '#functions/hosted-pages/views/fields.page.ts';
import { amountText, type I18n, pageTitle } from '#functions/hosted-pages/views/i18n.page.ts';
import type { LinkView } from '#functions/hosted-pages/views/link-view.model.ts';
import { type ActionContent, redirectContent } from '#functions/hosted-pages/views/redirect.page.ts';
import { autoRefresh, refreshLinks, statusPanel } from '#functions/hosted-pages/views/status-panel.page.ts';
import { html } from '#shared/http/html.ts';

type ActionView = Extract<LinkView, { kind: 'action' }>;

/** What the customer has to do next. */
export function actionPage(view: ActionView, i18n: I18n): PageContent {
  const { heading, content, ...behaviour } = contentFor(view, i18n);
  const title = pageTitle(heading, view.link, i18n);
  return {
    ...behaviour,
    view: 'action',
    title: view.refused && view.action.type === 'collect' ? `${i18n.messages.errorPrefix}: ${title}` : title,
    content: html`${amountHeader(view.link, i18n, 'status')}
${content}
${view.csrf !== null && cancelForm(view.csrf, i18n)}`,
  };
}

function contentFor({ action, link, csrf, refused, resumed, refresh }: ActionView, i18n: I18n): ActionContent {
  const { collect, display, approve, unsupported } = i18n.messages;
  switch (action.type) {
    case 'redirect':
      return redirectContent(action, resumed === true, i18n);
    case 'collect':
      return csrf === null
        ? unfinished(i18n)
        : { heading: collect[action.field].heading, content: collectForm(action.field, csrf, refused, i18n) };
    case 'display':
      return { heading: display.heading, content: displayContent(action, amountText(link, i18n), i18n) };
    case 'await': {
      const panel = statusPanel('phone', 'plain', approve.heading, approve.text);
      return { heading: approve.heading, content: [panel, refreshLinks(refresh, i18n)], ...autoRefresh(refresh) };
    }
    case 'sdk':
      if (csrf === null) return unfinished(i18n);
      return {
        heading: unsupported.heading,
        content: statusPanel('note', 'note', unsupported.heading, unsupported.text),
      };
  }
}

/** Without a link the shop's own page has to ask. */
const unfinished = ({ messages }: I18n): ActionContent => {
  const { heading, text } = messages.unfinished;
  return { heading, content: statusPanel('note', 'note', heading, text) };
};
