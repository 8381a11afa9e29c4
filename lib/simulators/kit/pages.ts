import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { Call, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

/** Buttons of a page: name in the form → label. */
type Buttons = Readonly<Record<string, string>>;

export const PAY_BUTTONS = { pay: 'Pay', decline: 'Decline', cancel: 'Cancel' } as const;
export const AUTHENTICATION_BUTTONS = { authenticate: 'Authenticate', fail: 'Fail' } as const;

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const buttonForm = (buttons: Buttons): string =>
  `<form method="post">${Object.entries(buttons)
    .map(([name, label]) => `<button name="do" value="${name}">${escapeHtml(label)}</button> `)
    .join('')}</form>`;

type PageContent = { readonly text?: string; readonly alert?: string | null; readonly buttons?: Buttons };

export function page(status: number, title: string, { text, alert, buttons }: PageContent): WireResponse {
  const content = [
    ...(alert ? [`<p role="alert">${escapeHtml(alert)}</p>`] : []),
    ...(text === undefined ? [] : [`<p>${escapeHtml(text)}</p>`]),
    ...(buttons ? [buttonForm(buttons)] : []),
  ];
  const head =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${escapeHtml(title)}</title>`;
  const style = 'font:16px system-ui;max-width:26rem;margin:4rem auto';
  const body = `${head}\n<body style="${style}"><h1>${escapeHtml(title)}</h1>${content.join('')}</body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body };
}

/** Where the customer pays. `declineReason` says why the attempt before failed. */
export const payPage = (amount: string, buttons: Buttons, declineReason: string | null = null): WireResponse =>
  page(200, `Pay ${amount}`, { alert: declineReason, buttons });

export const bankPage = (title: string, amount: string, buttons: Buttons = AUTHENTICATION_BUTTONS): WireResponse =>
  page(200, title, { text: `Your bank asks: is this payment of ${amount} yours?`, buttons });

export const closedPage = (reason: string): WireResponse => page(200, 'This page is closed', { text: reason });

export const notFoundPage = page(404, 'Not found', { text: 'There is nothing to pay here.' });
export const donePage = page(200, 'Done', { text: 'You may close this page.' });

export const redirectTo = (location: string): WireResponse => ({ status: 303, headers: { location }, body: '' });

/** Back to the shop's return URL, with the parameters the PSP adds. A page without links if there is no URL. */
export function redirectBack(returnUrl: string | null, parameters: Readonly<Record<string, string>>): WireResponse {
  if (returnUrl === null) return donePage;
  const url = new URL(returnUrl);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return redirectTo(url.href);
}

/** The button that was pressed; null if it is none of these. */
export function pressedButton<C extends Buttons>(call: Call, buttons: C): keyof C | null {
  const pressed = new URLSearchParams(call.request.body).get('do');
  return pressed !== null && Object.hasOwn(buttons, pressed) ? pressed : null;
}

/** The object of a page's URL. The URL alone gives access, because a customer has no credentials. */
export const objectOfPage = <T extends StoredObject>(
  { params }: Call,
  work: UnitOfWork,
  is: (stored: StoredObject) => stored is T,
): T | undefined => work.objects.find(params.id, is);

/** A page for the customer: GET shows it, POST handles a button. */
export const customerPage = (path: string, show: Route['run'], submit: Route['run']): readonly Route[] => [
  { method: 'GET', path, operation: null, run: show },
  { method: 'POST', path, operation: null, run: submit },
];
