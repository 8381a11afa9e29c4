import {
  AUTHENTICATE,
  bankPage,
  chosen,
  closedPage,
  customerPage,
  done,
  gone,
  goTo,
  PAY,
  payPage,
  shownAt,
} from '#lib/simulators/frame/pages.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';
import { settle } from '#lib/simulators/mollie/completion.ts';
import { declineFor } from '#lib/simulators/mollie/declines.ts';
import { isPayment, type StoredPayment } from '#lib/simulators/mollie/objects.ts';
import { attempt, fail, pageOf } from '#lib/simulators/mollie/outcomes.ts';

function show(call: Call, work: Work): WireAnswer {
  const payment = shownAt(call, work, isPayment);
  if (!payment) return gone;
  const { status, amount } = payment.body;
  if (status !== 'open') return closedPage(`The payment is ${status}.`);
  const sum = `${amount.value} ${amount.currency}`;
  return payment.notes.asks === 'payment' ? payPage(sum, PAY) : bankPage('3-D Secure', sum);
}

function answer(call: Call, work: Work): WireAnswer {
  const payment = shownAt(call, work, isPayment);
  if (payment?.body.status !== 'open') return show(call, work);
  work.sendBy(payment.notes.webhook);
  const settled = afterChoice(work, payment, call);
  if (!settled) return show(call, work);
  return settled.body.status === 'open' ? goTo(pageOf(settled.id)) : leave(settled);
}

function afterChoice(work: Work, payment: StoredPayment, call: Call): StoredPayment | undefined {
  const { asks, behaviour } = payment.notes;
  if (asks === 'authentication') {
    const answered = chosen(call, AUTHENTICATE);
    return answered ? settle(work, payment, answered === 'fail' ? 'failed' : 'succeeded') : undefined;
  }
  const choice = chosen(call, PAY);
  if (choice === 'pay') return attempt(work, payment, { behaviour, authenticated: false });
  if (choice === 'decline') return fail(work, payment, declineFor('card_declined'));
  return choice === 'cancel' ? fail(work, payment, declineFor('customer_canceled')) : undefined;
}

/** Back to where the customer came from. Mollie adds nothing to the address. */
function leave({ body: { status, redirectUrl, cancelUrl } }: StoredPayment): WireAnswer {
  const back = (status === 'canceled' ? cancelUrl : null) ?? redirectUrl;
  return back ? goTo(back) : done;
}

export const pageRoutes: readonly Route[] = [...customerPage('/checkout/{id}', show, answer)];
