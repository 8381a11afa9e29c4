import { PspOutcomeUnknown, PspRefused, type RefundOrder, type RefundOutcome, type RefundRef, type SeenRefund } from '#shared/ports/psp.port.ts';
import { ask, type CheckoutContext, type Purpose, paymentPath } from '#shared/psp/checkout/checkout.client.ts';
import { fetchActions, fetchPage, fetchPayment, isPage } from '#shared/psp/checkout/checkout.lookups.ts';
import { refusal } from '#shared/psp/checkout/error.rules.ts';
import { readAccepted, toRefundOutcome } from '#shared/psp/checkout/mapping.rules.ts';
import { ourUnits } from '#shared/psp/checkout/money.rules.ts';
import type { Action } from '#shared/psp/checkout/objects.schema.ts';
import { refundBody } from '#shared/psp/checkout/request.rules.ts';

/**
 * The key keeps answers of success only, so a send that failed is looked for by our reference before it is repeated. Whether
 * a refund is listed before it is decided is not documented: beyond the life of its key none is sent again.
 */
export async function refundCharge(order: RefundOrder, psp: CheckoutContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const id = await chargeBehind(order.reference, purpose, psp);
  const known = (await refundsOf(id, purpose, psp)).find(({ reference }) => reference === order.refundId);
  if (known) return toRefundOutcome(known);
  const answer = await ask({ ...purpose, path: `${paymentPath(id)}/refunds`, body: refundBody(order), idempotencyKey: order.refundId }, psp);
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

/** A refund that is not listed may not be decided yet. Actions name no currency: it is that of the charge. */
export async function fetchRefund({ reference, paymentId, charge }: RefundRef, psp: CheckoutContext): Promise<SeenRefund> {
  if (charge === null) throw new PspOutcomeUnknown('A refund is found only among those of its charge.');
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const id = await chargeBehind(charge, purpose, psp);
  const refund = (await refundsOf(id, purpose, psp)).find((each) => each.id === reference);
  if (!refund) throw new PspOutcomeUnknown('The refund is not listed.');
  const { currency } = await fetchPayment(id, purpose, psp);
  if (refund.amount === null || refund.amount === undefined || !currency) throw new PspOutcomeUnknown('Checkout.com names no amount refunded.');
  return { ...toRefundOutcome(refund), ...ourUnits(refund.amount, currency) };
}
