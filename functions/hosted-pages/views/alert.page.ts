import { failureInWords } from '#functions/hosted-pages/views/failure-texts.page.ts';
import type { Say } from '#functions/hosted-pages/views/i18n.page.ts';
import type { Notice } from '#functions/hosted-pages/views/link-view.model.ts';
import { type Html, html } from '#shared/http/html.ts';

type Fault = { readonly field: string; readonly text: string };

/** Read out first, with the keyboard focus: no script could move it later. */
const alarm = (content: Html): Html => html`<div class="told bad" role="alert" tabindex="-1" autofocus>
${content}
</div>`;

/** What is wrong with what was entered; each line leads to its field. */
export const faultsTold = (faults: readonly Fault[], { words }: Say): Html | false =>
  faults.length > 0 &&
  alarm(html`<h2>${words.faults.heading}</h2>
<ul>${faults.map(({ field, text }) => html`<li><a href="#${field}">${text}</a></li>`)}</ul>`);

/** The outcome of the previous try. */
export function noticeTold(notice: Notice | null, { words }: Say): Html | false {
  switch (notice?.kind) {
    case undefined:
      return false;
    case 'declined':
      return alarm(html`<h2>${words.notices.declined}</h2>
<p>${failureInWords(notice.failure.code, words)}</p>`);
    case 'stale':
      return alarm(html`<p>${words.notices.stale}</p>`);
    case 'canceled':
      return html`<div class="told" role="status"><p>${words.notices.canceled}</p></div>`;
  }
}
