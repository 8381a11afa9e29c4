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
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { settlePayment } from '#lib/simulators/razorpay/completion.ts';
import { payLink } from '#lib/simulators/razorpay/links.ts';
import { display } from '#lib/simulators/razorpay/money.ts';
import { isLink, isPayment, linkOf, type StoredPayment } from '#lib/simulators/razorpay/objects.ts';
import { bankAddress, success } from '#lib/simulators/razorpay/payments.ts';

const CHOICES = { pay: PAY.pay, decline: PAY.decline };

function showLink(call: Call, work: Work): WireAnswer {
  const link = shownAt(call, work, isLink);
  if (!link) return gone;
  const { amount, currency, status } = link.body;
  if (status !== 'created') return closedPage(`The payment link is ${status}.`);
  return payPage(display(amount, currency), CHOICES, call.request.query.get('failed'));
}

function answerLink(call: Call, work: Work): WireAnswer {
  const link = shownAt(call, work, isLink);
  const choice = chosen(call, CHOICES);
  if (link?.body.status !== 'created' || !choice) return showLink(call, work);
  work.sendBy(link.notes.webhook);
  const { payment, came } = payLink(
    work,
    link,
    choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : link.notes.behaviour,
  );
  return came === 'asked' ? goTo(bankAddress(payment.id)) : afterTry(work, payment);
}

/** Only who has paid is sent back; a failed try returns to the page, for another one. */
function afterTry(work: Work, payment: StoredPayment): WireAnswer {
  const link = linkOf(work.objects, payment);
  if (!link) return leave(payment);
  const { status, error_description } = payment.body;
  if (status === 'failed')
    return goTo(`${HERE}/razorpay/l/${link.id}?failed=${encodeURIComponent(error_description ?? '')}`);
  if (link.body.status !== 'paid' || link.body.callback_url === undefined)
    return page(200, 'Thank you', { text: 'Your bank is working on the payment. You may close this page.' });
  return goBack(link.body.callback_url, {
    razorpay_payment_id: payment.id,
    razorpay_payment_link_id: link.id,
    razorpay_payment_link_reference_id: link.body.reference_id,
    razorpay_payment_link_status: link.body.status,
    ...(payment.notes.signature !== null && { razorpay_signature: payment.notes.signature }),
  });
}

/** Razorpay has the browser post this; here it stands in the address, which the same page of the merchant's reads. */
function leave(payment: StoredPayment): WireAnswer {
  const { status, error_reason, error_description } = payment.body;
  const failed = {
    'error[code]': 'BAD_REQUEST_ERROR',
    'error[reason]': error_reason ?? '',
    'error[description]': error_description ?? '',
  };
  return goBack(payment.notes.callbackUrl, status === 'failed' ? failed : success(payment));
}

function showBank(call: Call, work: Work): WireAnswer {
  const payment = shownAt(call, work, isPayment);
  if (!payment) return gone;
  if (payment.body.status !== 'created') return afterTry(work, payment);
  return bankPage('Your bank', display(payment.body.amount, payment.body.currency), {
    authenticate: 'Success',
    fail: 'Failure',
  });
}

function answerBank(call: Call, work: Work): WireAnswer {
  const payment = shownAt(call, work, isPayment);
  const choice = chosen(call, AUTHENTICATE);
  if (payment?.body.status !== 'created' || !choice) return showBank(call, work);
  return afterTry(work, settlePayment(work, payment, choice === 'authenticate' ? 'succeeded' : 'failed'));
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/l/{id}', showLink, answerLink),
  ...customerPage('/v1/payments/{id}/authorize', showBank, answerBank),
];
