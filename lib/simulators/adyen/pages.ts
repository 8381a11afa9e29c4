import { settlePayment } from '#lib/simulators/adyen/completion.ts';
import { linkOf, payLink } from '#lib/simulators/adyen/links.ts';
import { display } from '#lib/simulators/adyen/money.ts';
import { isLink, isPayment, type StoredLink, type StoredPayment } from '#lib/simulators/adyen/objects.ts';
import { nameIt } from '#lib/simulators/adyen/outcomes.ts';
import { reasonOf } from '#lib/simulators/adyen/refusals.ts';
import { md, postBack } from '#lib/simulators/adyen/three-ds.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import {
  AUTHENTICATE,
  bankPage,
  chosen,
  closedPage,
  customerPage,
  done,
  goBack,
  gone,
  goTo,
  PAY,
  payPage,
  shownAt,
} from '#lib/simulators/frame/pages.ts';
import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE, type WireAnswer } from '#lib/simulators/frame/wire.ts';

function showLink(call: Call, work: Work): WireAnswer {
  const link = shownAt(call, work, isLink);
  if (!link) return gone;
  if (link.body.status !== 'active') return closedPage(`The payment link is ${link.body.status}.`);
  const code = call.request.query.get('refused');
  return payPage(display(link.body.amount), PAY, code && reasonOf(code));
}

/**
 * Adyen shows how it went and a button that leads back; here the way back is taken at once. It adds nothing to the
 * address.
 */
const leaveLink = ({ body }: StoredLink): WireAnswer => (body.returnUrl === undefined ? done : goTo(body.returnUrl));

function answerLink(call: Call, work: Work): WireAnswer {
  const link = shownAt(call, work, isLink);
  const choice = chosen(call, PAY);
  if (link?.body.status !== 'active' || !choice) return showLink(call, work);
  if (choice === 'cancel') return leaveLink(link);
  work.sendBy(link.notes.webhook);
  return afterTry(
    link,
    payLink(work, link, choice === 'decline' ? { kind: 'decline', code: 'card_declined' } : link.notes.behaviour),
  );
}

function afterTry(link: StoredLink, { id, body }: StoredPayment): WireAnswer {
  if (body.status === 'waiting') return goTo(`${HERE}/adyen/redirect/${id}`);
  if (body.status === 'refused' || body.status === 'cancelled')
    return goTo(`${HERE}/adyen/pay/${link.id}?refused=${body.code ?? '2'}`);
  return leaveLink(link);
}

const AT_BANK = { ...AUTHENTICATE, cancel: 'Cancel' };

function showRedirect(call: Call, work: Work): WireAnswer {
  const payment = shownAt(call, work, isPayment);
  if (!payment) return gone;
  if (payment.body.status !== 'waiting') return leave(work, payment);
  return bankPage('3-D Secure', display(payment.body.amount), AT_BANK);
}

/**
 * A bank takes the money here. A card is only authenticated: the charge is made when the merchant goes on with it,
 * unless the page is Adyen's own.
 */
function answerRedirect(call: Call, work: Work): WireAnswer {
  const payment = shownAt(call, work, isPayment);
  const choice = chosen(call, AT_BANK);
  if (payment?.body.status !== 'waiting' || !choice) return showRedirect(call, work);
  const passed = choice === 'cancel' ? null : choice === 'authenticate';
  if (payment.parent === null && !(payment.notes.method.paidAway && passed !== null))
    return leave(work, work.objects.change(payment, {}, { passed }));
  return leave(work, settlePayment(work, payment, passed ? 'succeeded' : 'failed'));
}

/** Back to where the customer came from, with what the merchant is to go on with. */
function leave(work: Work, payment: StoredPayment): WireAnswer {
  const link = linkOf(work, payment);
  if (link) return afterTry(link, payment);
  if (payment.notes.method.by === 'form') {
    const paRes = letters(60);
    nameIt(work, paRes, payment.id);
    return postBack(payment.notes.returnUrl, { MD: md(payment.id), PaRes: paRes });
  }
  const redirectResult = `X6Xtf${letters(40)}!`;
  nameIt(work, redirectResult, payment.id);
  return goBack(payment.notes.returnUrl, { redirectResult });
}

export const pageRoutes: readonly Route[] = [
  ...customerPage('/pay/{id}', showLink, answerLink),
  ...customerPage('/redirect/{id}', showRedirect, answerRedirect),
];
