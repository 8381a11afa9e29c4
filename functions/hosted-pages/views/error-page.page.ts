import type { Sheet } from '#functions/hosted-pages/views/document.page.ts';
import { waitInWords } from '#functions/hosted-pages/views/format.page.ts';
import type { Say } from '#functions/hosted-pages/views/i18n.page.ts';
import type { TroublePage } from '#functions/hosted-pages/views/link-view.model.ts';
import { state } from '#functions/hosted-pages/views/status-panel.page.ts';
import { html } from '#shared/http/html.ts';

/** Where opening the same address once more may help. */
const AGAIN: ReadonlySet<TroublePage['status']> = new Set([403, 429, 500]);

export function troubleSheet({ status, retryAfter }: TroublePage, { words, language }: Say): Sheet {
  const { heading, text } = words.trouble[status];
  const when = retryAfter !== undefined && words.tryAgainWhen(waitInWords(retryAfter, language));
  const again = AGAIN.has(status) && html`\n<p><a class="button second" href="">${words.tryAgain}</a></p>`;
  return { view: 'trouble', title: heading, content: [state('note', 'note', heading, text, when), again] };
}

export function thanksSheet({ words }: Say): Sheet {
  const { heading, text } = words.thanks;
  return { view: 'thanks', title: heading, content: state('done', 'good', heading, text) };
}
