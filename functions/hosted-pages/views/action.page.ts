import { due } from '#functions/hosted-pages/views/amount-header.page.ts';
import { collectForm } from '#functions/hosted-pages/views/collect.page.ts';
import { displayContent } from '#functions/hosted-pages/views/display.page.ts';
import type { Sheet } from '#functions/hosted-pages/views/document.page.ts';
import { hidden } from '#functions/hosted-pages/views/fields.page.ts';
import { type Say, sumOf, titleOf } from '#functions/hosted-pages/views/i18n.page.ts';
import type { LinkView } from '#functions/hosted-pages/views/link-view.model.ts';
import { goingOn, type Step } from '#functions/hosted-pages/views/redirect.page.ts';
import { state } from '#functions/hosted-pages/views/status-panel.page.ts';
import { asksAgain, waitingLinks } from '#functions/hosted-pages/views/waiting.page.ts';
import { type Html, html } from '#shared/http/html.ts';

type ActionView = Extract<LinkView, { kind: 'action' }>;

/** What the customer has to do next. */
export function actionSheet(view: ActionView, say: Say): Sheet {
  const { heading, content, ...going } = stepOf(view, say);
  const title = titleOf(heading, view.link, say);
  return {
    ...going,
    view: 'action',
    title: view.refused && view.action.type === 'collect' ? `${say.words.problem}: ${title}` : title,
    content: html`${due(view.link, say, 'state')}
${content}
${anotherWay(view.csrf, say)}`,
  };
}

function stepOf({ action, link, csrf, refused, resumed, waiting }: ActionView, say: Say): Step {
  const { words } = say;
  switch (action.type) {
    case 'redirect':
      return goingOn(action, resumed === true, say);
    case 'collect':
      return { heading: words.collect[action.field].heading, content: collectForm(action.field, csrf, refused, say) };
    case 'display':
      return { heading: words.display.heading, content: displayContent(action, sumOf(link, say), say) };
    case 'await':
      return {
        heading: words.approve.heading,
        content: [approve(say), waitingLinks(waiting, say)],
        ...asksAgain(waiting),
      };
    case 'sdk':
      return { heading: words.unfit.heading, content: state('note', 'note', words.unfit.heading, words.unfit.text) };
  }
}

const approve = ({ words }: Say): Html => state('phone', 'plain', words.approve.heading, words.approve.text);

const anotherWay = (csrf: string, { words }: Say): Html => html`<form method="post">
${hidden('csrf', csrf)}
<button class="button second" name="do" value="cancel">${words.anotherWay}</button>
</form>`;
