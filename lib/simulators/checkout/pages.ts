import { settlePayment } from '#lib/simulators/checkout/completion.ts';
import { payOnPage } from '#lib/simulators/checkout/hosted.ts';
import { display } from '#lib/simulators/checkout/money.ts';
import { isPage, isPayment, type StoredPayment } from '#lib/simulators/checkout/objects.ts';
import { redirectOf } from '#lib/simulators/checkout/views.ts';
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
  payPage,
  shownAt,
} from '#lib/simulators/frame/pages.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

function showPage(call: Call, work: Work): WireAnswer {
  const found = shownAt(call, work, isPage);
  if (!found) return gone;
  const { amount, currency, status } = found.body;
  if (status !== 'Payment Pending') return closedPage(`${status}.`);
  return payPage(display(amount, currency), PAY);
}

function answerPage(call: Call, work: Work): WireAnswer {
  const found = shownAt(call, work, isPage);
  const choice = chosen(call, PAY);
  if (found?.body.status !== 'Payment Pending' || !choice) return showPage(call, work);
  if (choice === 'cancel') return goTo(found.body.cancel_url);
  work.sendBy(found.notes.webhook);
  const made = payOnPage(
    work,
    found,
    choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : found.notes.behaviour,
  );
  return made.payment.notes.redirect
    ? goTo(redirectOf(made.payment))
    : leave(made.payment, 'cko-payment-id', made.payment.id);
}

function showBank(call: Call, work: Work): WireAnswer {
  const payment = shownAt(call, work, isPayment);
  if (!payment) return gone;
  if (payment.body.status !== 'Pending') return leave(payment, 'cko-session-id', payment.notes.session);
  return bankPage('Your bank', display(payment.body.amount, payment.body.currency));
}

function answerBank(call: Call, work: Work): WireAnswer {
  const payment = shownAt(call, work, isPayment);
  const choice = chosen(call, AUTHENTICATE);
  if (payment?.body.status !== 'Pending' || !choice) return showBank(call, work);
  return leave(
    settlePayment(work, payment, choice === 'authenticate' ? 'succeeded' : 'failed'),
    'cko-session-id',
    payment.notes.session,
  );
}

/** Back to where the customer came from, with what is added to the address. */
function leave({ body, notes: { urls } }: StoredPayment, name: string, value: string): WireAnswer {
  return goBack(body.status === 'Declined' || body.status === 'Canceled' ? urls.failure : urls.success, {
    [name]: value,
  });
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/pay/{id}', showPage, answerPage),
  ...customerPage('/3ds/{id}', showBank, answerBank),
];
