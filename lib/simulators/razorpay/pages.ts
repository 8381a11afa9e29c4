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
import { payOnLink } from '#lib/simulators/razorpay/links.ts';
import { display } from '#lib/simulators/razorpay/money.ts';
import { isLink, isPayment, linkOf, type StoredPayment } from '#lib/simulators/razorpay/objects.ts';
import { settlePayment } from '#lib/simulators/razorpay/outcomes.ts';
import { bankPageUrl, successResponse } from '#lib/simulators/razorpay/payments.ts';
import { PAGE_METHOD, PAGE_METHOD_WITH_FEE } from '#lib/simulators/razorpay/test-methods.ts';

const { bankPage, closedPage, notFoundPage, page, payPage, redirectBack } = providerPages('Razorpay');

/** `fee`: the customers of some accounts pay the fee beside the price. */
const LINK_BUTTONS = { pay: PAY_BUTTONS.pay, fee: 'Pay with a convenience fee', decline: PAY_BUTTONS.decline };

function showLink(call: Call, work: UnitOfWork): WireResponse {
  const link = objectOfPage(call, work, isLink);
  if (!link) return notFoundPage;
  const { amount, currency, status } = link.body;
  if (status !== 'created') return closedPage(`The payment link is ${status}.`);
  return payPage(display(amount, currency), LINK_BUTTONS, call.request.query.get('failed'));
}

function submitLink(call: Call, work: UnitOfWork): WireResponse {
  const link = objectOfPage(call, work, isLink);
  const choice = pressedButton(call, LINK_BUTTONS);
  if (link?.body.status !== 'created' || !choice) return showLink(call, work);
  work.setWebhookMode(link.notes.webhook);
  const { payment, result } = payOnLink(
    work,
    link,
    choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : link.notes.behaviour,
    choice === 'fee' ? PAGE_METHOD_WITH_FEE : PAGE_METHOD,
  );
  return result === 'requires_action' ? redirectTo(bankPageUrl(payment.id)) : afterAttempt(work, payment);
}

/** Only a paid link redirects to the shop. A failed attempt returns to the page. */
function afterAttempt(work: UnitOfWork, payment: StoredPayment): WireResponse {
  const link = linkOf(work.objects, payment);
  if (!link) return returnToShop(payment);
  const { status, error_description } = payment.body;
  if (status === 'failed')
    return redirectTo(`${BASE_URL}/razorpay/l/${link.id}?failed=${encodeURIComponent(error_description ?? '')}`);
  if (link.body.status !== 'paid' || link.body.callback_url === undefined)
    return page(200, 'Thank you', { text: 'Your bank is working on the payment. You may close this page.' });
  return redirectBack(link.body.callback_url, {
    razorpay_payment_id: payment.id,
    razorpay_payment_link_id: link.id,
    razorpay_payment_link_reference_id: link.body.reference_id,
    razorpay_payment_link_status: link.body.status,
    ...(payment.notes.signature !== null && { razorpay_signature: payment.notes.signature }),
  });
}

/** Razorpay posts these fields to the shop. The simulator adds them to the URL, which the shop's page reads too. */
function returnToShop(payment: StoredPayment): WireResponse {
  const { status, error_reason, error_description } = payment.body;
  const failed = {
    'error[code]': 'BAD_REQUEST_ERROR',
    'error[reason]': error_reason ?? '',
    'error[description]': error_description ?? '',
  };
  return redirectBack(payment.notes.callbackUrl, status === 'failed' ? failed : successResponse(payment));
}

function showBank(call: Call, work: UnitOfWork): WireResponse {
  const payment = objectOfPage(call, work, isPayment);
  if (!payment) return notFoundPage;
  if (payment.body.status !== 'created') return afterAttempt(work, payment);
  return bankPage('Your bank', display(payment.body.amount, payment.body.currency), {
    authenticate: 'Success',
    fail: 'Failure',
  });
}

function submitBank(call: Call, work: UnitOfWork): WireResponse {
  const payment = objectOfPage(call, work, isPayment);
  const choice = pressedButton(call, AUTHENTICATION_BUTTONS);
  if (payment?.body.status !== 'created' || !choice) return showBank(call, work);
  return afterAttempt(work, settlePayment(work, payment, choice === 'authenticate' ? 'succeeded' : 'failed'));
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/l/{id}', showLink, submitLink),
  ...customerPage('/v1/payments/{id}/authorize', showBank, submitBank),
];
