import { payOnPage, settlePayment } from '#lib/simulators/checkout/hosted-payments.ts';
import { display } from '#lib/simulators/checkout/money.ts';
import { isPage, isPayment, redirectUrl, type StoredPayment } from '#lib/simulators/checkout/objects.ts';
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
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

const { bankPage, closedPage, notFoundPage, payPage, redirectBack } = providerPages('Checkout.com');

function showPage(call: Call, work: UnitOfWork): WireResponse {
  const found = objectOfPage(call, work, isPage);
  if (!found) return notFoundPage;
  const { amount, currency, status } = found.body;
  if (status !== 'Payment Pending') return closedPage(`${status}.`);
  return payPage(display(amount, currency), PAY_BUTTONS);
}

function submitPage(call: Call, work: UnitOfWork): WireResponse {
  const found = objectOfPage(call, work, isPage);
  const choice = pressedButton(call, PAY_BUTTONS);
  if (found?.body.status !== 'Payment Pending' || !choice) return showPage(call, work);
  if (choice === 'cancel') return redirectTo(found.body.cancel_url);
  work.setWebhookMode(found.notes.webhook);
  const attempt = payOnPage(
    work,
    found,
    choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : found.notes.behaviour,
  );
  return attempt.payment.notes.redirect
    ? redirectTo(redirectUrl(attempt.payment))
    : returnToShop(attempt.payment, 'cko-payment-id', attempt.payment.id);
}

function showBank(call: Call, work: UnitOfWork): WireResponse {
  const payment = objectOfPage(call, work, isPayment);
  if (!payment) return notFoundPage;
  if (payment.body.status !== 'Pending') return returnToShop(payment, 'cko-session-id', payment.notes.session);
  return bankPage('Your bank', display(payment.body.amount, payment.body.currency));
}

function submitBank(call: Call, work: UnitOfWork): WireResponse {
  const payment = objectOfPage(call, work, isPayment);
  const choice = pressedButton(call, AUTHENTICATION_BUTTONS);
  if (payment?.body.status !== 'Pending' || !choice) return showBank(call, work);
  return returnToShop(
    settlePayment(work, payment, choice === 'authenticate' ? 'succeeded' : 'failed'),
    'cko-session-id',
    payment.notes.session,
  );
}

/** Back to the shop, with one parameter. */
function returnToShop({ body, notes: { urls } }: StoredPayment, name: string, value: string): WireResponse {
  return redirectBack(body.status === 'Declined' || body.status === 'Canceled' ? urls.failure : urls.success, {
    [name]: value,
  });
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/pay/{id}', showPage, submitPage),
  ...customerPage('/3ds/{id}', showBank, submitBank),
];
