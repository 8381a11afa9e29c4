import { SIGN_IN_MESSAGES } from '#functions/hosted-pages/sign-in/messages.catalog.ts';
import type { SignInMessages } from '#functions/hosted-pages/sign-in/messages.model.ts';
import { SCRIPT, SCRIPT_HASH } from '#functions/hosted-pages/sign-in/script.page.ts';
import { contentSecurityPolicy, documentOf, type PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { formatWait } from '#functions/hosted-pages/views/format.page.ts';
import { i18nFor, type Language } from '#functions/hosted-pages/views/i18n.page.ts';
import { languageOf } from '#shared/domain/reference/languages.rules.ts';
import { type Html, html, pageHeaders } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

export type SignInPage = PageContent & {
  readonly status?: number;
  /** Where a visitor goes after signing in. */
  readonly next?: string | undefined;
};

/**
 * For visitors with a mailed link. Only the button signs in, as mail scanners open links too. Without JavaScript the
 * forms submit by themselves. The form for a new link is shown once this one turns out to be used. `account`: whose
 * account it opens, so that nobody is lured into another one; undefined if the link opens none any more.
 */
export const mailedLinkContent = (
  token: string,
  account: string | undefined,
  messages = SIGN_IN_MESSAGES.en,
): SignInPage => {
  const hidden = html`<input type="hidden" name="token" value="${token}">`;
  return {
    view: 'link',
    title: messages.title,
    content: signInPanel(
      html`<p id="link-intro" class="muted">${account !== undefined && linkAccount(account, messages)}${messages.linkWorksOnce}</p>
${message('')}
<form id="link" class="stack" ${VERIFY}>
${hidden}
<div id="code-field" class="field" hidden>${codeField('code', true, messages)}
<p><a class="link" href="account-link?action=recover&amp;token=${token}">${messages.lostCodes}</a></p></div>
<button class="button">${messages.signIn}</button>
</form>
<noscript>
<form class="stack" ${VERIFY}>
<p class="muted">${messages.codeIfApp}</p>
${hidden}
<div class="field">${codeField('plain-code', false, messages)}</div>
<button class="button secondary">${messages.signInWithCode}</button>
</form>
</noscript>
${newLinkForms(messages)}
<p><a class="link" href="sign-in">${messages.anotherWay}</a></p>`,
      messages,
    ),
  };
};

const linkAccount = (account: string, { linkOpens }: SignInMessages): Html =>
  html`${linkOpens} <b><bdi>${account}</bdi></b>. `;

const VERIFY = html`method="get" action="v1/auth/verify"`;

/** Room for a recovery code with a blank between all of its characters. */
const MAX_CODE_LENGTH = 64;

const codeField = (id: string, disabled: boolean, { code }: SignInMessages): Html =>
  html`<label for="${id}">${code}</label>
<input id="${id}" name="code" class="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"
minlength="6" maxlength="${MAX_CODE_LENGTH}" required${disabled && ' disabled'}>`;

/** For visitors without a link. The script reveals the parts that need it. */
export const signInContent = (error = '', messages = SIGN_IN_MESSAGES.en): SignInPage => ({
  view: 'sign-in',
  title: messages.title,
  content: signInPanel(
    html`${message(error)}
<noscript>
<p>${messages.needsScript}</p>
</noscript>
${newLinkForms(messages)}`,
    messages,
  ),
});

const newLinkForms = (messages: SignInMessages): Html => html`<form id="email-form" class="stack" hidden>
<div class="field">
<label for="email">${messages.email}</label>
<input id="email" name="email" type="email" autocomplete="email" autocapitalize="none" spellcheck="false"
maxlength="254" required>
</div>
<button class="button">${messages.sendLink}</button>
</form>
<div id="passkey-section" class="stack" hidden>
<p class="divider">${messages.or}</p>
<button id="passkey" type="button" class="button secondary">${messages.passkey}</button>
</div>`;

function errorContent(status: number, retryAfter: number | undefined, language: Language): SignInPage {
  const messages = SIGN_IN_MESSAGES[language];
  const { heading, text } = status === 429 ? messages.tooMany : messages.failed;
  const { tryAgainIn } = i18nFor(language).messages;
  const wait = retryAfter !== undefined && html`\n<p class="muted">${tryAgainIn(formatWait(retryAfter, language))}</p>`;
  return {
    status,
    view: 'error',
    title: heading,
    content: html`<div class="stack"><h1>${heading}</h1>
<p>${text}</p>${wait}
<p><a class="link" href="">${messages.tryAgain}</a></p></div>`,
  };
}

/** Screen readers read its text out when it changes. It gets the focus where the focused element is gone. */
const message = (error: string): Html =>
  html`<div id="message" class="alert${error !== '' && ' bad'}" role="status" tabindex="-1">${error}</div>`;

const signInPanel = (content: Html, messages: SignInMessages): Html => html`<div id="sign-in" class="stack">
<h1>${messages.heading}</h1>
${content}
</div>`;

type PageRequest = Pick<RawRequest, 'headers'>;

const languageOfVisitor = ({ headers }: PageRequest): Language => languageOf(headers['accept-language']);

export const messagesFor = (request: PageRequest): SignInMessages => SIGN_IN_MESSAGES[languageOfVisitor(request)];

/** The URL may hold a token, so no other site gets it as a referrer. */
export function renderSignInPage(page: SignInPage, request: PageRequest): RawResponse {
  const { status = 200, next, view } = page;
  const language = languageOfVisitor(request);
  const content = { ...page, title: `${page.title} – Payfork` };
  const messages = JSON.stringify(SIGN_IN_MESSAGES[language].script);
  const data = { messages, ...(next !== undefined && { next }) };
  return {
    status,
    headers: {
      ...pageHeaders(request.headers['x-forwarded-proto'] === 'https'),
      'content-language': language,
      vary: 'accept-language',
      'content-security-policy': contentSecurityPolicy({ scriptHash: SCRIPT_HASH, connects: true }),
      'referrer-policy': 'no-referrer',
    },
    body: documentOf(content, { language, ...(view !== 'error' && { script: SCRIPT, data }) }),
  };
}

/** Answers a request that failed with a page instead of JSON. */
export const renderSignInError = (status: number, retryAfter: number | undefined, request: RawRequest): RawResponse =>
  renderSignInPage(errorContent(status, retryAfter, languageOfVisitor(request)), request);
