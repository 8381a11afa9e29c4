import {
  PspOutcomeUnknown,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
  type SeenRefund,
} from '#shared/ports/psp.port.ts';
import { ask, type CheckoutContext, paymentPath } from '#shared/psp/checkout/checkout.client.ts';
import { fetchActions, fetchPage, fetchPayment, isPage } from '#shared/psp/checkout/checkout.lookups.ts';
import { refusal } from '#shared/psp/checkout/error.rules.ts';
import { readAccepted, toRefundOutcome } from '#shared/psp/checkout/mapping.rules.ts';
import { ourUnits } from '#shared/psp/checkout/money.rules.ts';
import type { Action } from '#shared/psp/checkout/objects.schema.ts';
import { refundBody } from '#shared/psp/checkout/request.rules.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

/**
 * The key only stores successful answers, so after a failed send the refund is searched by our reference before a
 * repeat. Whether undecided refunds are listed is not documented: none is repeated beyond its key's life.
 */
export async function refundCharge(order: RefundOrder, psp: CheckoutContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const id = await chargeBehind(order.reference, purpose, psp);
  const known = (await refundsOf(id, purpose, psp)).find(({ reference }) => reference === order.refundId);
  if (known) return toRefundOutcome(known);
  const answer = await ask(
    { ...purpose, path: `${paymentPath(id)}/refunds`, body: refundBody(order), idempotencyKey: order.refundId },
    psp,
  );
  if (!answer.ok) throw refusal(answer.status, answer.codes, 'state');
  return { kind: 'accepted', reference: readAccepted(answer.body) };
}

async function chargeBehind(reference: string, purpose: Purpose, psp: CheckoutContext): Promise<string> {
  if (!isPage(reference)) return reference;
  const { payment_id } = await fetchPage(reference, purpose, psp);
  if (!payment_id) throw new PspRefused('state', 'This hosted page has no payment to refund.');
  return payment_id;
}

async function refundsOf(paymentId: string, purpose: Purpose, psp: CheckoutContext): Promise<readonly Action[]> {
  return (await fetchActions(paymentId, purpose, psp)).filter(({ type }) => type === 'Refund');
}

/** An unlisted refund may be undecided. Actions have no currency: it is the charge's. */
export async function fetchRefund(
  { reference, paymentId, charge }: RefundRef,
  psp: CheckoutContext,
): Promise<SeenRefund> {
  if (charge === null) throw new PspOutcomeUnknown('A refund is found only among those of its charge.');
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const id = await chargeBehind(charge, purpose, psp);
  const refund = (await refundsOf(id, purpose, psp)).find((each) => each.id === reference);
  if (!refund) throw new PspOutcomeUnknown('The refund is not listed.');
  const { currency } = await fetchPayment(id, purpose, psp);
  if (refund.amount === null || refund.amount === undefined || !currency)
    throw new PspOutcomeUnknown('Checkout.com names no amount refunded.');
  return { ...toRefundOutcome(refund), ...ourUnits(refund.amount, currency) };
}
