import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';
import { HERE } from '#lib/local/simulators/frame/wire.ts';
import { settlePayment } from '#lib/local/simulators/razorpay/completion.ts';
import { payLink } from '#lib/local/simulators/razorpay/links.ts';
import { display } from '#lib/local/simulators/razorpay/money.ts';
import { isLink, isPayment, linkOf, type StoredLink, type StoredPayment } from '#lib/local/simulators/razorpay/objects.ts';
import { bankPage, success } from '#lib/local/simulators/razorpay/payments.ts';

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
const done = page(200, 'Done', '<p>You may close this page.</p>');

const choiceIn = (call: Call): string | null => new URLSearchParams(call.request.body).get('do');

function withParameters(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function linkAt(call: Call, work: Work): StoredLink | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return found && isLink(found) ? found : undefined;
}

function showLink(call: Call, work: Work): WireAnswer {
  const link = linkAt(call, work);
  if (!link) return gone;
  const { amount, currency, status } = link.body;
  if (status !== 'created') return page(200, 'This page is closed', `<p>The payment link is ${status}.</p>`);
  const failed = call.request.query.get('failed');
  const notice = failed === null ? '' : `<p role="alert">${safe(failed)}</p>`;
  return page(200, `Pay ${safe(display(amount, currency))}`, notice + buttons({ pay: 'Pay', decline: 'Decline' }));
}

function answerLink(call: Call, work: Work): WireAnswer {
  const link = linkAt(call, work);
  const choice = choiceIn(call);
  if (link?.body.status !== 'created' || (choice !== 'pay' && choice !== 'decline')) return showLink(call, work);
  work.sendBy(link.notes.webhook);
  const { payment, came } = payLink(work, link, choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : link.notes.behaviour);
  return came === 'asked' ? goTo(bankPage(payment.id)) : afterTry(work, payment);
}

/** Only who has paid is sent back; a failed try returns to the page, for another one. */
function afterTry(work: Work, payment: StoredPayment): WireAnswer {
  const link = linkOf(work.objects, payment);
  if (!link) return leave(payment);
  const { status, error_description } = payment.body;
  if (status === 'failed') return goTo(`${HERE}/razorpay/l/${link.id}?failed=${encodeURIComponent(error_description ?? '')}`);
  if (link.body.status !== 'paid' || link.body.callback_url === undefined)
    return page(200, 'Thank you', '<p>Your bank is working on the payment. You may close this page.</p>');
  return goTo(
    withParameters(link.body.callback_url, {
      razorpay_payment_id: payment.id,
      razorpay_payment_link_id: link.id,
      razorpay_payment_link_reference_id: link.body.reference_id,
      razorpay_payment_link_status: link.body.status,
      ...(payment.notes.signature !== null && { razorpay_signature: payment.notes.signature }),
    }),
  );
}

/** Razorpay has the browser post this; here it stands in the address, which the same page of the merchant's reads. */
function leave(payment: StoredPayment): WireAnswer {
  const { callbackUrl } = payment.notes;
  if (callbackUrl === null) return done;
  const { status, error_reason, error_description } = payment.body;
  const failed = { 'error[code]': 'BAD_REQUEST_ERROR', 'error[reason]': error_reason ?? '', 'error[description]': error_description ?? '' };
  return goTo(withParameters(callbackUrl, status === 'failed' ? failed : success(payment)));
}

function paymentAt(call: Call, work: Work): StoredPayment | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return found && isPayment(found) ? found : undefined;
}

function showBank(call: Call, work: Work): WireAnswer {
  const payment = paymentAt(call, work);
  if (!payment) return gone;
  if (payment.body.status !== 'created') return afterTry(work, payment);
  const sum = safe(display(payment.body.amount, payment.body.currency));
  return page(200, 'Your bank', `<p>Your bank asks: is this payment of ${sum} yours?</p>${buttons({ authenticate: 'Success', fail: 'Failure' })}`);
}

function answerBank(call: Call, work: Work): WireAnswer {
  const payment = paymentAt(call, work);
  const choice = choiceIn(call);
  if (payment?.body.status !== 'created' || (choice !== 'authenticate' && choice !== 'fail')) return showBank(call, work);
  return afterTry(work, settlePayment(work, payment, choice === 'authenticate' ? 'succeeded' : 'failed'));
}

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/l/{id}', operation: null, run: showLink },
  { method: 'POST', path: '/l/{id}', operation: null, run: answerLink },
  { method: 'GET', path: '/v1/payments/{id}/authorize', operation: null, run: showBank },
  { method: 'POST', path: '/v1/payments/{id}/authorize', operation: null, run: answerBank },
];
