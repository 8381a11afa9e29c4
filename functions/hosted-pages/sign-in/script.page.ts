import { createHash } from 'node:crypto';

/** The same script on every page; what differs is in the markup. It sets text only, never markup. */
export const SCRIPT = `
'use strict';
const main = document.querySelector('main');
const at = (id) => document.getElementById(id);
const API = 'v1/auth/';
const WORDS = {
  totp_required: 'Enter the code that your authenticator app shows, or a recovery code.',
  invalid_code: 'This code is wrong, or was used before. Enter another one.',
  invalid_link: 'This sign-in link was used already, or is too old. Ask for another one.',
  invalid_passkey: 'This passkey does not sign in here. Try another one, or ask for a sign-in link.',
  invalid_request: 'This does not look right. Check what you entered.',
  unreachable: 'We could not be reached. Check your connection, and try again.',
  other: 'Something went wrong on our side. Try again.',
  mailed: 'If this address takes mail, a sign-in link is on its way. It works once, for 15 minutes.',
  unused: 'No passkey was used. Try again, or ask for a sign-in link.',
  entered: 'You are signed in. One moment\\u2026',
};

function say(text, tone) {
  at('told').textContent = text;
  at('told').className = 'told ' + tone;
}

function refuse({ code, retry_after: wait }) {
  say(code === 'rate_limited' ? 'Too many tries. Try again in ' + wait + ' seconds.' : WORDS[code] || WORDS.other, 'bad');
}

async function ask(path, body) {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    const answer = await fetch(API + path, body && post);
    return { ok: answer.ok, body: await answer.json() };
  } catch {
    return { ok: false, body: { code: 'unreachable' } };
  }
}

function once(work) {
  return async (event) => {
    event.preventDefault();
    if (main.ariaBusy === 'true') return;
    main.ariaBusy = 'true';
    say('', '');
    await work().catch(() => refuse({}));
    main.ariaBusy = 'false';
  };
}

function enter({ user }) {
  history.replaceState(null, '', location.pathname);
  if (main.dataset.next) {
    say(WORDS.entered, 'good');
    location.replace(main.dataset.next);
    return;
  }
  at('asked').hidden = true;
  at('who').textContent = user.email;
  at('done').hidden = false;
  document.title = at('done').querySelector('h1').textContent;
  at('done').focus();
}

function askForCode(tone, code) {
  const field = at('code');
  say(WORDS[code], tone);
  at('code-field').hidden = false;
  field.disabled = false;
  field.ariaInvalid = String(tone === 'bad');
  field.select();
  field.focus();
}

at('link')?.addEventListener('submit', once(async () => {
  const { ok, body } = await ask('verify?' + new URLSearchParams(new FormData(at('link'))));
  if (ok) enter(body);
  else if (body.code === 'totp_required') askForCode('', body.code);
  else if (body.code === 'invalid_code') askForCode('bad', body.code);
  else {
    refuse(body);
    at('link').hidden = body.code === 'invalid_link';
    at('told').focus();
  }
}));

at('mail')?.addEventListener('submit', once(async () => {
  const { ok, body } = await ask('magic-link', { email: at('email').value.trim() });
  at('email').ariaInvalid = String(!ok && body.code === 'invalid_request');
  if (ok) say(WORDS.mailed, 'good');
  else refuse(body);
}));

at('passkey')?.addEventListener('click', once(async () => {
  const begun = await ask('webauthn/authenticate/begin', {});
  if (!begun.ok) return refuse(begun.body);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(begun.body);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!credential) return say(WORDS.unused, 'bad');
  const { ok, body } = await ask('webauthn/authenticate/finish', credential.toJSON());
  if (ok) enter(body);
  else refuse(body);
}));
at('mail')?.removeAttribute('hidden');
if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) at('by-passkey')?.removeAttribute('hidden');
`;

/** The policy lets this script run, and no other. */
export const SCRIPT_HASH = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;
