import { settleTransaction } from '#lib/simulators/flutterwave/completion.ts';
import { payOn } from '#lib/simulators/flutterwave/hosted.ts';
import { display } from '#lib/simulators/flutterwave/money.ts';
import { isPage, isTransaction, type StoredTransaction } from '#lib/simulators/flutterwave/objects.ts';
import {
  AUTHENTICATE,
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

/** Back to the merchant, with what Flutterwave adds to the address. */
const leave = ({ id, body, notes }: StoredTransaction): WireAnswer =>
  goBack(notes.returnUrl, { status: body.status, tx_ref: body.tx_ref, transaction_id: id });

function showPage(call: Call, work: Work): WireAnswer {
  const found = shownAt(call, work, isPage);
  if (!found) return gone;
  const { amount, currency, status } = found.body;
  if (status !== 'open') return closedPage(`The payment is ${status}.`);
  return payPage(display(amount, currency), PAY, call.request.query.get('declined'));
}

function answerPage(call: Call, work: Work): WireAnswer {
  const found = shownAt(call, work, isPage);
  const choice = chosen(call, PAY);
  if (found?.body.status !== 'open' || !choice) return showPage(call, work);
  if (choice === 'cancel') return goBack(found.body.redirect_url, { status: 'cancelled', tx_ref: found.body.tx_ref });
  work.sendBy(found.notes.webhook);
  const tried = payOn(
    work,
    found,
    choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : found.notes.behaviour,
  );
  if (tried.body.status === 'failed')
    return goTo(`${HERE}/flutterwave/pay/${found.id}?declined=${encodeURIComponent(tried.body.processor_response)}`);
  return tried.notes.waitsFor === 'page' ? goTo(`${HERE}/flutterwave/3ds/${tried.id}`) : leave(tried);
}

function showQuestion(call: Call, work: Work): WireAnswer {
  const found = shownAt(call, work, isTransaction);
  if (!found) return gone;
  if (found.notes.waitsFor !== 'page') return leave(found);
  const text = `Your bank or network asks: is this payment of ${found.body.currency} ${found.body.amount} yours?`;
  return page(200, 'Authorize', { text, choices: AUTHENTICATE });
}

function answerQuestion(call: Call, work: Work): WireAnswer {
  const found = shownAt(call, work, isTransaction);
  const choice = chosen(call, AUTHENTICATE);
  if (found?.notes.waitsFor !== 'page' || !choice) return showQuestion(call, work);
  return leave(
    settleTransaction(work, found, choice === 'authenticate' ? 'succeeded' : 'failed', 'authentication_failed'),
  );
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/pay/{id}', showPage, answerPage),
  ...customerPage('/3ds/{id}', showQuestion, answerQuestion),
];
