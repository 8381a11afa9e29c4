import type { Behaviour } from '#lib/simulators/kit/behaviour.ts';
import {
  AUTHENTICATION_BUTTONS,
  customerPage,
  PAY_BUTTONS,
  pressedButton,
  providerPages,
  redirectTo,
} from '#lib/simulators/kit/pages.ts';
import type { Call, Route, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { BASE_URL, type WireResponse } from '#lib/simulators/kit/wire.ts';
import { displayAmount } from '#lib/simulators/paystack/money.ts';
import { findTransaction, type StoredTransaction } from '#lib/simulators/paystack/objects.ts';
import { attemptCharge, changeTransaction, fail, succeed } from '#lib/simulators/paystack/outcomes.ts';

const { bankPage, canceledPage, closedPage, notFoundPage, payPage, redirectBack } = providerPages('Paystack');

const isFinal = ({ body: { status } }: StoredTransaction): boolean =>
  status === 'success' || status === 'reversed' || status === 'failed';

/** Back to the shop, with the parameters that Paystack adds. */
function returnToShop({ body: { reference }, notes: { callbackUrl } }: StoredTransaction): WireResponse {
  return redirectBack(callbackUrl, { trxref: reference, reference });
}

const transactionOfPage = (call: Call, work: UnitOfWork): StoredTransaction | undefined =>
  findTransaction(work, call.params.id ?? '');

function showCheckout(call: Call, work: UnitOfWork): WireResponse {
  const transaction = transactionOfPage(call, work);
  if (!transaction) return notFoundPage;
  if (isFinal(transaction) || transaction.body.status === 'pending')
    return closedPage(`The payment is ${transaction.body.status}.`);
  return payPage(displayAmount(transaction), PAY_BUTTONS, call.request.query.get('declined'));
}

function submitCheckout(call: Call, work: UnitOfWork): WireResponse {
  const transaction = transactionOfPage(call, work);
  if (!transaction) return notFoundPage;
  const choice = pressedButton(call, PAY_BUTTONS);
  if (choice === 'cancel') return canceledPage;
  if (isFinal(transaction) || transaction.body.status === 'pending' || !choice) return showCheckout(call, work);
  work.setWebhookMode(transaction.notes.webhook);
  return afterAttempt(
    work,
    transaction,
    choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : transaction.notes.behaviour,
  );
}

/** A declined attempt leaves the page open: the customer may try another payment method. */
function afterAttempt(work: UnitOfWork, transaction: StoredTransaction, behaviour: Behaviour | null): WireResponse {
  const after = attemptCharge(work, transaction, behaviour);
  const { accessCode, steps } = after.notes;
  if (steps[0] === 'open_url') return redirectTo(`${BASE_URL}/paystack/3ds/${accessCode}`);
  if (after.body.status !== 'failed') return returnToShop(after);
  changeTransaction(work, after, { status: 'abandoned' });
  return redirectTo(
    `${BASE_URL}/paystack/checkout/${accessCode}?declined=${encodeURIComponent(after.body.gateway_response)}`,
  );
}

const waitsForBank = (transaction: StoredTransaction): boolean =>
  transaction.body.status === 'ongoing' && transaction.notes.steps[0] === 'open_url';

function showAuthentication(call: Call, work: UnitOfWork): WireResponse {
  const transaction = transactionOfPage(call, work);
  if (!transaction) return notFoundPage;
  if (!waitsForBank(transaction)) return returnToShop(transaction);
  return bankPage('3-D Secure', displayAmount(transaction));
}

function submitAuthentication(call: Call, work: UnitOfWork): WireResponse {
  const transaction = transactionOfPage(call, work);
  const choice = pressedButton(call, AUTHENTICATION_BUTTONS);
  if (!transaction || !waitsForBank(transaction) || !choice) return showAuthentication(call, work);
  work.setWebhookMode(transaction.notes.webhook);
  const { reason } = transaction.notes.card;
  if (choice === 'authenticate')
    return returnToShop(reason === null ? succeed(work, transaction) : fail(work, transaction, reason));
  if (transaction.notes.onPage)
    return afterAttempt(work, transaction, { kind: 'decline', code: 'authentication_failed' });
  return returnToShop(fail(work, transaction, '3D Secure authentication failed'));
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/checkout/{id}', showCheckout, submitCheckout),
  ...customerPage('/3ds/{id}', showAuthentication, submitAuthentication),
];
