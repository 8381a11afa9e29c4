import { keepFor } from '#lib/simulators/adyen/details.ts';
import { apiError, invalid } from '#lib/simulators/adyen/errors.ts';
import { isLink, isPayment, type Link, type StoredLink, type StoredPayment } from '#lib/simulators/adyen/objects.ts';
import { attemptPayment, authorise, newPayment, refuse } from '#lib/simulators/adyen/outcomes.ts';
import {
  type ApiRequest,
  amountIn,
  apiRoute,
  checkLink,
  isManual,
  metadataIn,
  textIn,
} from '#lib/simulators/adyen/requests.ts';
import { ANY_CARD } from '#lib/simulators/adyen/test-methods.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import {
  type Behaviour,
  type ScenarioNotes,
  scenarioNotes,
  withoutAuthentication,
} from '#lib/simulators/kit/behaviour.ts';
import type { FinalOutcome, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { BASE_URL } from '#lib/simulators/kit/wire.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';

function createLink({ body, call }: ApiRequest, work: UnitOfWork): Link {
  const id = `PL${randomId(16).toUpperCase()}`;
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
    ...(isManual(body) && { manualCapture: true }),
    ...(keepFor(body) !== undefined && {
      storePaymentMethodMode: textIn(body, 'storePaymentMethodMode'),
      shopperReference: textIn(body, 'shopperReference'),
    }),
    status: 'active',
    url: `${BASE_URL}/adyen/pay/${id}`,
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
    notes: scenarioNotes(call.scenario),
  });
  return link;
}

function findLink({ id }: Pick<ApiRequest, 'id'>, work: UnitOfWork): StoredLink {
  const link = findOwned(work, id, isLink);
  if (!link) throw apiError(404, '14_0404', 'Payment link not found');
  return link;
}

function changeLink(
  work: UnitOfWork,
  link: StoredLink,
  status: Link['status'],
  notes: Partial<ScenarioNotes> = {},
): StoredLink {
  return work.objects.change({ ...link, due: status === 'active' ? link.due : null }, { status }, notes);
}

export const expireLink = (work: UnitOfWork, link: StoredLink): StoredLink =>
  link.body.status === 'active' ? changeLink(work, link, 'expired') : link;

function updateLink(request: ApiRequest, work: UnitOfWork): Link {
  const link = findLink(request, work);
  if (request.body.status !== 'expired') throw invalid('14_011', 'A payment link can only be updated to expired');
  if (link.body.status !== 'active' && link.body.status !== 'expired')
    throw invalid('14_012', `The payment link is ${link.body.status}`);
  return expireLink(work, link).body;
}

/** One attempt of the customer on the page. The scenario of the link applies to this attempt only. */
export function payLink(work: UnitOfWork, link: StoredLink, behaviour: Behaviour | null): StoredPayment {
  const { merchantAccount, reference: merchantReference, amount, metadata = {} } = link.body;
  const ready = changeLink(work, link, link.body.status, { behaviour: null });
  const payment = newPayment(work, {
    body: { merchantAccount, merchantReference, amount, metadata },
    notes: {
      behaviour: null,
      webhook: link.notes.webhook,
      method: ANY_CARD,
      returnUrl: `${BASE_URL}/adyen/pay/${link.id}`,
      passed: null,
      refunded: 0,
      ...(link.body.manualCapture && { manual: true }),
      ...(link.body.shopperReference !== undefined && { keep: link.body.shopperReference }),
    },
    paymentId: link.paymentId,
    parent: link.id,
  });
  return syncLink(work, ready, attemptPayment(work, payment, behaviour, false));
}

/** Updates the link to the state of its payment. A declined attempt leaves it open. */
function syncLink(work: UnitOfWork, link: StoredLink, payment: StoredPayment): StoredPayment {
  if (payment.body.status === 'authorised') changeLink(work, link, 'completed');
  if (payment.body.status === 'pending') changeLink(work, link, 'paymentPending');
  return payment;
}

export const linkOf = (work: UnitOfWork, { parent }: StoredPayment): StoredLink | undefined =>
  work.objects.find(parent, isLink);

/** The unfinished payment of a link. */
const openPaymentOf = (work: UnitOfWork, link: StoredLink): StoredPayment | undefined =>
  work.objects
    .childrenOf(link.id)
    .filter(isPayment)
    .findLast(({ body }) => body.status === 'waiting' || body.status === 'pending');

const noCheck = () => {};

/** A payment may still succeed after a cancel or refusal: the customer was faster, or the bank approved late. */
export function settlePayment(work: UnitOfWork, payment: StoredPayment, outcome: FinalOutcome): StoredPayment {
  work.setWebhookMode(payment.notes.webhook);
  const after = outcome === 'succeeded' ? afterSuccess(work, payment) : afterFailure(work, payment);
  const link = linkOf(work, after);
  return link ? syncLink(work, link, after) : after;
}

function afterSuccess(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  if (payment.body.status === 'authorised' || work.wasReleased(payment.id)) return payment;
  return payment.body.status === 'waiting' ? attemptPayment(work, payment, null, true) : authorise(work, payment);
}

function afterFailure(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  if (payment.notes.method.data?.['retry.rescueScheduled'] === 'true') return endRescue(work, payment);
  if (payment.body.status === 'waiting') return refuse(work, payment, '11');
  return payment.body.status === 'pending' ? refuse(work, payment, '2') : payment;
}

/** The last try of an Auto Rescue was refused too. */
function endRescue(work: UnitOfWork, payment: StoredPayment): StoredPayment {
  const method = { ...payment.notes.method, data: { 'retry.rescueScheduled': 'false' } };
  return refuse(work, work.objects.change(payment, {}, { method }), payment.body.code ?? '2');
}

export function settleLink(work: UnitOfWork, link: StoredLink, outcome: FinalOutcome): void {
  work.setWebhookMode(link.notes.webhook);
  const open = openPaymentOf(work, link);
  if (open) settlePayment(work, open, outcome);
  else if (outcome === 'failed') expireLink(work, link);
  else if (link.body.status !== 'completed') payLink(work, link, withoutAuthentication(link.notes.behaviour));
}

export const linkRoutes = [
  apiRoute({
    method: 'POST',
    path: '/v72/paymentLinks',
    operation: 'create',
    status: 201,
    check: checkLink,
    run: createLink,
  }),
  apiRoute({
    method: 'GET',
    path: '/v72/paymentLinks/{id}',
    operation: 'fetch',
    status: 200,
    check: noCheck,
    run: (request, work) => findLink(request, work).body,
  }),
  apiRoute({
    method: 'PATCH',
    path: '/v72/paymentLinks/{id}',
    operation: 'cancel',
    status: 200,
    check: noCheck,
    run: updateLink,
  }),
];
