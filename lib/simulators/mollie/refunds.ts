import { following } from '#lib/simulators/frame/following.ts';
import { textAt } from '#lib/simulators/frame/json.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { type Ask, api } from '#lib/simulators/mollie/ask.ts';
import { announceRefund } from '#lib/simulators/mollie/callbacks.ts';
import { impossible, refused, unknownToken } from '#lib/simulators/mollie/errors.ts';
import { amountOf, readAmount, units } from '#lib/simulators/mollie/money.ts';
import { checkMetadata } from '#lib/simulators/mollie/new-payment.ts';
import {
  isRefund,
  newMollieId,
  type Refund,
  type StoredPayment,
  type StoredRefund,
  timestamp,
} from '#lib/simulators/mollie/objects.ts';
import { changePayment } from '#lib/simulators/mollie/outcomes.ts';
import { findPayment } from '#lib/simulators/mollie/payments.ts';
import { MINUTE, SECOND } from '#shared/kernel/clock.ts';

/** Really a matter of the next working day; here just long enough that the answer comes first. */
const REFUNDED_AFTER = SECOND;

/** Two equal requests within this time are taken for one that was sent twice. */
const DOUBLE_WITHIN = MINUTE;

const refundsOf = (work: Work, { id }: StoredPayment): readonly StoredRefund[] =>
  work.objects.childrenOf(id).filter(isRefund);

/** What counts as refunded on the payment, those under way included: no more than the rest can be asked for. */
function count(work: Work, payment: StoredPayment, minor: number): StoredPayment {
  const { amountRefunded, amountRemaining } = payment.body;
  const { currency } = payment.body.amount;
  const moved = (amount = amountOf(0, currency), by: number) => amountOf(units(amount) + by, currency);
  return changePayment(work, payment, {
    amountRefunded: moved(amountRefunded, minor),
    amountRemaining: moved(amountRemaining, -minor),
  });
}

function create({ id, input, call }: Ask, work: Work): Refund {
  const payment = findPayment(work, id);
  const amount = readAmount(input.amount);
  checkMetadata(input.metadata);
  const { status, amountRemaining, amount: paid } = payment.body;
  if (status !== 'paid' || !amountRemaining)
    throw impossible('The payment is not paid, so that it cannot be refunded.');
  if (amount.currency !== paid.currency) throw impossible('The amount contains an invalid currency', 'amount.currency');
  const description = textAt(input, 'description') || 'Refund';
  const metadata = input.metadata ?? null;
  const same = (body: Refund) =>
    JSON.stringify([body.amount, body.description, body.metadata]) === JSON.stringify([amount, description, metadata]);
  const recent = ({ body }: StoredRefund) => Date.parse(body.createdAt) + DOUBLE_WITHIN > work.now.getTime();
  if (refundsOf(work, payment).some((refund) => recent(refund) && same(refund.body)))
    throw refused(409, 'A duplicate refund has been detected');
  if (units(amount) > units(amountRemaining))
    throw impossible('The specified amount cannot be refunded. It is higher than what remains.', 'amount');
  const refund = put(work, payment, { amount, description, metadata }, following(call.script).webhook);
  count(work, payment, units(amount));
  const behaviour = call.script?.behaviour.kind;
  if (behaviour === 'decline') return failRefund(work, refund).body;
  if (behaviour === 'approve') return completeRefund(work, refund).body;
  announceRefund(work, payment, refund.body);
  return behaviour === 'pending' ? work.objects.put({ ...refund, due: null }).body : refund.body;
}

function put(
  work: Work,
  payment: StoredPayment,
  given: Pick<Refund, 'amount' | 'description' | 'metadata'>,
  webhook: StoredRefund['notes']['webhook'],
) {
  const id = newMollieId('re');
  const below = `https://api.mollie.com/v2/payments/${payment.id}`;
  const body: Refund = {
    resource: 'refund',
    id,
    mode: payment.body.mode,
    ...given,
    status: 'pending',
    paymentId: payment.id,
    createdAt: timestamp(work.now),
    _links: {
      self: { href: `${below}/refunds/${id}`, type: 'application/hal+json' },
      payment: { href: below, type: 'application/hal+json' },
      documentation: { href: 'https://docs.mollie.com/reference/create-refund', type: 'text/html' },
    },
  };
  const due = work.now.getTime() + REFUNDED_AFTER;
  return work.objects.put({
    id,
    account: work.account,
    kind: 'refund',
    paymentId: payment.paymentId,
    parent: payment.id,
    due,
    body,
    notes: { webhook },
  });
}

function end(work: Work, refund: StoredRefund, status: Refund['status']): StoredRefund {
  const after = work.objects.put({ ...refund, due: null, body: { ...refund.body, status } });
  announceRefund(work, findPayment(work, refund.body.paymentId), after.body);
  return after;
}

const UNDER_WAY: ReadonlySet<string> = new Set(['queued', 'pending', 'processing']);

export function completeRefund(work: Work, refund: StoredRefund): StoredRefund {
  if (!UNDER_WAY.has(refund.body.status)) return refund;
  work.gaveBack(refund.body.paymentId, units(refund.body.amount));
  return end(work, refund, 'refunded');
}

/** The money comes back to the merchant, also from a refund that had gone out already. */
export function failRefund(work: Work, refund: StoredRefund, status: 'failed' | 'canceled' = 'failed'): StoredRefund {
  if (refund.body.status === 'failed' || refund.body.status === 'canceled') return refund;
  const minor = units(refund.body.amount);
  if (refund.body.status === 'refunded') work.gaveBack(refund.body.paymentId, -minor);
  count(work, findPayment(work, refund.body.paymentId), -minor);
  return end(work, refund, status);
}

/** One that was canceled can't be found any more. */
function find({ id, call }: Ask, work: Work): StoredRefund {
  const payment = findPayment(work, id);
  const token = call.params.refund ?? '';
  const refund = refundsOf(work, payment).find((each) => each.id === token && each.body.status !== 'canceled');
  if (!refund) throw unknownToken(token);
  return refund;
}

function cancel(ask: Ask, work: Work): undefined {
  const refund = find(ask, work);
  if (!UNDER_WAY.has(refund.body.status)) throw impossible('The refund cannot be cancelled');
  failRefund(work, refund, 'canceled');
}

/** A list shows each without a link to its documentation. */
function inList({ body }: StoredRefund): Refund {
  const { documentation: _, ...links } = body._links;
  return { ...body, _links: links };
}

const MOST = 250;

/** Newest first, from the one named on. */
function list({ id, call }: Ask, work: Work): object {
  const { query } = call.request;
  const all = refundsOf(work, findPayment(work, id)).toReversed();
  const limit = Number(query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw refused(400, 'The limit is invalid', 'limit');
  const from = query.get('from');
  const start = from === null ? 0 : all.findIndex((refund) => refund.id === from);
  if (start < 0) throw refused(400, 'Invalid cursor value', 'from');
  const refunds = all.slice(start, start + limit).map(inList);
  const following = all[start + limit];
  const here = `https://api.mollie.com/v2/payments/${id}/refunds`;
  const next = following ? { href: `${here}?from=${following.id}&limit=${limit}`, type: 'application/hal+json' } : null;
  const documentation = { href: 'https://docs.mollie.com/reference/list-refunds', type: 'text/html' };
  const self = { href: `${here}?limit=${limit}`, type: 'application/hal+json' };
  return { count: refunds.length, _embedded: { refunds }, _links: { self, previous: null, next, documentation } };
}

export const refundRoutes = [
  api('POST', '/v2/payments/{id}/refunds', 'refund', {
    shape: { amount: 'object', description: 'text', metadata: 'any' },
    status: 201,
    run: create,
  }),
  api('GET', '/v2/payments/{id}/refunds', 'fetch_refund', { query: ['embed', 'from', 'limit'], run: list }),
  api('GET', '/v2/payments/{id}/refunds/{refund}', 'fetch_refund', {
    query: ['embed'],
    run: (ask, work) => find(ask, work).body,
  }),
  api('DELETE', '/v2/payments/{id}/refunds/{refund}', 'cancel_refund', { status: 204, run: cancel }),
];
