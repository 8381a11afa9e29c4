import * as z from 'zod';
import { DAY, plus } from '#shared/kernel/clock.ts';
import {
  type ChargeRef,
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
import { type Action, type Payment, readAccepted } from '#shared/psp/checkout/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';

/**
 * Checkout.com stores only successful responses under a key. So the refund is searched by our reference before it is
 * sent. Whether undecided refunds are listed is not documented: after the key has expired, the charge's balance tells
 * whether there is one.
 */
export async function refundCharge(order: RefundOrder, psp: CheckoutContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const id = await chargeBehind(order.reference, purpose, psp);
  const refunds = await refundsOf(id, purpose, psp);
  const known = refunds.find(({ reference }) => reference === order.refundId);
  if (known) return toRefundOutcome(known);
  if (order.isRepeat && hasKeyExpired(order, psp.now()))
    assertNoneHidden(await fetchPayment(id, purpose, psp), refunds);
  const response = await sendRequest(
    { ...purpose, path: `${paymentPath(id)}/refunds`, body: refundBody(order), idempotencyKey: order.refundId },
    psp,
  );
  if (!response.ok) throw refusal(response.status, response.codes, 'state');
  return { kind: 'accepted', reference: readAccepted(response.body) };
}

const KEY_LIFETIME = DAY;

const hasKeyExpired = ({ sentAt }: RefundOrder, now: Date): boolean =>
  sentAt === undefined || plus(sentAt, KEY_LIFETIME / 2) <= now;

const Balances = z.looseObject({
  balances: z.looseObject({ total_captured: z.int(), available_to_refund: z.int() }),
});

/** What was captured and is not left to refund is in the listed refunds. Anything else may be ours. */
function assertNoneHidden(payment: Payment, refunds: readonly Action[]): void {
  const balances = Balances.safeParse(payment).data?.balances;
  const listed = refunds.reduce((sum, { approved, amount }) => sum + (approved === false ? 0 : (amount ?? 0)), 0);
  if (!balances || balances.total_captured - balances.available_to_refund !== listed)
    throw new PspOutcomeUnknown('Checkout.com does not say whether this refund was made.');
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
  return toPspRefund(refund, await fetchPayment(id, purpose, psp));
}

/** Our id is the reference. A merchant's own reference is none of ours. */
function toPspRefund(refund: Action, { currency }: Payment): PspRefund {
  if (refund.amount === null || refund.amount === undefined || !currency)
    throw new PspOutcomeUnknown('Checkout.com reports no refunded amount.');
  const ourId = refund.reference ?? null;
  return { ...toRefundOutcome(refund), ...toOurMoney(refund.amount, currency), ourId };
}

export async function listRefunds(
  { reference, paymentId }: ChargeRef,
  psp: CheckoutContext,
): Promise<readonly PspRefund[]> {
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const id = await chargeBehind(reference, purpose, psp);
  const refunds = await refundsOf(id, purpose, psp);
  if (refunds.length === 0) return [];
  const payment = await fetchPayment(id, purpose, psp);
  return refunds.map((refund) => toPspRefund(refund, payment));
}
