import type { Say } from '#functions/hosted-pages/views/i18n.page.ts';
import type { Waiting } from '#functions/hosted-pages/views/link-view.model.ts';
import { webAddress } from '#functions/hosted-pages/views/web-address.page.ts';
import { type Html, html } from '#shared/http/html.ts';

const EVERY_SECONDS = 5;

/** A page that waits for the provider reloads by itself, says so, and can be stopped. */
export const asksAgain = (waiting: Waiting | undefined) =>
  waiting?.paused ? {} : { goesOn: { after: EVERY_SECONDS } };

export const waitingLinks = (waiting: Waiting | undefined, { words }: Say): Html => html`<div class="links">
<p class="muted small">${waiting?.paused ? words.waiting.paused : words.waiting.byItself(EVERY_SECONDS)}</p>
<p><a class="button second" href="">${words.waiting.now}</a></p>
${waiting && html`<p><a class="link small" href="${webAddress(waiting.other)}">${waiting.paused ? words.waiting.goOn : words.waiting.pause}</a></p>\n`}</div>`;
