import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import { PAGE_POLICY, PAGE_STYLE } from '#lib/simulators/kit/page-style.ts';
import type { Call, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

/** Buttons of a page: name in the form → label. */
type Buttons = Readonly<Record<string, string>>;

export const PAY_BUTTONS = { pay: 'Pay', decline: 'Decline', cancel: 'Cancel' } as const;
export const AUTHENTICATION_BUTTONS = { authenticate: 'Authenticate', fail: 'Fail' } as const;

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The first button does what the page is for. */
const buttonForm = (buttons: Buttons): string =>
  `<form method="post">${Object.entries(buttons)
    .map(([name, label], n) => {
      const style = n === 0 ? ' class="first"' : '';
      return `<button${style} name="do" value="${name}">${escapeHtml(label)}</button>`;
    })
    .join('')}</form>`;

type PageContent = {
  readonly text?: string;
  readonly alert?: string | null;
  readonly buttons?: Buttons;
  /** A form that posts these fields to another site. */
  readonly post?: { readonly address: string; readonly fields: Readonly<Record<string, string>> };
};

const postForm = ({ address, fields }: NonNullable<PageContent['post']>): string => {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const button = '<button class="first">Continue</button>';
  return `<form method="post" action="${escapeHtml(address)}">${inputs.join('')}${button}</form>`;
};

function page(
  provider: string,
  status: number,
  title: string,
  { text, alert, buttons, post }: PageContent,
): WireResponse {
  const name = escapeHtml(provider);
  const content = [
    `<header><span class="provider">${name}</span><span class="simulated">Simulated page</span></header>`,
    ...(alert ? [`<p class="alert" role="alert">${escapeHtml(alert)}</p>`] : []),
    `<h1>${escapeHtml(title)}</h1>`,
    ...(text === undefined ? [] : [`<p>${escapeHtml(text)}</p>`]),
    ...(buttons ? [buttonForm(buttons)] : []),
    ...(post ? [postForm(post)] : []),
    `<p class="muted">This page stands in for ${name} on your computer. No real money moves.</p>`,
  ];
  const head = [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)} – ${name}, simulated</title><style>${PAGE_STYLE}</style></head>`,
  ];
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': PAGE_POLICY,
  };
  return { status, headers, body: `${head.join('')}\n<body><main>\n${content.join('\n')}\n</main></body></html>` };
}

/** The pages of one provider. All of them name it. */
export type ProviderPages = {
  readonly page: (status: number, title: string, content: PageContent) => WireResponse;
  /** Where the customer pays. `declineReason` says why the attempt before failed. */
  readonly payPage: (amount: string, buttons: Buttons, declineReason?: string | null) => WireResponse;
  readonly bankPage: (title: string, amount: string, buttons?: Buttons) => WireResponse;
  readonly closedPage: (reason: string) => WireResponse;
  readonly notFoundPage: WireResponse;
  readonly donePage: WireResponse;
  /** For a customer who stops, where the PSP has no URL to send them to. */
  readonly canceledPage: WireResponse;
  /** Posts the customer back to the shop. */
  readonly postBackPage: (address: string, fields: Readonly<Record<string, string>>) => WireResponse;
  /** Back to the shop's return URL, with the parameters the PSP adds. A page without links if there is no URL. */
  readonly redirectBack: (returnUrl: string | null, parameters: Readonly<Record<string, string>>) => WireResponse;
};

export function providerPages(provider: string): ProviderPages {
  const own = (status: number, title: string, content: PageContent) => page(provider, status, title, content);
  const donePage = own(200, 'Done', { text: 'You may close this page.' });
  return {
    page: own,
    payPage: (amount, buttons, declineReason = null) => own(200, `Pay ${amount}`, { alert: declineReason, buttons }),
    bankPage: (title, amount, buttons = AUTHENTICATION_BUTTONS) =>
      own(200, title, { text: `Your bank asks: is this payment of ${amount} yours?`, buttons }),
    closedPage: (reason) => own(200, 'This page is closed', { text: reason }),
    notFoundPage: own(404, 'Not found', { text: 'There is nothing to pay here.' }),
    donePage,
    canceledPage: own(200, 'Canceled', {
      text: 'You stopped the payment. You may close this page, or go back to the shop.',
    }),
    postBackPage: (address, fields) => own(200, 'Back to the shop', { post: { address, fields } }),
    redirectBack: (returnUrl, parameters) =>
      returnUrl === null ? donePage : redirectTo(withParameters(returnUrl, parameters)),
  };
}

export const redirectTo = (location: string): WireResponse => ({ status: 303, headers: { location }, body: '' });

/** The shop's URL stays as it is: providers append to it. */
function withParameters(returnUrl: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  const mark = returnUrl.indexOf('#');
  const [address, fragment] = mark < 0 ? [returnUrl, ''] : [returnUrl.slice(0, mark), returnUrl.slice(mark)];
  return query === '' ? returnUrl : `${address}${address.includes('?') ? '&' : '?'}${query}${fragment}`;
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

/** A page for the customer: GET and HEAD show it, POST handles a button. */
export const customerPage = (path: string, show: Route['run'], submit: Route['run']): readonly Route[] => [
  { method: 'GET', path, operation: null, run: show },
  { method: 'HEAD', path, operation: null, run: (call, work) => ({ ...show(call, work), body: '' }) },
  { method: 'POST', path, operation: null, run: submit },
];
