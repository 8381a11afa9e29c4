import type { Call, Route, Work } from '#lib/local/simulators/frame/provider.port.ts';
import { HERE, type WireAnswer } from '#lib/local/simulators/frame/wire.ts';
import { settleIntent } from '#lib/local/simulators/stripe/completion.ts';
import { parseForm, textAt } from '#lib/local/simulators/stripe/form.ts';
import { display } from '#lib/local/simulators/stripe/money.ts';
import { isIntent, isSession, type StoredIntent, type StoredSession } from '#lib/local/simulators/stripe/objects.ts';
import { paySession, sessionOf } from '#lib/local/simulators/stripe/session-outcomes.ts';

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

function findSession(call: Call, work: Work): StoredSession | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return found && isSession(found) ? found : undefined;
}

function showSession(call: Call, work: Work): WireAnswer {
  const session = findSession(call, work);
  if (!session) return gone;
  const { amount_total: amount, currency, status } = session.body;
  if (status !== 'open') return page(200, 'This page is closed', `<p>The payment is ${status}.</p>`);
  const declined = call.request.query.get('declined');
  const notice = declined === null ? '' : `<p role="alert">${safe(declined)}</p>`;
  return page(200, `Pay ${safe(display(amount, currency))}`, notice + buttons({ pay: 'Pay', decline: 'Decline', cancel: 'Cancel' }));
}

const successUrl = ({ id, body }: StoredSession): string => (body.success_url ?? HERE).replaceAll('{CHECKOUT_SESSION_ID}', id);

function answerSession(call: Call, work: Work): WireAnswer {
  const session = findSession(call, work);
  if (!session) return gone;
  if (session.body.status !== 'open') return showSession(call, work);
  const choice = textAt(parseForm(call.request.body), 'do');
  if (choice === 'cancel') return session.body.cancel_url === null ? page(200, 'Canceled', '<p>You may close this page.</p>') : goTo(session.body.cancel_url);
  if (choice !== 'pay' && choice !== 'decline') return showSession(call, work);
  work.sendBy(session.notes.webhook);
  return afterTry(session, paySession(work, session, choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : session.notes.behaviour));
}

/** Where the customer finds herself after a try to pay. */
function afterTry(session: StoredSession, { id, body }: StoredIntent): WireAnswer {
  if (body.status === 'requires_action') return goTo(`${HERE}/stripe/3ds/${id}`);
  const why = body.last_payment_error?.message ?? 'Your card was declined.';
  if (body.status === 'requires_payment_method') return goTo(`${HERE}/stripe/pay/${session.id}?declined=${encodeURIComponent(why)}`);
  return goTo(successUrl(session));
}

function findIntent(call: Call, work: Work): StoredIntent | undefined {
  const found = work.objects.get(call.params.id ?? '');
  return found && isIntent(found) ? found : undefined;
}

function showAuthentication(call: Call, work: Work): WireAnswer {
  const intent = findIntent(call, work);
  if (!intent) return gone;
  if (intent.body.status !== 'requires_action') return leave(intent, work);
  const sum = safe(display(intent.body.amount, intent.body.currency));
  return page(200, '3-D Secure', `<p>Your bank asks: is this payment of ${sum} yours?</p>${buttons({ authenticate: 'Authenticate', fail: 'Fail' })}`);
}

function answerAuthentication(call: Call, work: Work): WireAnswer {
  const intent = findIntent(call, work);
  const choice = textAt(parseForm(call.request.body), 'do');
  if (intent?.body.status !== 'requires_action' || (choice !== 'authenticate' && choice !== 'fail')) return showAuthentication(call, work);
  return leave(settleIntent(work, intent, choice === 'authenticate' ? 'succeeded' : 'failed'), work);
}

/** Back to where the customer came from, with what Stripe adds to the address. */
function leave(intent: StoredIntent, work: Work): WireAnswer {
  const session = sessionOf(work, intent);
  if (session) return afterTry(session, intent);
  const { returnUrl } = intent.notes;
  if (returnUrl === null) return page(200, 'Done', '<p>You may close this page.</p>');
  const { id, client_secret, status } = intent.body;
  const verdict = status === 'processing' ? 'pending' : status === 'succeeded' || status === 'requires_capture' ? 'succeeded' : 'failed';
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', id);
  url.searchParams.set('payment_intent_client_secret', client_secret);
  url.searchParams.set('redirect_status', verdict);
  return goTo(url.href);
}

export const pageRoutes: readonly Route[] = [
  { method: 'GET', path: '/pay/{id}', operation: null, run: showSession },
  { method: 'POST', path: '/pay/{id}', operation: null, run: answerSession },
  { method: 'GET', path: '/3ds/{id}', operation: null, run: showAuthentication },
  { method: 'POST', path: '/3ds/{id}', operation: null, run: answerAuthentication },
];
