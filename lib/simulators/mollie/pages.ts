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
import { declineFor } from '#lib/simulators/mollie/declines.ts';
import { isPayment, type StoredPayment } from '#lib/simulators/mollie/objects.ts';
import { attemptPayment, checkoutUrl, fail, settlePayment } from '#lib/simulators/mollie/outcomes.ts';

const { bankPage, closedPage, donePage, notFoundPage, payPage } = providerPages('Mollie');

function showPage(call: Call, work: UnitOfWork): WireResponse {
  const payment = objectOfPage(call, work, isPayment);
  if (!payment) return notFoundPage;
  const { status, amount } = payment.body;
  if (status !== 'open') return closedPage(`The payment is ${status}.`);
  const displayAmount = `${amount.value} ${amount.currency}`;
  return payment.notes.pageStep === 'payment'
    ? payPage(displayAmount, PAY_BUTTONS)
    : bankPage('3-D Secure', displayAmount);
}

function submitPage(call: Call, work: UnitOfWork): WireResponse {
  const payment = objectOfPage(call, work, isPayment);
  if (payment?.body.status !== 'open') return showPage(call, work);
  work.setWebhookMode(payment.notes.webhook);
  const settled = afterChoice(work, payment, call);
  if (!settled) return showPage(call, work);
  return settled.body.status === 'open' ? redirectTo(checkoutUrl(settled.id)) : returnToShop(settled);
}

function afterChoice(work: UnitOfWork, payment: StoredPayment, call: Call): StoredPayment | undefined {
  const { pageStep, behaviour } = payment.notes;
  if (pageStep === 'authentication') {
    const choice = pressedButton(call, AUTHENTICATION_BUTTONS);
    return choice ? settlePayment(work, payment, choice === 'fail' ? 'failed' : 'succeeded') : undefined;
  }
  const choice = pressedButton(call, PAY_BUTTONS);
  if (choice === 'pay') return attemptPayment(work, payment, { behaviour, authenticated: false });
  if (choice === 'decline') return fail(work, payment, declineFor('card_declined'));
  return choice === 'cancel' ? fail(work, payment, declineFor('customer_canceled')) : undefined;
}

/** Back to the shop. Mollie adds no parameters. */
function returnToShop({ body: { status, redirectUrl, cancelUrl } }: StoredPayment): WireResponse {
  const url = (status === 'canceled' ? cancelUrl : null) ?? redirectUrl;
  return url ? redirectTo(url) : donePage;
}

export const pageRoutes: readonly Route[] = [...customerPage('/checkout/{id}', showPage, submitPage)];
