import { payOnPage } from '#lib/simulators/flutterwave/hosted-payments.ts';
import { display } from '#lib/simulators/flutterwave/money.ts';
import { isPage, isTransaction, type StoredTransaction } from '#lib/simulators/flutterwave/objects.ts';
import { settleTransaction } from '#lib/simulators/flutterwave/outcomes.ts';
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

const { closedPage, notFoundPage, page, payPage, redirectBack } = providerPages('Flutterwave');

/** Back to the shop, with the parameters that Flutterwave adds. */
const returnToShop = ({ id, body, notes }: StoredTransaction): WireResponse =>
  redirectBack(notes.returnUrl, { status: body.status, tx_ref: body.tx_ref, transaction_id: id });

function showPage(call: Call, work: UnitOfWork): WireResponse {
  const found = objectOfPage(call, work, isPage);
  if (!found) return notFoundPage;
  const { amount, currency, status } = found.body;
  if (status !== 'open') return closedPage(`The payment is ${status}.`);
  return payPage(display(amount, currency), PAY_BUTTONS, call.request.query.get('declined'));
}

function submitPage(call: Call, work: UnitOfWork): WireResponse {
  const found = objectOfPage(call, work, isPage);
  const choice = pressedButton(call, PAY_BUTTONS);
  if (found?.body.status !== 'open' || !choice) return showPage(call, work);
  if (choice === 'cancel')
    return redirectBack(found.body.redirect_url, { status: 'cancelled', tx_ref: found.body.tx_ref });
  work.setWebhookMode(found.notes.webhook);
  const attempt = payOnPage(
    work,
    found,
    choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : found.notes.behaviour,
  );
  if (attempt.body.status === 'failed')
    return redirectTo(
      `${BASE_URL}/flutterwave/pay/${found.id}?declined=${encodeURIComponent(attempt.body.processor_response)}`,
    );
  return attempt.notes.waitsFor === 'page'
    ? redirectTo(`${BASE_URL}/flutterwave/3ds/${attempt.id}`)
    : returnToShop(attempt);
}

function showBank(call: Call, work: UnitOfWork): WireResponse {
  const found = objectOfPage(call, work, isTransaction);
  if (!found) return notFoundPage;
  if (found.notes.waitsFor !== 'page') return returnToShop(found);
  const text = `Your bank or network asks: is this payment of ${found.body.currency} ${found.body.amount} yours?`;
  return page(200, 'Authorize', { text, buttons: AUTHENTICATION_BUTTONS });
}

function submitBank(call: Call, work: UnitOfWork): WireResponse {
  const found = objectOfPage(call, work, isTransaction);
  const choice = pressedButton(call, AUTHENTICATION_BUTTONS);
  if (found?.notes.waitsFor !== 'page' || !choice) return showBank(call, work);
  return returnToShop(
    settleTransaction(work, found, choice === 'authenticate' ? 'succeeded' : 'failed', 'authentication_failed'),
  );
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/pay/{id}', showPage, submitPage),
  ...customerPage('/3ds/{id}', showBank, submitBank),
];
