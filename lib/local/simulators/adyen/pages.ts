import { settlePayment } from '#lib/local/simulators/adyen/completion.ts';
import { linkOf, payLink } from '#lib/local/simulators/adyen/links.ts';
import { display } from '#lib/local/simulators/adyen/money.ts';
import { isLink, isPayment, type StoredLink, type StoredPayment } from '#lib/local/simulators/adyen/objects.ts';
import { change, nameIt } from '#lib/local/simulators/adyen/outcomes.ts';
import { reasonOf } from '#lib/local/simulators/adyen/refusals.ts';
import { letters } from '#lib/local/simulators/frame/letters.ts';
import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import { HERE, type WireAnswer } from '#lib/local/simulators/frame/wire.ts';

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

const choiceIn = (call: Call): string => new URLSearchParams(call.request.body).get('do') ?? '';

function findLink(call: Call, work: Work): StoredLink | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return isLink(found) ? found : undefined;
}

function showLink(call: Call, work: Work): WireAnswer {
  const link = findLink(call, work);
  if (!link) return gone;
  if (link.body.status !== 'active') return page(200, 'This page is closed', `<p>The payment link is ${link.body.status}.</p>`);
  const code = call.request.query.get('refused');
  const notice = code === null ? '' : `<p role="alert">${reasonOf(code)}</p>`;
  return page(200, `Pay ${display(link.body.amount)}`, notice + buttons({ pay: 'Pay', decline: 'Decline', cancel: 'Cancel' }));
}

/** Adyen shows how it went and a button that leads back; here the way back is taken at once. It adds nothing to the address. */
const leaveLink = ({ body }: StoredLink): WireAnswer => (body.returnUrl === undefined ? done : goTo(body.returnUrl));

function answerLink(call: Call, work: Work): WireAnswer {
  const link = findLink(call, work);
  const choice = choiceIn(call);
  if (link?.body.status !== 'active' || !['pay', 'decline', 'cancel'].includes(choice)) return showLink(call, work);
  if (choice === 'cancel') return leaveLink(link);
  work.sendBy(link.notes.webhook);
  return afterTry(link, payLink(work, link, choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : link.notes.behaviour));
}

function afterTry(link: StoredLink, { id, body }: StoredPayment): WireAnswer {
  if (body.status === 'waiting') return goTo(`${HERE}/adyen/redirect/${id}`);
  if (body.status === 'refused' || body.status === 'cancelled') return goTo(`${HERE}/adyen/pay/${link.id}?refused=${body.code ?? '2'}`);
  return leaveLink(link);
}

function findPayment(call: Call, work: Work): StoredPayment | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return isPayment(found) ? found : undefined;
}

function showRedirect(call: Call, work: Work): WireAnswer {
  const payment = findPayment(call, work);
  if (!payment) return gone;
  if (payment.body.status !== 'waiting') return leave(work, payment);
  const question = `<p>Your bank asks: is this payment of ${display(payment.body.amount)} yours?</p>`;
  return page(200, '3-D Secure', question + buttons({ authenticate: 'Authenticate', fail: 'Fail', cancel: 'Cancel' }));
}

/** A bank takes the money here. A card is only authenticated: the charge is made when the merchant goes on with it, unless the page is Adyen's own. */
function answerRedirect(call: Call, work: Work): WireAnswer {
  const payment = findPayment(call, work);
  const choice = choiceIn(call);
  if (payment?.body.status !== 'waiting' || !['authenticate', 'fail', 'cancel'].includes(choice)) return showRedirect(call, work);
  const passed = choice === 'cancel' ? null : choice === 'authenticate';
  if (payment.parent === null && !(payment.notes.method.paidAway && passed !== null)) return leave(work, change(work, payment, {}, { passed }));
  return leave(work, settlePayment(work, payment, passed ? 'succeeded' : 'failed'));
}

/** Back to where the customer came from, with what the merchant is to go on with. */
function leave(work: Work, payment: StoredPayment): WireAnswer {
  const link = linkOf(work, payment);
  if (link) return afterTry(link, payment);
  const redirectResult = `X6Xtf${letters(40)}!`;
  nameIt(work, redirectResult, payment.id);
  const url = new URL(payment.notes.returnUrl);
  url.searchParams.set('redirectResult', redirectResult);
  return goTo(url.href);
}

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/pay/{id}', operation: null, run: showLink },
  { method: 'POST', path: '/pay/{id}', operation: null, run: answerLink },
  { method: 'GET', path: '/redirect/{id}', operation: null, run: showRedirect },
  { method: 'POST', path: '/redirect/{id}', operation: null, run: answerRedirect },
];
