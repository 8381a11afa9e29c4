import { dialogOf } from '#client/reference/dialogs.ts';
import { all, hostValue, need } from '#client/reference/find.ts';
import { makeKey, sandboxKeyOf } from '#client/reference/make-key.ts';

/** In this tab only: the browser forgets it with the tab, and sends it nowhere. */
const KEPT = 'payfork.docs.key';

/** The reader's sandbox key in every example. A live key is never taken. */
export function startReaderKey(): void {
  const isLive = hostValue('stage') === 'live';
  need('#reader-key-make', HTMLButtonElement).hidden = isLive;
  need('#reader-key-make', HTMLButtonElement).addEventListener('click', () => void make());
  need('#reader-key-forget', HTMLButtonElement).addEventListener('click', forget);
  need('#reader-key-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    take(need('#reader-key-text', HTMLInputElement));
  });
  const kept = sessionStorage.getItem(KEPT);
  if (kept) fill(kept);
  else if (hostValue('control') !== '') void useDemoKey();
  say(
    isLive
      ? 'This host is live: it makes no keys for examples. Paste a sandbox key.'
      : 'Sign in first to have a key made. It may do what the examples do, in the sandbox only.',
  );
}

const say = (text: string): void => {
  need('#reader-key-now', HTMLParagraphElement).textContent = text;
};

/** On a machine of one's own the demo organization has a key. */
async function useDemoKey(): Promise<void> {
  try {
    const info = await (await fetch(`${hostValue('control')}/info`)).json();
    const key = sandboxKeyOf(String(info.keys.secret));
    if (key) keep(key, "The examples have the demo organization's key.");
  } catch {
    // The page was opened under another address, or the host has ended: the examples keep their placeholder.
  }
}

async function make(): Promise<void> {
  say('Making a key …');
  const made = await makeKey();
  if ('key' in made) keep(made.key, `The examples have the new key “${made.name}”. The dashboard lists it.`);
  else showProblem(made.problem, made.link);
}

function showProblem(problem: string, link: { readonly href: string; readonly text: string } | undefined): void {
  say(problem);
  if (!link) return;
  const anchor = document.createElement('a');
  anchor.href = link.href;
  anchor.textContent = link.text;
  need('#reader-key-now', HTMLParagraphElement).append(' ', anchor);
}

function take(input: HTMLInputElement): void {
  const key = sandboxKeyOf(input.value.trim());
  input.value = '';
  if (key) keep(key, 'The examples have your key.');
  else say('This is no secret key of the sandbox. Paste one that begins with sk_sandbox_. Never paste a live key.');
}

function keep(key: string, message: string): void {
  sessionStorage.setItem(KEPT, key);
  fill(key);
  say(message);
}

function fill(key: string): void {
  for (const place of all('.reader-key')) {
    place.dataset.placeholder ??= place.textContent;
    place.textContent = key;
  }
  need('#reader-key-forget', HTMLButtonElement).hidden = false;
  need('[data-opens="reader-key"]', HTMLButtonElement).textContent = 'Key filled in';
}

function forget(): void {
  sessionStorage.removeItem(KEPT);
  for (const place of all('.reader-key')) place.textContent = place.dataset.placeholder ?? place.textContent;
  need('#reader-key-forget', HTMLButtonElement).hidden = true;
  need('[data-opens="reader-key"]', HTMLButtonElement).textContent = 'Your key';
  say('The examples have the placeholder again. The key itself still works: revoke it in the dashboard.');
  dialogOf('reader-key').querySelector('button')?.focus();
}
