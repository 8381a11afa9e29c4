import { createHash } from 'node:crypto';
import {
  ACCOUNT_LINK_ACTIONS,
  type AccountLinkAction,
  type AccountLinkMessages,
} from '#functions/hosted-pages/account-links/account-link.model.ts';
import { ACCOUNT_LINK_MESSAGES } from '#functions/hosted-pages/account-links/messages.catalog.ts';
import { SIGN_IN_MESSAGES } from '#functions/hosted-pages/sign-in/messages.catalog.ts';
import { contentSecurityPolicy, documentOf, type PageContent } from '#functions/hosted-pages/views/document.page.ts';
import type { Language } from '#functions/hosted-pages/views/i18n.page.ts';
import { languageOf } from '#shared/domain/reference/languages.rules.ts';
import { type Html, html, pageHeaders } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** Sends the form's token to the API. It sets text only, never markup. */
const SCRIPT = `
'use strict';
const byId = (id) => document.getElementById(id);
const MESSAGES = JSON.parse(document.querySelector('main').dataset.messages);
const form = byId('action');

function showMessage(text, tone) {
  byId('message').textContent = text;
  byId('message').className = 'alert ' + tone;
  byId('message').focus();
}

form.hidden = false;
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  const body = JSON.stringify({ token: byId('token').value });
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  try {
    const response = await fetch(form.getAttribute('action'), post);
    if (response.ok) {
      form.hidden = true;
      byId('explanation').hidden = true;
      showMessage(MESSAGES.done, 'good');
    } else {
      const { code, retry_after: wait } = await response.json();
      showMessage((MESSAGES[code] || MESSAGES.other).replace('{seconds}', wait), 'bad');
    }
  } catch {
    showMessage(MESSAGES.unreachable, 'bad');
  }
  form.ariaBusy = 'false';
});
`;

const SCRIPT_HASH = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;

type Page = PageContent & { readonly messages?: Readonly<Record<string, string>> };

const languageOfVisitor = ({ headers }: Pick<RawRequest, 'headers'>): Language =>
  languageOf(headers['accept-language']);

/** A page with one button: mail scanners open links, so that opening one must change nothing. */
export function renderAccountLink(action: AccountLinkAction, token: string, request: RawRequest): RawResponse {
  const language = languageOfVisitor(request);
  const texts = ACCOUNT_LINK_MESSAGES[language];
  const { heading, text, button, done } = texts.actions[action];
  const { rate_limited, unreachable, other } = SIGN_IN_MESSAGES[language].script;
  return render(
    {
      view: action,
      title: heading,
      content: html`<h1>${heading}</h1>
<p id="explanation">${text}</p>
<div id="message" class="alert" role="status" tabindex="-1"></div>
<noscript><p>${texts.needsScript}</p></noscript>
<form id="action" class="stack" method="post" action="${ACCOUNT_LINK_ACTIONS[action]}" hidden>
<input id="token" type="hidden" value="${token}">
<button class="button">${button}</button>
</form>
${signInLink(texts)}`,
      messages: { ...texts.errors, invalid_request: texts.errors.invalid_link, rate_limited, unreachable, other, done },
    },
    request,
  );
}

export function renderIncompleteLink(request: RawRequest): RawResponse {
  const texts = ACCOUNT_LINK_MESSAGES[languageOfVisitor(request)];
  const content = html`<h1>${texts.title}</h1>
<div class="alert bad" role="status">${texts.incomplete}</div>
${signInLink(texts)}`;
  return render({ view: 'incomplete', title: texts.title, content }, request);
}

const signInLink = ({ signIn }: AccountLinkMessages): Html => html`<p><a class="link" href="sign-in">${signIn}</a></p>`;

/** The URL holds a token, so no other site gets it as a referrer. */
function render({ messages, ...page }: Page, request: RawRequest): RawResponse {
  const language = languageOfVisitor(request);
  const content = { ...page, title: `${page.title} – Payfork` };
  const script = messages && { script: SCRIPT, data: { messages: JSON.stringify(messages) } };
  return {
    status: 200,
    headers: {
      ...pageHeaders(request.headers['x-forwarded-proto'] === 'https'),
      'content-language': language,
      vary: 'accept-language',
      'content-security-policy': contentSecurityPolicy({ scriptHash: SCRIPT_HASH, connects: true }),
      'referrer-policy': 'no-referrer',
    },
    body: documentOf(content, { language, ...script }),
  };
}
