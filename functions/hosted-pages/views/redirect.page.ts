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
export function redirectContent(action: Redirect, resumed: boolean, i18n: I18n): ActionContent {
  const { messages } = i18n;
  const { control, ...target } = continueControl(action, i18n);
  const posted = { heading: messages.redirecting.continue, text: messages.form.redirectNotice };
  const first = action.method === 'POST' ? posted : messages.redirecting;
  const { heading, text } = resumed ? messages.resumed : first;
  const opens = action.method === 'GET' && !resumed && { refresh: { after: 0, to: safeUrl(action.url) } };
  return {
    ...target,
    ...opens,
    heading,
    content: html`${statusPanel('forward', 'plain', heading, text)}\n${control}`,
  };
}

type ContinueControl = Pick<PageContent, 'formTarget'> & { readonly control: Html };

/** The link or form to the provider's page. */
export function continueControl({ url, method, fields = {} }: Redirect, i18n: I18n): ContinueControl {
  const to = safeUrl(url);
  if (method === 'GET') return { control: html`<p><a class="button" href="${to}">${continueLabel(i18n)}</a></p>` };
  const control = html`<form method="post" action="${to}">
${Object.entries(fields).map(([name, value]) => hiddenInput(name, value))}
<button class="button">${continueLabel(i18n)}</button>
</form>`;
  return { control, formTarget: formActionSource(to) };
}

const continueLabel = ({ messages }: I18n): Html => html`${messages.redirecting.continue} ${icon('forward', 20)}`;

/**
 * Browsers apply `form-action` to every redirect that follows, and providers often redirect to a bank. So any host of
 * the same scheme is allowed.
 */
const formActionSource = (to: string): string => (to.startsWith('https:') ? 'https:' : new URL(to).origin);
