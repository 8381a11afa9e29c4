import { SCRIPT, SCRIPT_HASH } from '#functions/hosted-pages/sign-in/script.page.ts';
import { contentSecurityPolicy, documentOf, type PageContent } from '#functions/hosted-pages/views/document.page.ts';
import { type Html, html, pageHeaders } from '#shared/http/html.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

export type SignInPage = PageContent & {
  readonly status?: number;
  /** Where a visitor goes after signing in. */
  readonly next?: string | undefined;
};

/**
 * For visitors with a mailed link. Only the button signs in, as mail scanners open links too. Without JavaScript the
 * forms submit by themselves.
 */
export const mailedLinkContent = (token: string): SignInPage => {
  const hidden = html`<input type="hidden" name="token" value="${token}">`;
  return {
    view: 'link',
    title: 'Sign in',
    content: signInOrDone(html`<p class="muted">The link works once: press the button to use it.</p>
${message('')}
<form id="link" class="stack" ${VERIFY}>
${hidden}
<div id="code-field" class="field" hidden>${codeField('code', true)}</div>
<button class="button">Sign in</button>
</form>
<noscript>
<form class="stack" ${VERIFY}>
<p class="muted">If you use an authenticator app, enter its code or a recovery code.</p>
${hidden}
<div class="field">${codeField('plain-code', false)}</div>
<button class="button secondary">Sign in with a code</button>
</form>
</noscript>
<p><a class="link" href="sign-in">Sign in another way</a></p>`),
  };
};

const VERIFY = html`method="get" action="v1/auth/verify"`;

const codeField = (id: string, disabled: boolean): Html => html`<label for="${id}">Code</label>
<input id="${id}" name="code" class="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false"
minlength="6" maxlength="32" required${disabled && ' disabled'}>`;

/** For visitors without a link. The script reveals the parts that need it. */
export const signInContent = (error = ''): SignInPage => ({
  view: 'sign-in',
  title: 'Sign in',
  content: signInOrDone(html`${message(error)}
<noscript>
<p>Signing in here needs JavaScript, which is off in this browser. A sign-in link from an email works without it.</p>
</noscript>
<form id="email-form" class="stack" hidden>
<div class="field">
<label for="email">Email address</label>
<input id="email" name="email" type="email" autocomplete="email" autocapitalize="none" spellcheck="false"
maxlength="254" required>
</div>
<button class="button">Send me a sign-in link</button>
</form>
<div id="passkey-section" class="stack" hidden>
<p class="divider">or</p>
<button id="passkey" type="button" class="button secondary">Sign in with a passkey</button>
</div>`),
});

const errorContent = (status: number, retryAfter: number | undefined): SignInPage => {
  const isRateLimit = status === 429;
  const title = isRateLimit ? 'Too many requests' : 'Something went wrong';
  const text = isRateLimit ? 'There were too many requests from your network.' : 'This is our fault. Please try again.';
  const wait = retryAfter !== undefined && html`\n<p class="muted">You can try again in ${retryAfter} seconds.</p>`;
  return {
    status,
    view: 'error',
    title,
    content: html`<div class="stack"><h1>${title}</h1>
<p>${text}</p>${wait}
<p><a class="link" href="">Try again</a></p></div>`,
  };
};

/** Screen readers read its text out when it changes. It gets the focus where the focused element is gone. */
const message = (error: string): Html =>
  html`<div id="message" class="alert${error !== '' && ' bad'}" role="status" tabindex="-1">${error}</div>`;

const signInOrDone = (content: Html): Html => html`<div id="sign-in" class="stack">
<h1>Sign in to Payfork</h1>
${content}
</div>
<div id="signed-in" class="stack" tabindex="-1" hidden>
<h1>You are signed in</h1>
<p>Signed in as <bdi id="user"></bdi>. You can close this page.</p>
</div>`;

/** The URL may hold a token, so no other site gets it as a referrer. */
export function renderSignInPage(page: SignInPage, { headers }: Pick<RawRequest, 'headers'>): RawResponse {
  const { status = 200, next, view } = page;
  const content = { ...page, title: `${page.title} – Payfork` };
  return {
    status,
    headers: {
      ...pageHeaders(headers['x-forwarded-proto'] === 'https'),
      'content-language': 'en',
      'content-security-policy': contentSecurityPolicy({ scriptHash: SCRIPT_HASH }),
      'referrer-policy': 'no-referrer',
    },
    body: documentOf(content, { language: 'en', next, ...(view !== 'error' && { script: SCRIPT }) }),
  };
}

/** Answers a request that failed with a page instead of JSON. */
export const renderSignInError = (status: number, retryAfter: number | undefined, request: RawRequest): RawResponse =>
  renderSignInPage(errorContent(status, retryAfter), request);
