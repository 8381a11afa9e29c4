import {
  AUTHENTICATE,
  bankPage,
  chosen,
  closedPage,
  customerPage,
  goBack,
  gone,
  goTo,
  PAY,
  page,
  payPage,
  shownAt,
} from '#lib/simulators/frame/pages.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE, type WireAnswer } from '#lib/simulators/frame/wire.ts';
import { settleIntent } from '#lib/simulators/stripe/completion.ts';
import { display } from '#lib/simulators/stripe/money.ts';
import { isIntent, isSession, type StoredIntent, type StoredSession } from '#lib/simulators/stripe/objects.ts';
import { paySession, sessionOf } from '#lib/simulators/stripe/session-outcomes.ts';

function showSession(call: Call, work: Work): WireAnswer {
  const session = shownAt(call, work, isSession);
  if (!session) return gone;
  const { amount_total: amount, currency, status } = session.body;
  if (status !== 'open') return closedPage(`The payment is ${status}.`);
  return payPage(display(amount, currency), PAY, call.request.query.get('declined'));
}

const CANCELED = page(200, 'Canceled', { text: 'You may close this page.' });

const successUrl = ({ id, body }: StoredSession): string =>
  (body.success_url ?? HERE).replaceAll('{CHECKOUT_SESSION_ID}', id);

function answerSession(call: Call, work: Work): WireAnswer {
  const session = shownAt(call, work, isSession);
  const choice = chosen(call, PAY);
  if (session?.body.status !== 'open' || !choice) return showSession(call, work);
  if (choice === 'cancel') return session.body.cancel_url === null ? CANCELED : goTo(session.body.cancel_url);
  work.sendBy(session.notes.webhook);
  return afterTry(
    session,
    paySession(
      work,
      session,
      choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : session.notes.behaviour,
    ),
  );
}

/** Where the customer ends up after a try to pay. */
function afterTry(session: StoredSession, { id, body }: StoredIntent): WireAnswer {
  if (body.status === 'requires_action') return goTo(`${HERE}/stripe/3ds/${id}`);
  const why = body.last_payment_error?.message ?? 'Your card was declined.';
  if (body.status === 'requires_payment_method')
    return goTo(`${HERE}/stripe/pay/${session.id}?declined=${encodeURIComponent(why)}`);
  return goTo(successUrl(session));
}

function showAuthentication(call: Call, work: Work): WireAnswer {
  const intent = shownAt(call, work, isIntent);
  if (!intent) return gone;
  if (intent.body.status !== 'requires_action') return leave(intent, work);
  return bankPage('3-D Secure', display(intent.body.amount, intent.body.currency));
}

function answerAuthentication(call: Call, work: Work): WireAnswer {
  const intent = shownAt(call, work, isIntent);
  const choice = chosen(call, AUTHENTICATE);
  if (intent?.body.status !== 'requires_action' || !choice) return showAuthentication(call, work);
  return leave(settleIntent(work, intent, choice === 'authenticate' ? 'succeeded' : 'failed'), work);
}

/** Back to where the customer came from, with what Stripe adds to the address. */
function leave(intent: StoredIntent, work: Work): WireAnswer {
  const session = sessionOf(work, intent);
  if (session) return afterTry(session, intent);
  const { id, client_secret, status } = intent.body;
  const verdict =
    status === 'processing'
      ? 'pending'
      : status === 'succeeded' || status === 'requires_capture'
        ? 'succeeded'
        : 'failed';
  return goBack(intent.notes.returnUrl, {
    payment_intent: id,
    payment_intent_client_secret: client_secret,
    redirect_status: verdict,
  });
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/pay/{id}', showSession, answerSession),
  ...customerPage('/3ds/{id}', showAuthentication, answerAuthentication),
];
