import type { Stored } from '#lib/simulators/frame/object-store.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

/** What the customer may press: its name in the form, and its label. */
type Choices = Readonly<Record<string, string>>;

export const PAY = { pay: 'Pay', decline: 'Decline', cancel: 'Cancel' } as const;
export const AUTHENTICATE = { authenticate: 'Authenticate', fail: 'Fail' } as const;

const safe = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const buttons = (choices: Choices): string =>
  `<form method="post">${Object.entries(choices)
    .map(([name, label]) => `<button name="do" value="${name}">${safe(label)}</button> `)
    .join('')}</form>`;

type Shown = { readonly text?: string; readonly alert?: string | null; readonly choices?: Choices };

export function page(status: number, title: string, { text, alert, choices }: Shown): WireAnswer {
  const content = [
    ...(alert ? [`<p role="alert">${safe(alert)}</p>`] : []),
    ...(text === undefined ? [] : [`<p>${safe(text)}</p>`]),
    ...(choices ? [buttons(choices)] : []),
  ];
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${safe(title)}</title>
<body style="font:16px system-ui;max-width:26rem;margin:4rem auto"><h1>${safe(title)}</h1>${content.join('')}</body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body };
}

/** Where the customer pays. `refused`: what the bank said to the try before. */
export const payPage = (sum: string, choices: Choices, refused: string | null = null): WireAnswer =>
  page(200, `Pay ${sum}`, { alert: refused, choices });

export const bankPage = (title: string, sum: string, choices: Choices = AUTHENTICATE): WireAnswer =>
  page(200, title, { text: `Your bank asks: is this payment of ${sum} yours?`, choices });

export const closedPage = (why: string): WireAnswer => page(200, 'This page is closed', { text: why });

export const gone = page(404, 'Not found', { text: 'There is nothing to pay here.' });
export const done = page(200, 'Done', { text: 'You may close this page.' });

export const goTo = (location: string): WireAnswer => ({ status: 303, headers: { location }, body: '' });

/** Back to where the customer came from, with what the PSP adds to the address; nowhere if there is none. */
export function goBack(address: string | null, parameters: Readonly<Record<string, string>>): WireAnswer {
  if (address === null) return done;
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return goTo(url.href);
}

/** Which of the choices was pressed; null where it was none of them. */
export function chosen<C extends Choices>(call: Call, choices: C): keyof C | null {
  const pressed = new URLSearchParams(call.request.body).get('do');
  return pressed !== null && Object.hasOwn(choices, pressed) ? pressed : null;
}

/** The object of a page's URL. The URL alone gives access: a customer has no credentials. */
export const shownAt = <T extends Stored>(
  { params }: Call,
  work: Work,
  is: (stored: Stored) => stored is T,
): T | undefined => work.objects.find(params.id, is);

/** A page of the customer's, and what pressing something there does. */
export const customerPage = (path: string, show: Route['run'], answer: Route['run']): readonly Route[] => [
  { method: 'GET', path, operation: null, run: show },
  { method: 'POST', path, operation: null, run: answer },
];
