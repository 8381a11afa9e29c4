import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import { type Icon, icon } from '#functions/hosted-pages/views/icons.page.ts';
import type { AutoRefresh } from '#functions/hosted-pages/views/link-view.model.ts';
import { safeUrl } from '#functions/hosted-pages/views/safe-url.page.ts';
import { type Html, type HtmlValue, html } from '#shared/http/html.ts';

export type Tone = 'plain' | 'good' | 'bad' | 'note';

/** The payment's status: the headline of every page except the form. */
export const statusPanel = (
  name: Icon,
  tone: Tone,
  heading: string,
  ...texts: readonly HtmlValue[]
): Html => html`<div class="status">
<span class="icon ${tone}">${icon(name)}</span>
<div>
<h1>${heading}</h1>
${texts.map((text) => text && html`<p class="muted">${text}</p>\n`)}</div>
</div>`;

const REFRESH_SECONDS = 5;

/** Reloads a page that waits for the provider, unless the visitor has paused that. */
export function autoRefresh(refresh: AutoRefresh | undefined) {
  if (refresh?.paused) return {};
  const to = refresh?.reloadUrl === undefined ? {} : { to: safeUrl(refresh.reloadUrl) };
  return { refresh: { after: REFRESH_SECONDS, ...to } };
}

/** Says that the page reloads by itself, and lets the visitor reload it now, pause or resume. */
export function refreshLinks(refresh: AutoRefresh | undefined, { messages }: I18n): Html {
  const { waiting } = messages;
  const toggle =
    refresh &&
    html`<p><a class="link small" href="${safeUrl(refresh.toggleUrl)}">${
      refresh.paused ? waiting.resumeRefresh : waiting.stopRefresh
    }</a></p>\n`;
  return html`<div class="links">
<p class="muted small">${refresh?.paused ? waiting.paused : waiting.autoRefresh(REFRESH_SECONDS)}</p>
<p><a class="button secondary" href="${refresh?.reloadUrl ?? ''}">${waiting.refreshNow}</a></p>
${toggle}</div>`;
}
