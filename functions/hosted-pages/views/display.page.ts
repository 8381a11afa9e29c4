import { type DisplayedLine, displayedLines } from '#functions/hosted-pages/views/displayed-lines.page.ts';
import type { Say } from '#functions/hosted-pages/views/i18n.page.ts';
import { state } from '#functions/hosted-pages/views/status-panel.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { type Html, html } from '#shared/http/html.ts';

type Display = Extract<NextAction, { type: 'display' }>;

/** Details to pay with elsewhere. The page reloads only on request, so that copying a number is not interrupted. */
export function displayContent(action: Display, sum: string, say: Say): Html {
  const { words } = say;
  const lines = displayedLines(action, say);
  const facts = lines.filter(({ href }) => href === undefined);
  const links = lines.filter((line): line is DisplayedLine & { readonly href: string } => line.href !== undefined);
  return html`${state('list', 'plain', words.display.heading, words.display.text(sum))}
${facts.length > 0 && html`<dl class="facts">${facts.map(({ label, text }) => html`<div><dt>${label}</dt><dd dir="auto">${text}</dd></div>`)}</dl>\n`}${
  links.length > 0 &&
  html`<div class="links">${links.map(({ label, href }) => html`<p><a class="button" rel="noreferrer" href="${href}">${label}</a></p>`)}</div>\n`
}<p><a class="${links.length > 0 ? 'button second' : 'button'}" href="">${words.display.check}</a></p>`;
}
