import { type Ask, api, invalid, refused } from '#lib/simulators/adyen/answers.ts';
import { amountIn, checkLink, metadataIn, textIn } from '#lib/simulators/adyen/checks.ts';
import { isLink, isPayment, type Link, type StoredLink, type StoredPayment } from '#lib/simulators/adyen/objects.ts';
import { newPayment, tryToPay } from '#lib/simulators/adyen/outcomes.ts';
import { ANY_CARD } from '#lib/simulators/adyen/test-methods.ts';
import type { Behaviour } from '#lib/simulators/frame/behaviour.ts';
import { type Following, following } from '#lib/simulators/frame/following.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import { ownOf } from '#lib/simulators/frame/own.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { HERE } from '#lib/simulators/frame/wire.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

function create({ body, call }: Ask, work: Work): Link {
  const id = `PL${letters(16).toUpperCase()}`;
  const metadata = metadataIn(body);
  const end = typeof body.expiresAt === 'string' ? new Date(body.expiresAt) : plus(work.now, DAY);
  const link: Link = {
    id,
    amount: amountIn(body),
    expiresAt: end.toISOString().replace(/\.\d+Z$/, 'Z'),
    merchantAccount: textIn(body, 'merchantAccount'),
    metadata,
    reference: textIn(body, 'reference'),
    ...(textIn(body, 'returnUrl') && { returnUrl: textIn(body, 'returnUrl') }),
    reusable: false,
    status: 'active',
    url: `${HERE}/adyen/pay/${id}`,
  };
  const paymentId = metadata.payment_id ?? null;
  work.objects.put({
    id,
    account: work.account,
    kind: 'link',
    paymentId,
    parent: null,
    due: end.getTime(),
    body: link,
    notes: following(call.script),
  });
  return link;
}

function find({ id }: Pick<Ask, 'id'>, work: Work): StoredLink {
  const link = ownOf(work, id, isLink);
  if (!link) throw refused(404, '14_0404', 'Payment link not found');
  return link;
}

function changeLink(work: Work, link: StoredLink, status: Link['status'], notes: Partial<Following> = {}): StoredLink {
  return work.objects.change({ ...link, due: status === 'active' ? link.due : null }, { status }, notes);
}

export const expireLink = (work: Work, link: StoredLink): StoredLink =>
  link.body.status === 'active' ? changeLink(work, link, 'expired') : link;

function expire(ask: Ask, work: Work): Link {
  const link = find(ask, work);
  if (ask.body.status !== 'expired') throw invalid('14_011', 'A payment link can only be updated to expired');
  if (link.body.status !== 'active' && link.body.status !== 'expired')
    throw invalid('14_012', `The payment link is ${link.body.status}`);
  return expireLink(work, link).body;
}

/**
 * One try of the customer's on the page. What a scenario left for the payment applies to this try, and only to this
 * one.
 */
export function payLink(work: Work, link: StoredLink, behaviour: Behaviour | null): StoredPayment {
  const { merchantAccount, reference: merchantReference, amount, metadata = {} } = link.body;
  const ready = changeLink(work, link, link.body.status, { behaviour: null });
  const payment = newPayment(work, {
    body: { merchantAccount, merchantReference, amount, metadata },
    notes: {
      behaviour: null,
      webhook: link.notes.webhook,
      method: ANY_CARD,
      returnUrl: `${HERE}/adyen/pay/${link.id}`,
      passed: null,
      refunded: 0,
    },
    paymentId: link.paymentId,
    parent: link.id,
  });
  return followed(work, ready, tryToPay(work, payment, behaviour, false));
}

/** Brings the link to where its payment is. A declined try leaves it open. */
export function followed(work: Work, link: StoredLink, payment: StoredPayment): StoredPayment {
  if (payment.body.status === 'authorised') changeLink(work, link, 'completed');
  if (payment.body.status === 'pending') changeLink(work, link, 'paymentPending');
  return payment;
}

export const linkOf = (work: Work, { parent }: StoredPayment): StoredLink | undefined =>
  work.objects.find(parent, isLink);

/** The payment that a link's page is in the middle of. */
export const openPaymentOf = (work: Work, link: StoredLink): StoredPayment | undefined =>
  work.objects
    .childrenOf(link.id)
    .filter(isPayment)
    .findLast(({ body }) => body.status === 'waiting' || body.status === 'pending');

const anything = () => {};

export const linkRoutes = [
  api({ method: 'POST', path: '/v72/paymentLinks', operation: 'create', status: 201, check: checkLink, run: create }),
  api({
    method: 'GET',
    path: '/v72/paymentLinks/{id}',
    operation: 'fetch',
    status: 200,
    check: anything,
    run: (ask, work) => find(ask, work).body,
  }),
  api({
    method: 'PATCH',
    path: '/v72/paymentLinks/{id}',
    operation: 'cancel',
    status: 200,
    check: anything,
    run: expire,
  }),
];
