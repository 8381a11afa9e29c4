import { type Sign, sign } from '#functions/hosted-pages/views/icons.page.ts';
import { type Html, html, type Shown } from '#shared/http/html.ts';

export type Tone = 'plain' | 'good' | 'bad' | 'note';

/** The payment's state: the headline of every page but the form. */
export const state = (
  drawn: Sign,
  tone: Tone,
  heading: string,
  ...texts: readonly Shown[]
): Html => html`<div class="state">
<span class="sign ${tone}">${sign(drawn)}</span>
<div>
<h1>${heading}</h1>
${texts.map((text) => text && html`<p class="muted">${text}</p>\n`)}</div>
</div>`;
