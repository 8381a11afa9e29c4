import { reasonOf } from '#lib/simulators/adyen/declines.ts';
import { linkOf, payLink, settlePayment } from '#lib/simulators/adyen/links.ts';
import { display } from '#lib/simulators/adyen/money.ts';
import { isLink, isPayment, type StoredLink, type StoredPayment } from '#lib/simulators/adyen/objects.ts';
import { addAlias } from '#lib/simulators/adyen/outcomes.ts';
import { mdOf } from '#lib/simulators/adyen/three-d-secure.ts';
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
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { BASE_URL, type WireResponse } from '#lib/simulators/kit/wire.ts';

const { bankPage, closedPage, donePage, notFoundPage, payPage, postBackPage, redirectBack } = providerPages('Adyen');

function showLink(call: Call, work: UnitOfWork): WireResponse {
  const link = objectOfPage(call, work, isLink);
  if (!link) return notFoundPage;
  if (link.body.status !== 'active') return closedPage(`The payment link is ${link.body.status}.`);
  const code = call.request.query.get('refused');
  return payPage(display(link.body.amount), PAY_BUTTONS, code && reasonOf(code));
}

/** Adyen shows the result with a button to return. The simulator redirects at once, and adds no parameters. */
const returnFromLink = ({ body }: StoredLink): WireResponse =>
  body.returnUrl === undefined ? donePage : redirectTo(body.returnUrl);

function submitLink(call: Call, work: UnitOfWork): WireResponse {
  const link = objectOfPage(call, work, isLink);
  const choice = pressedButton(call, PAY_BUTTONS);
  if (link?.body.status !== 'active' || !choice) return showLink(call, work);
  if (choice === 'cancel') return returnFromLink(link);
  work.setWebhookMode(link.notes.webhook);
  return afterAttempt(
    link,
    payLink(work, link, choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : link.notes.behaviour),
  );
}

function afterAttempt(link: StoredLink, { id, body }: StoredPayment): WireResponse {
  if (body.status === 'waiting') return redirectTo(`${BASE_URL}/adyen/redirect/${id}`);
  if (body.status === 'refused' || body.status === 'cancelled')
    return redirectTo(`${BASE_URL}/adyen/pay/${link.id}?refused=${body.code ?? '2'}`);
  return returnFromLink(link);
}

const BANK_BUTTONS = { ...AUTHENTICATION_BUTTONS, cancel: 'Cancel' };

function showRedirect(call: Call, work: UnitOfWork): WireResponse {
  const payment = objectOfPage(call, work, isPayment);
  if (!payment) return notFoundPage;
  if (payment.body.status !== 'waiting') return returnToShop(work, payment);
  return bankPage('3-D Secure', display(payment.body.amount), BANK_BUTTONS);
}

/**
 * A bank charges on this page. A card is only authenticated: it is charged when the merchant submits the details,
 * unless the payment belongs to a link.
 */
function submitRedirect(call: Call, work: UnitOfWork): WireResponse {
  const payment = objectOfPage(call, work, isPayment);
  const choice = pressedButton(call, BANK_BUTTONS);
  if (payment?.body.status !== 'waiting' || !choice) return showRedirect(call, work);
  const canceled = choice === 'cancel';
  const passed = canceled ? null : choice === 'authenticate';
  if (payment.parent === null && !(payment.notes.method.paidAway && passed !== null))
    return returnToShop(work, work.objects.change(payment, {}, { passed }));
  return returnToShop(work, settlePayment(work, payment, passed ? 'succeeded' : 'failed'));
}

/** Back to the shop, with the result that the merchant submits as details. */
function returnToShop(work: UnitOfWork, payment: StoredPayment): WireResponse {
  const link = linkOf(work, payment);
  if (link) return afterAttempt(link, payment);
  if (payment.notes.method.by === 'form') {
    const paRes = randomId(60);
    addAlias(work, paRes, payment.id);
    return postBackPage(payment.notes.returnUrl, { MD: mdOf(payment.id), PaRes: paRes });
  }
  const redirectResult = `X6Xtf${randomId(40)}!`;
  addAlias(work, redirectResult, payment.id);
  return redirectBack(payment.notes.returnUrl, { redirectResult });
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/pay/{id}', showLink, submitLink),
  ...customerPage('/redirect/{id}', showRedirect, submitRedirect),
];
