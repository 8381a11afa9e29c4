import type { Behaviour } from '#lib/local/simulators/frame/behaviour.ts';
import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import { HERE, type WireAnswer } from '#lib/local/simulators/frame/wire.ts';
import type { StoredTransaction } from '#lib/local/simulators/paystack/objects.ts';
import { attempt, change, fail, succeed } from '#lib/local/simulators/paystack/outcomes.ts';
import { findTransaction } from '#lib/local/simulators/paystack/transactions.ts';

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

const sumOf = ({ body: { amount, currency } }: StoredTransaction): string => safe(`${currency} ${(amount / 100).toFixed(2)}`);
const isOver = ({ body: { status } }: StoredTransaction): boolean => status === 'success' || status === 'reversed' || status === 'failed';

/** Back to where the customer came from, with what Paystack adds to the address. */
function leave({ body: { reference }, notes: { callbackUrl } }: StoredTransaction): WireAnswer {
  if (callbackUrl === null) return done;
  const url = new URL(callbackUrl);
  url.searchParams.set('trxref', reference);
  url.searchParams.set('reference', reference);
  return goTo(url.href);
}

const chosen = (call: Call): string | null => new URLSearchParams(call.request.body).get('do');
const stored = (call: Call, work: Work): StoredTransaction | undefined => findTransaction(work, call.params.id ?? '');

function showCheckout(call: Call, work: Work): WireAnswer {
  const transaction = stored(call, work);
  if (!transaction) return gone;
  if (isOver(transaction) || transaction.body.status === 'pending')
    return page(200, 'This page is closed', `<p>The payment is ${transaction.body.status}.</p>`);
  const declined = call.request.query.get('declined');
  const notice = declined === null ? '' : `<p role="alert">${safe(declined)}</p>`;
  return page(200, `Pay ${sumOf(transaction)}`, notice + buttons({ pay: 'Pay', decline: 'Decline', cancel: 'Cancel' }));
}

function answerCheckout(call: Call, work: Work): WireAnswer {
  const transaction = stored(call, work);
  if (!transaction) return gone;
  const choice = chosen(call);
  if (choice === 'cancel') return done;
  if (isOver(transaction) || transaction.body.status === 'pending' || (choice !== 'pay' && choice !== 'decline')) return showCheckout(call, work);
  work.sendBy(transaction.notes.webhook);
  return tried(work, transaction, choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : transaction.notes.behaviour);
}

/** A declined try leaves the page open: the customer may pay with something else, and until then nothing is decided. */
function tried(work: Work, transaction: StoredTransaction, behaviour: Behaviour | null): WireAnswer {
  const after = attempt(work, transaction, behaviour);
  const { accessCode, steps } = after.notes;
  if (steps[0] === 'open_url') return goTo(`${HERE}/paystack/3ds/${accessCode}`);
  if (after.body.status !== 'failed') return leave(after);
  change(work, after, { status: 'abandoned' });
  return goTo(`${HERE}/paystack/checkout/${accessCode}?declined=${encodeURIComponent(after.body.gateway_response)}`);
}

const waits = (transaction: StoredTransaction): boolean => transaction.body.status === 'ongoing' && transaction.notes.steps[0] === 'open_url';

function showAuthentication(call: Call, work: Work): WireAnswer {
  const transaction = stored(call, work);
  if (!transaction) return gone;
  if (!waits(transaction)) return leave(transaction);
  return page(
    200,
    '3-D Secure',
    `<p>Your bank asks: is this payment of ${sumOf(transaction)} yours?</p>${buttons({ authenticate: 'Authenticate', fail: 'Fail' })}`,
  );
}

function answerAuthentication(call: Call, work: Work): WireAnswer {
  const transaction = stored(call, work);
  const choice = chosen(call);
  if (!transaction || !waits(transaction) || (choice !== 'authenticate' && choice !== 'fail')) return showAuthentication(call, work);
  work.sendBy(transaction.notes.webhook);
  const { reason } = transaction.notes.card;
  if (choice === 'authenticate') return leave(reason === null ? succeed(work, transaction) : fail(work, transaction, reason));
  if (transaction.notes.callbackUrl !== null) return tried(work, transaction, { kind: 'decline', code: 'authentication_failed' });
  return leave(fail(work, transaction, '3D Secure authentication failed'));
}

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/checkout/{id}', operation: null, run: showCheckout },
  { method: 'POST', path: '/checkout/{id}', operation: null, run: answerCheckout },
  { method: 'GET', path: '/3ds/{id}', operation: null, run: showAuthentication },
  { method: 'POST', path: '/3ds/{id}', operation: null, run: answerAuthentication },
];
