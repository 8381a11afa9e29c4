import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';
import { settle } from '#lib/local/simulators/mollie/completion.ts';
import { declineFor } from '#lib/local/simulators/mollie/declines.ts';
import { isPayment, type StoredPayment } from '#lib/local/simulators/mollie/objects.ts';
import { attempt, fail, pageOf } from '#lib/local/simulators/mollie/outcomes.ts';

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

function find({ params }: Call, work: Work): StoredPayment | undefined {
  const found = work.objects.get(params.id ?? '');
  return found && isPayment(found) ? found : undefined;
}

function show(call: Call, work: Work): WireAnswer {
  const payment = find(call, work);
  if (!payment) return page(404, 'Not found', '<p>There is nothing to pay here.</p>');
  const { status, amount } = payment.body;
  const sum = safe(`${amount.value} ${amount.currency}`);
  if (status !== 'open') return page(200, 'This page is closed', `<p>The payment is ${status}.</p>`);
  if (payment.notes.asks === 'payment') return page(200, `Pay ${sum}`, buttons({ pay: 'Pay', decline: 'Decline', cancel: 'Cancel' }));
  return page(200, '3-D Secure', `<p>Your bank asks: is this payment of ${sum} yours?</p>${buttons({ authenticate: 'Authenticate', fail: 'Fail' })}`);
}

function answer(call: Call, work: Work): WireAnswer {
  const payment = find(call, work);
  const choice = new URLSearchParams(call.request.body).get('do');
  if (payment?.body.status !== 'open') return show(call, work);
  work.sendBy(payment.notes.webhook);
  const after = chosen(work, payment, choice);
  if (!after) return show(call, work);
  return after.body.status === 'open' ? goTo(pageOf(after.id)) : leave(after);
}

function chosen(work: Work, payment: StoredPayment, choice: string | null): StoredPayment | undefined {
  const { asks, behaviour } = payment.notes;
  if (asks === 'authentication')
    return choice === 'authenticate' || choice === 'fail' ? settle(work, payment, choice === 'fail' ? 'failed' : 'succeeded') : undefined;
  if (choice === 'pay') return attempt(work, payment, { behaviour, authenticated: false });
  if (choice === 'decline') return fail(work, payment, declineFor('card_declined'));
  return choice === 'cancel' ? fail(work, payment, declineFor('customer_canceled')) : undefined;
}

/** Back to where the customer came from. Mollie adds nothing to the address. */
function leave({ body: { status, redirectUrl, cancelUrl } }: StoredPayment): WireAnswer {
  const back = (status === 'canceled' ? cancelUrl : null) ?? redirectUrl;
  return back ? goTo(back) : page(200, 'Done', '<p>You may close this page.</p>');
}

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/checkout/{id}', operation: null, run: show },
  { method: 'POST', path: '/checkout/{id}', operation: null, run: answer },
];
