import { settleTransaction } from '#lib/local/simulators/flutterwave/completion.ts';
import { payOn } from '#lib/local/simulators/flutterwave/hosted.ts';
import { display } from '#lib/local/simulators/flutterwave/money.ts';
import { isPage, isTransaction, type StoredPage, type StoredTransaction } from '#lib/local/simulators/flutterwave/objects.ts';
import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import { HERE, type WireAnswer } from '#lib/local/simulators/frame/wire.ts';

const safe = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function page(status: number, title: string, content: string): WireAnswer {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<body style="font:16px system-ui;max-width:26rem;margin:4rem auto"><h1>${title}</h1>${content}</body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }, body };
}

const goTo = (location: string): WireAnswer => ({ status: 303, headers: { location }, body: '' });

const buttons = (choices: Readonly<Record<string, string>>): string =>
  `<form method="post">${Object.entries(choices)
    .map(([name, label]) => `<button name="do" value="${name}">${label}</button> `)
    .join('')}</form>`;

const gone = page(404, 'Not found', '<p>There is nothing to pay here.</p>');

/** Back to the merchant, with what Flutterwave adds to the address. */
function back(address: string, parameters: Readonly<Record<string, string>>): WireAnswer {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return goTo(url.href);
}

function leave({ id, body, notes }: StoredTransaction): WireAnswer {
  if (notes.returnUrl === null) return page(200, 'Done', '<p>You may close this page.</p>');
  return back(notes.returnUrl, { status: body.status, tx_ref: body.tx_ref, transaction_id: id });
}

const choiceIn = ({ request }: Call): string | null => new URLSearchParams(request.body).get('do');

function findPage(call: Call, work: Work): StoredPage | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return found && isPage(found) ? found : undefined;
}

function showPage(call: Call, work: Work): WireAnswer {
  const found = findPage(call, work);
  if (!found) return gone;
  const { amount, currency, status } = found.body;
  if (status !== 'open') return page(200, 'This page is closed', `<p>The payment is ${status}.</p>`);
  const declined = call.request.query.get('declined');
  const notice = declined === null ? '' : `<p role="alert">${safe(declined)}</p>`;
  return page(200, `Pay ${safe(display(amount, currency))}`, notice + buttons({ pay: 'Pay', decline: 'Decline', cancel: 'Cancel' }));
}

function answerPage(call: Call, work: Work): WireAnswer {
  const found = findPage(call, work);
  const choice = choiceIn(call);
  if (found?.body.status !== 'open') return showPage(call, work);
  if (choice === 'cancel') return back(found.body.redirect_url, { status: 'cancelled', tx_ref: found.body.tx_ref });
  if (choice !== 'pay' && choice !== 'decline') return showPage(call, work);
  work.sendBy(found.notes.webhook);
  const tried = payOn(work, found, choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : found.notes.behaviour);
  if (tried.body.status === 'failed') return goTo(`${HERE}/flutterwave/pay/${found.id}?declined=${encodeURIComponent(tried.body.processor_response)}`);
  return tried.notes.waitsFor === 'page' ? goTo(`${HERE}/flutterwave/3ds/${tried.id}`) : leave(tried);
}

function findTransaction(call: Call, work: Work): StoredTransaction | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return found && isTransaction(found) ? found : undefined;
}

function showQuestion(call: Call, work: Work): WireAnswer {
  const found = findTransaction(call, work);
  if (!found) return gone;
  if (found.notes.waitsFor !== 'page') return leave(found);
  const sum = safe(`${found.body.currency} ${found.body.amount}`);
  return page(200, 'Authorize', `<p>Your bank or network asks: is this payment of ${sum} yours?</p>${buttons({ authenticate: 'Authenticate', fail: 'Fail' })}`);
}

function answerQuestion(call: Call, work: Work): WireAnswer {
  const found = findTransaction(call, work);
  const choice = choiceIn(call);
  if (found?.notes.waitsFor !== 'page' || (choice !== 'authenticate' && choice !== 'fail')) return showQuestion(call, work);
  return leave(settleTransaction(work, found, choice === 'authenticate' ? 'succeeded' : 'failed', 'authentication_failed'));
}

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/pay/{id}', operation: null, run: showPage },
  { method: 'POST', path: '/pay/{id}', operation: null, run: answerPage },
  { method: 'GET', path: '/3ds/{id}', operation: null, run: showQuestion },
  { method: 'POST', path: '/3ds/{id}', operation: null, run: answerQuestion },
];
