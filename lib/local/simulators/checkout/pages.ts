import { settlePayment } from '#lib/local/simulators/checkout/completion.ts';
import { payOnPage } from '#lib/local/simulators/checkout/hosted.ts';
import { display } from '#lib/local/simulators/checkout/money.ts';
import { isPage, isPayment, type StoredPage, type StoredPayment } from '#lib/local/simulators/checkout/objects.ts';
import { redirectOf } from '#lib/local/simulators/checkout/views.ts';
import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';

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
const done = page(200, 'Done', '<p>You may close this page.</p>');

const choiceOf = ({ request }: Call): string | null => new URLSearchParams(request.body).get('do');

function findPage(call: Call, work: Work): StoredPage | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return found && isPage(found) ? found : undefined;
}

function showPage(call: Call, work: Work): WireAnswer {
  const found = findPage(call, work);
  if (!found) return gone;
  const { amount, currency, status } = found.body;
  if (status !== 'Payment Pending') return page(200, 'This page is closed', `<p>${status}.</p>`);
  return page(200, `Pay ${display(amount, currency)}`, buttons({ pay: 'Pay', decline: 'Decline', cancel: 'Cancel' }));
}

function answerPage(call: Call, work: Work): WireAnswer {
  const found = findPage(call, work);
  const choice = choiceOf(call);
  if (found?.body.status !== 'Payment Pending' || (choice !== 'pay' && choice !== 'decline' && choice !== 'cancel')) return showPage(call, work);
  if (choice === 'cancel') return goTo(found.body.cancel_url);
  work.sendBy(found.notes.webhook);
  const made = payOnPage(work, found, choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : found.notes.behaviour);
  return made.payment.notes.redirect ? goTo(redirectOf(made.payment)) : leave(made.payment, 'cko-payment-id', made.payment.id);
}

function findPayment(call: Call, work: Work): StoredPayment | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return found && isPayment(found) ? found : undefined;
}

function showBank(call: Call, work: Work): WireAnswer {
  const payment = findPayment(call, work);
  if (!payment) return gone;
  if (payment.body.status !== 'Pending') return leave(payment, 'cko-session-id', payment.notes.session);
  const sum = display(payment.body.amount, payment.body.currency);
  return page(200, 'Your bank', `<p>Your bank asks: is this payment of ${sum} yours?</p>${buttons({ authenticate: 'Authenticate', fail: 'Fail' })}`);
}

function answerBank(call: Call, work: Work): WireAnswer {
  const payment = findPayment(call, work);
  const choice = choiceOf(call);
  if (payment?.body.status !== 'Pending' || (choice !== 'authenticate' && choice !== 'fail')) return showBank(call, work);
  return leave(settlePayment(work, payment, choice === 'authenticate' ? 'succeeded' : 'failed'), 'cko-session-id', payment.notes.session);
}

/** Back to where the customer came from, with what is added to the address. */
function leave({ body, notes: { urls } }: StoredPayment, name: string, value: string): WireAnswer {
  const target = body.status === 'Declined' || body.status === 'Canceled' ? urls.failure : urls.success;
  if (target === null) return done;
  const url = new URL(target);
  url.searchParams.set(name, value);
  return goTo(url.href);
}

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/pay/{id}', operation: null, run: showPage },
  { method: 'POST', path: '/pay/{id}', operation: null, run: answerPage },
  { method: 'GET', path: '/3ds/{id}', operation: null, run: showBank },
  { method: 'POST', path: '/3ds/{id}', operation: null, run: answerBank },
];
