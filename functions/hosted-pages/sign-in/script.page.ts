import { createHash } from 'node:crypto';

/**
 * The same script on every page and in every language: the markup decides what it does, and holds its texts. It sets
 * text only, never markup.
 */
export const SCRIPT = `
'use strict';
const main = document.querySelector('main');
const byId = (id) => document.getElementById(id);
const API = 'v1/auth/';
const MESSAGES = JSON.parse(main.dataset.messages);

function showMessage(text, tone) {
  byId('message').textContent = text;
  byId('message').className = 'alert ' + tone;
}

function showError({ code, retry_after: wait }) {
  showMessage((MESSAGES[code] || MESSAGES.other).replace('{seconds}', wait), 'bad');
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

/** The mailed link opens another tab, so where the visitor wanted to go is kept in this browser. */
const WANTED = 'payfork.next';

function continueSignedIn() {
  history.replaceState(null, '', location.pathname);
  showMessage(MESSAGES.signed_in, 'good');
  const wanted = byId('link') && localStorage.getItem(WANTED);
  localStorage.removeItem(WANTED);
  location.replace(/^\\/(?:dashboard|docs)(?:[/?]|$)/.test(wanted) ? wanted : main.dataset.next);
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

/** A link that was used in this browser has done its work. Any other one can be replaced right here. */
async function showUsedLink(error) {
  const session = await call('session');
  if (session.ok) return continueSignedIn();
  byId('link').hidden = true;
  byId('link-intro')?.remove();
  showNewLinkForm();
  showError(error);
  byId('message').focus();
}

function showNewLinkForm() {
  byId('email-form')?.removeAttribute('hidden');
  if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) byId('passkey-section')?.removeAttribute('hidden');
}

byId('link')?.addEventListener('submit', oneAtATime(async () => {
  const { ok, body } = await call('verify?' + new URLSearchParams(new FormData(byId('link'))));
  if (ok) continueSignedIn();
  else if (body.code === 'totp_required') askForCode('', body.code);
  else if (body.code === 'invalid_code') askForCode('bad', body.code);
  else if (body.code === 'invalid_link') await showUsedLink(body);
  else {
    showError(body);
    byId('message').focus();
  }
}));

byId('email-form')?.addEventListener('submit', oneAtATime(async () => {
  const { ok, body } = await call('magic-link', { email: byId('email').value.trim() });
  byId('email').ariaInvalid = String(!ok && body.code === 'invalid_request');
  if (!ok) return showError(body);
  if (!byId('link')) localStorage.setItem(WANTED, main.dataset.next);
  showMessage(MESSAGES.link_sent, 'good');
}));

byId('passkey')?.addEventListener('click', oneAtATime(async () => {
  const options = await call('webauthn/authenticate/begin', {});
  if (!options.ok) return showError(options.body);
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options.body);
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!credential) return showMessage(MESSAGES.no_passkey, 'bad');
  const { ok, body } = await call('webauthn/authenticate/finish', credential.toJSON());
  if (ok) continueSignedIn();
  else showError(body);
}));
if (!byId('link')) showNewLinkForm();
`;

/** The Content-Security-Policy allows only this script. */
export const SCRIPT_HASH = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;
