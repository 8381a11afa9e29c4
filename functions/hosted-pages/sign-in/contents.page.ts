import type { Sheet } from '#functions/hosted-pages/sign-in/document.page.ts';
import { type Html, html, type Shown } from '#shared/http/html.ts';

const VERIFY = html`method="get" action="v1/auth/verify"`;
const codeField = (id: string, marks: Html): Html => html`<label for="${id}">Code</label>
<input id="${id}" name="code" class="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" minlength="6" maxlength="32" required${marks}>`;

/**
 * For visitors from the mailed link. Only the button signs in, as mail scanners open links too. Without JavaScript the
 * forms submit by themselves.
 */
export const linkSheet = (token: string): Sheet => {
  const hidden = html`<input type="hidden" name="token" value="${token}">`;
  return {
    view: 'link',
    title: 'Sign in',
    content: signingIn(
      html`<p class="muted">The link works once: press the button to use it.</p>
${told('')}
<form id="link" class="stack" ${VERIFY}>
${hidden}
<div id="code-field" hidden>${codeField('code', html` disabled`)}</div>
<button class="button">Sign in</button>
</form>
<noscript>
<form class="stack" ${VERIFY}>
<p class="muted">If you use an authenticator app, enter its code, or a recovery code.</p>
${hidden}
<div>${codeField('plain-code', html``)}</div>
<button class="button second">Sign in with a code</button>
</form>
</noscript>
<p><a class="link" href="sign-in">Sign in another way</a></p>`,
    ),
  };
};

/** For visitors without a link. The script shows the parts that need it. */
export const askSheet = (notice = ''): Sheet => ({
  view: 'ask',
  title: 'Sign in',
  content: signingIn(html`${told(notice)}
<noscript><p>This needs scripts, which are off in this browser. A link from the mail works without them.</p></noscript>
<form id="mail" class="stack" hidden>
<div>
<label for="email">Mail address</label>
<input id="email" name="email" type="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required>
</div>
<button class="button">Send me a sign-in link</button>
</form>
<div id="by-passkey" class="stack" hidden>
<p class="or">or</p>
<button id="passkey" type="button" class="button second">Sign in with a passkey</button>
</div>`),
});

export const troubleSheet = (status: number, retryAfter: number | undefined): Sheet => {
  const [title, text] =
    status === 429
      ? ['Too many requests', 'Wait a little, then try again.']
      : ['This did not work', 'Something went wrong. Try again.'];
  const when: Shown =
    retryAfter !== undefined && html`\n<p class="muted">It may work again in ${retryAfter} seconds.</p>`;
  return {
    status,
    view: 'trouble',
    title,
    content: html`<div class="stack"><h1>${title}</h1>
<p>${text}</p>${when}
<p><a class="link" href="">Try again</a></p></div>`,
  };
};

/** Notices are read out by screen readers, and get the focus where the focused element is gone. */
const told = (notice: string): Html =>
  html`<div id="told" class="told${notice !== '' && ' bad'}" role="status" tabindex="-1">${notice}</div>`;

const signingIn = (content: Html): Html => html`<div id="asked" class="stack">
<h1>Sign in to Payfork</h1>
${content}
</div>
<div id="done" class="stack" tabindex="-1" hidden>
<h1>You are signed in</h1>
<p>As <bdi id="who"></bdi>. You can close this page.</p>
</div>`;
