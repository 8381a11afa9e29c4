import { due } from '#functions/hosted-pages/views/amount-header.page.ts';
import type { Sheet } from '#functions/hosted-pages/views/document.page.ts';
import { failureInWords } from '#functions/hosted-pages/views/failure-texts.page.ts';
import { momentInWords } from '#functions/hosted-pages/views/format.page.ts';
import { type Say, sumOf, titleOf } from '#functions/hosted-pages/views/i18n.page.ts';
import type { Sign } from '#functions/hosted-pages/views/icons.page.ts';
import type { ClosedReason, LinkFacts, LinkView } from '#functions/hosted-pages/views/link-view.model.ts';
import { state, type Tone } from '#functions/hosted-pages/views/status-panel.page.ts';
import { asksAgain, waitingLinks } from '#functions/hosted-pages/views/waiting.page.ts';
import { type Html, html, type Shown } from '#shared/http/html.ts';

type Of<K extends LinkView['kind']> = Extract<LinkView, { kind: K }>;

const LOOKS: Readonly<Record<ClosedReason, readonly [Sign, Tone]>> = {
  paid: ['done', 'good'],
  completed: ['note', 'note'],
  expired: ['clock', 'note'],
  inactive: ['note', 'note'],
  busy: ['clock', 'plain'],
};

/** A page with nothing more to do than to read. */
const sheet = (view: string, heading: string, link: LinkFacts, content: Shown, say: Say): Sheet => ({
  view,
  title: titleOf(heading, link, say),
  content: html`${due(link, say, 'state')}\n${content}`,
});

export function closedSheet({ link, reason }: Of<'closed'>, say: Say): Sheet {
  const { heading, text } = say.words.closed[reason];
  const ended =
    reason === 'expired' &&
    link.expires_at !== null &&
    say.words.expiredAt(momentInWords(link.expires_at, say.language));
  const again = reason === 'busy' && html`\n<p><a class="button" href="">${say.words.tryAgain}</a></p>`;
  return sheet(`closed-${reason}`, heading, link, [state(...LOOKS[reason], heading, ended, text), again], say);
}

export function processingSheet({ link, waiting }: Of<'processing'>, say: Say): Sheet {
  const { heading, text } = say.words.processing;
  const content = [state('wait', 'plain', heading, text), '\n', waitingLinks(waiting, say)];
  return { ...sheet('processing', heading, link, content, say), ...asksAgain(waiting) };
}

/** It is a receipt too. */
export function succeededSheet({ link, payment_id, paid_at }: Of<'succeeded'>, say: Say): Sheet {
  const { heading, text, sum, date, reference } = say.words.succeeded;
  const facts: readonly (readonly [string, string])[] = [
    [sum, sumOf(link, say)],
    [date, momentInWords(paid_at, say.language)],
    [reference, payment_id],
  ];
  const receipt: Html = html`<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`;
  return sheet('succeeded', heading, link, [state('done', 'good', heading, text), '\n', receipt], say);
}

export function overpaidSheet({ link }: Of<'overpaid'>, say: Say): Sheet {
  const { heading, text } = say.words.overpaid;
  return sheet('overpaid', heading, link, state('back', 'note', heading, text), say);
}

export function failedSheet({ link, failure }: Of<'failed'>, say: Say): Sheet {
  const { heading, text } = say.words.failed;
  return sheet(
    'failed',
    heading,
    link,
    state('failed', 'bad', heading, failure && failureInWords(failure.code, say.words), text),
    say,
  );
}
