import type { PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { formatWait } from '#functions/hosted-pages/views/format.page.ts';
import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import type { ErrorPage } from '#functions/hosted-pages/views/link-view.model.ts';
import { statusPanel } from '#functions/hosted-pages/views/status-panel.page.ts';
import { html } from '#shared/http/html.ts';

/** Opening the same URL again may help. */
const RETRYABLE: ReadonlySet<ErrorPage['status']> = new Set([403, 429, 500]);

export function errorContent({ status, retryAfter }: ErrorPage, { messages, language }: I18n): PageContent {
  const { heading, text } = messages.errors[status];
  const wait = retryAfter !== undefined && messages.tryAgainIn(formatWait(retryAfter, language));
  const retry = RETRYABLE.has(status) && html`\n<p><a class="button secondary" href="">${messages.tryAgain}</a></p>`;
  return { view: 'error', title: heading, content: [statusPanel('note', 'note', heading, text, wait), retry] };
}
