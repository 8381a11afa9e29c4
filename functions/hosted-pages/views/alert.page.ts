import { failureMessage } from '#functions/hosted-pages/views/failure-messages.page.ts';
import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import type { Notice } from '#functions/hosted-pages/views/link-view.model.ts';
import { type Html, html } from '#shared/http/html.ts';

export type FieldError = { readonly field: string; readonly message: string };

/** Read out first, and gets the keyboard focus. No script could move the focus later. */
const errorAlert = (content: Html): Html => html`<div class="alert bad" role="alert" tabindex="-1" autofocus>
${content}
</div>`;

/** The errors of a submitted form. Each line links to its field. */
export const fieldErrorsAlert = (errors: readonly FieldError[], { messages }: I18n): Html | false =>
  errors.length > 0 &&
  errorAlert(html`<h2>${messages.fieldErrors.heading}</h2>
<ul>${errors.map(({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`)}</ul>`);

/** The outcome of the previous try. */
export function noticeAlert(notice: Notice | null, { messages }: I18n): Html | false {
  switch (notice?.kind) {
    case undefined:
      return false;
    case 'declined':
      return errorAlert(html`<h2>${messages.notices.declined}</h2>
<p>${failureMessage(notice.failure.code, messages, notice.method)}</p>`);
    case 'stale':
      return errorAlert(html`<p>${messages.notices.stale}</p>`);
    case 'canceled':
      return html`<div class="alert" role="status"><p>${messages.notices.canceled}</p></div>`;
  }
}
