import { createHash } from 'node:crypto';
import { SIGN_IN_LINK_LIFETIME } from '#shared/domain/accounts/sign-in.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';

/** The same script on every page: the markup decides what it does. It sets text only, never markup. */
export const SCRIPT = `
'use strict';
const main = document.querySelector('main');
const byId = (id) => document.getElementById(id);
const API = 'v1/auth/';
const MESSAGES = {
  totp_required: 'Enter the code from your authenticator app, or a recovery code.',
  invalid_code: 'This code is incorrect or was already used. Enter another code.',
  invalid_link: 'This sign-in link has expired or was already used. Request a new one.',
  invalid_passkey: 'This passkey could not be verified. Try another one, or request a sign-in link.',
  invalid_request: 'Something you entered is not valid. Check it and try again.',
  unreachable: 'Payfork could not be reached. Check your connection and try again.',
  other: 'Something went wrong on our side. Try again.',
  link_sent: 'If this address can receive email, a sign-in link is on its way. '
    + 'It works once and expires in ${SIGN_IN_LINK_LIFETIME / MINUTE} minutes.',
  no_passkey: 'No passkey was used. Try again, or request a sign-in link.',
  signed_in: 'You are signed in. One moment\\u2026',
};

function showMessage(text, tone) {
  byId('message').textContent = text;
  byId('message').className = 'alert ' + tone;
}

function showError({ code, retry_after: wait }) {
  const limited = 'Too many attempts. Try again in ' + wait + ' seconds.';
  showMessage(code === 'rate_limited' ? limited : MESSAGES[code] || MESSAGES.other, 'bad');
}

async function call(path, body) {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const response = await fetch(API + path, body && post);
    return { ok: response.ok, body: await response.json() };
  } catch {
    return { ok: false, body: { code: 'unreachable' } };
  }
}

function oneAtATime(work) {
  return async (event) => {
    event.preventDefault();
    if (main.ariaBusy === 'true') return;
    main.ariaBusy = 'true';
    showMessage('', '');
    await work().catch(() => showError({}));
    main.ariaBusy = 'false';
  };
}

function showSignedIn({ user }) {
  history.replaceState(null, '', location.pathname);
  if (main.dataset.next) {
    showMessage(MESSAGES.signed_in, 'good');
    location.replace(main.dataset.next);
    return;
  }
  byId('sign-in').hidden = true;
  byId('user').textContent = user.email;
  byId('signed-in').hidden = false;
  document.title = byId('signed-in').querySelector('h1').textContent;
  byId('signed-in').focus();
}

function askForCode(tone, code) {
  const field = byId('code');
  showMessage(MESSAGES[code], tone);
  byId('code-field').hidden = false;
  field.disabled = false;
  field.ariaInvalid = String(tone === 'bad');
  field.select();
  field.focus();
}

byId('link')?.addEventListener('submit', oneAtATime(async () => {
  const { ok, body } = await call('verify?' + new URLSearchParams(new FormData(byId('link'))));
  if (ok) showSignedIn(body);
  else if (body.code === 'totp_required') askForCode('', body.code);
  else if (body.code === 'invalid_code') askForCode('bad', body.code);
  else {
    showError(body);
    byId('link').hidden = body.code === 'invalid_link';
    byId('message').focus();
  }
}));

byId('email-form')?.addEventListener('submit', oneAtATime(async () => {
  const { ok, body } = await call('magic-link', { email: byId('email').value.trim() });
  byId('email').ariaInvalid = String(!ok && body.code === 'invalid_request');
  if (ok) showMessage(MESSAGES.link_sent, 'good');
  else showError(body);
}));

byId('passkey')?.addEventListener('click', oneAtATime(async () => {
  const options = await call('webauthn/authenticate/begin', {});
  if (!options.ok) return showError(options.body);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options.body);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!credential) return showMessage(MESSAGES.no_passkey, 'bad');
  const { ok, body } = await call('webauthn/authenticate/finish', credential.toJSON());
  if (ok) showSignedIn(body);
  else showError(body);
}));
byId('email-form')?.removeAttribute('hidden');
if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) byId('passkey-section')?.removeAttribute('hidden');
`;

/** The Content-Security-Policy allows only this script. */
export const SCRIPT_HASH = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;
