import {
  AUTHENTICATION_BUTTONS,
  customerPage,
  objectOfPage,
  PAY_BUTTONS,
  pressedButton,
  providerPages,
  redirectTo,
} from '#lib/simulators/kit/pages.ts';
import type { Call, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL, type WireResponse } from '#lib/simulators/kit/wire.ts';
import { display } from '#lib/simulators/stripe/money.ts';
import { isIntent, isSession, type StoredIntent, type StoredSession } from '#lib/simulators/stripe/objects.ts';
import { paySession, sessionOf, settleIntent } from '#lib/simulators/stripe/session-outcomes.ts';

const { bankPage, canceledPage, closedPage, notFoundPage, payPage, redirectBack } = providerPages('Stripe');

function showSession(call: Call, work: UnitOfWork): WireResponse {
  const session = objectOfPage(call, work, isSession);
  if (!session) return notFoundPage;
  const { amount_total: amount, currency, status } = session.body;
  if (status !== 'open') return closedPage(`The payment is ${status}.`);
  return payPage(display(amount, currency), PAY_BUTTONS, call.request.query.get('declined'));
}

const successUrl = ({ id, body }: StoredSession): string =>
  (body.success_url ?? BASE_URL).replaceAll('{CHECKOUT_SESSION_ID}', id);

function submitSession(call: Call, work: UnitOfWork): WireResponse {
  const session = objectOfPage(call, work, isSession);
  const choice = pressedButton(call, PAY_BUTTONS);
  if (session?.body.status !== 'open' || !choice) return showSession(call, work);
  if (choice === 'cancel') return session.body.cancel_url === null ? canceledPage : redirectTo(session.body.cancel_url);
  work.setWebhookMode(session.notes.webhook);
  return afterAttempt(
    session,
    paySession(
      work,
      session,
      choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : session.notes.behaviour,
    ),
  );
}

/** Where the customer goes after an attempt to pay. */
function afterAttempt(session: StoredSession, { id, body }: StoredIntent): WireResponse {
  if (body.status === 'requires_action') return redirectTo(`${BASE_URL}/stripe/3ds/${id}`);
  const reason = body.last_payment_error?.message ?? 'Your card was declined.';
  if (body.status === 'requires_payment_method')
    return redirectTo(`${BASE_URL}/stripe/pay/${session.id}?declined=${encodeURIComponent(reason)}`);
  return redirectTo(successUrl(session));
}

function showAuthentication(call: Call, work: UnitOfWork): WireResponse {
  const intent = objectOfPage(call, work, isIntent);
  if (!intent) return notFoundPage;
  if (intent.body.status !== 'requires_action') return returnToShop(intent, work);
  return bankPage('3-D Secure', display(intent.body.amount, intent.body.currency));
}

function submitAuthentication(call: Call, work: UnitOfWork): WireResponse {
  const intent = objectOfPage(call, work, isIntent);
  const choice = pressedButton(call, AUTHENTICATION_BUTTONS);
  if (intent?.body.status !== 'requires_action' || !choice) return showAuthentication(call, work);
  return returnToShop(settleIntent(work, intent, choice === 'authenticate' ? 'succeeded' : 'failed'), work);
}

function redirectStatusOf(status: StoredIntent['body']['status']): string {
  if (status === 'processing') return 'pending';
  return status === 'succeeded' || status === 'requires_capture' ? 'succeeded' : 'failed';
}

/** Back to the shop, with the parameters that Stripe adds. */
function returnToShop(intent: StoredIntent, work: UnitOfWork): WireResponse {
  const session = sessionOf(work, intent);
  if (session) return afterAttempt(session, intent);
  const { id, client_secret, status } = intent.body;
  return redirectBack(intent.notes.returnUrl, {
    payment_intent: id,
    payment_intent_client_secret: client_secret,
    redirect_status: redirectStatusOf(status),
  });
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/pay/{id}', showSession, submitSession),
  ...customerPage('/3ds/{id}', showAuthentication, submitAuthentication),
];
