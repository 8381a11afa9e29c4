import {
  PspOutcomeUnknown,
  type PspRefund,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
} from '#shared/ports/psp.port.ts';
import { type CheckoutContext, paymentPath, refusal, sendRequest } from '#shared/psp/checkout/client.ts';
import { fetchActions, fetchPage, fetchPayment, isPage } from '#shared/psp/checkout/lookups.ts';
import { toOurMoney } from '#shared/psp/checkout/money.rules.ts';
import { toRefundOutcome } from '#shared/psp/checkout/outcomes.rules.ts';
import { refundBody } from '#shared/psp/checkout/requests.rules.ts';
import { type Action, readAccepted } from '#shared/psp/checkout/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';

/**
 * Checkout.com stores only successful responses under a key. So the refund is searched by our reference before it is
 * sent. Whether undecided refunds are listed is not documented, so none is repeated after its key has expired.
 */
export async function refundCharge(order: RefundOrder, psp: CheckoutContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const id = await chargeBehind(order.reference, purpose, psp);
  const known = (await refundsOf(id, purpose, psp)).find(({ reference }) => reference === order.refundId);
  if (known) return toRefundOutcome(known);
  const response = await sendRequest(
    { ...purpose, path: `${paymentPath(id)}/refunds`, body: refundBody(order), idempotencyKey: order.refundId },
    psp,
  );
  if (!response.ok) throw refusal(response.status, response.codes, 'state');
  return { kind: 'accepted', reference: readAccepted(response.body) };
}

async function chargeBehind(reference: string, purpose: RequestPurpose, psp: CheckoutContext): Promise<string> {
  if (!isPage(reference)) return reference;
  const { payment_id } = await fetchPage(reference, purpose, psp);
  if (!payment_id) throw new PspRefused('state', 'This hosted page has no payment to refund.');
  return payment_id;
}

async function refundsOf(paymentId: string, purpose: RequestPurpose, psp: CheckoutContext): Promise<readonly Action[]> {
  return (await fetchActions(paymentId, purpose, psp)).filter(({ type }) => type === 'Refund');
}

/** An unlisted refund may be undecided. Actions have no currency, so the charge's is used. */
export async function fetchRefund(
  { reference, paymentId, charge }: RefundRef,
  psp: CheckoutContext,
): Promise<PspRefund> {
  if (charge === null) throw new PspOutcomeUnknown('A refund is found only among those of its charge.');
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const id = await chargeBehind(charge, purpose, psp);
  const refund = (await refundsOf(id, purpose, psp)).find((each) => each.id === reference);
  if (!refund) throw new PspOutcomeUnknown('The refund is not listed.');
  const { currency } = await fetchPayment(id, purpose, psp);
  if (refund.amount === null || refund.amount === undefined || !currency)
    throw new PspOutcomeUnknown('Checkout.com reports no refunded amount.');
  return { ...toRefundOutcome(refund), ...toOurMoney(refund.amount, currency) };
}
