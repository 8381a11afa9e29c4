import type { Sheet } from '#functions/hosted-pages/views/document.page.ts';
import { hidden } from '#functions/hosted-pages/views/fields.page.ts';
import type { Say } from '#functions/hosted-pages/views/i18n.page.ts';
import { sign } from '#functions/hosted-pages/views/icons.page.ts';
import { state } from '#functions/hosted-pages/views/status-panel.page.ts';
import { webAddress } from '#functions/hosted-pages/views/web-address.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { type Html, html } from '#shared/http/html.ts';

export type Step = Pick<Sheet, 'content' | 'goesOn' | 'formTo'> & { readonly heading: string };

type Redirect = Extract<NextAction, { type: 'redirect' }>;

/**
 * Redirects to the provider: automatically where a URL is enough, by a button where fields are posted, since the page
 * runs no script that could submit them.
 */
export function goingOn({ url, method, fields = {} }: Redirect, resumed: boolean, say: Say): Step {
  const to = webAddress(url);
  if (method === 'POST') return byForm(to, fields, resumed, say);
  const { heading, text } = resumed ? say.words.resumed : say.words.going;
  const link = html`<p><a class="button" href="${to}">${onward(say)}</a></p>`;
  return {
    heading,
    content: html`${state('on', 'plain', heading, text)}\n${link}`,
    ...(!resumed && { goesOn: { after: 0, to } }),
  };
}

function byForm(to: string, fields: Readonly<Record<string, string>>, resumed: boolean, say: Say): Step {
  const { words } = say;
  const { heading, text } = resumed ? words.resumed : { heading: words.going.on, text: words.form.leadsOn };
  const content = html`${state('on', 'plain', heading, text)}
<form method="post" action="${to}">
${Object.entries(fields).map(([name, value]) => hidden(name, value))}
<button class="button">${onward(say)}</button>
</form>`;
  return { heading, content, formTo: formTarget(to) };
}

const onward = ({ words }: Say): Html => html`${words.going.on} ${sign('on', 20)}`;

/**
 * Browsers apply `form-action` to every redirect that follows, and providers often redirect to a bank: so any host of
 * the same scheme is allowed.
 */
const formTarget = (to: string): string => (to.startsWith('https:') ? 'https:' : new URL(to).origin);
