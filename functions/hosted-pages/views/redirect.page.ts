import type { PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { hiddenInput } from '#functions/hosted-pages/views/fields.page.ts';
import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import { icon } from '#functions/hosted-pages/views/icons.page.ts';
import { safeUrl } from '#functions/hosted-pages/views/safe-url.page.ts';
import { statusPanel } from '#functions/hosted-pages/views/status-panel.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { type Html, html } from '#shared/http/html.ts';

export type ActionContent = Pick<PageContent, 'content' | 'refresh' | 'formTarget'> & { readonly heading: string };

type Redirect = Extract<NextAction, { type: 'redirect' }>;

/**
 * Redirects to the provider. A plain URL opens automatically. Posted fields need a button, as the page runs no script
 * that could submit them.
 */
export function redirectContent({ url, method, fields = {} }: Redirect, resumed: boolean, i18n: I18n): ActionContent {
  const to = safeUrl(url);
  if (method === 'POST') return postForm(to, fields, resumed, i18n);
  const { heading, text } = resumed ? i18n.messages.resumed : i18n.messages.redirecting;
  const link = html`<p><a class="button" href="${to}">${continueLabel(i18n)}</a></p>`;
  return {
    heading,
    content: html`${statusPanel('forward', 'plain', heading, text)}\n${link}`,
    ...(!resumed && { refresh: { after: 0, to } }),
  };
}

function postForm(to: string, fields: Readonly<Record<string, string>>, resumed: boolean, i18n: I18n): ActionContent {
  const { messages } = i18n;
  const first = { heading: messages.redirecting.continue, text: messages.form.redirectNotice };
  const { heading, text } = resumed ? messages.resumed : first;
  const content = html`${statusPanel('forward', 'plain', heading, text)}
<form method="post" action="${to}">
${Object.entries(fields).map(([name, value]) => hiddenInput(name, value))}
<button class="button">${continueLabel(i18n)}</button>
</form>`;
  return { heading, content, formTarget: formActionSource(to) };
}

const continueLabel = ({ messages }: I18n): Html => html`${messages.redirecting.continue} ${icon('forward', 20)}`;

/**
 * Browsers apply `form-action` to every redirect that follows, and providers often redirect to a bank. So any host of
 * the same scheme is allowed.
 */
const formActionSource = (to: string): string => (to.startsWith('https:') ? 'https:' : new URL(to).origin);
