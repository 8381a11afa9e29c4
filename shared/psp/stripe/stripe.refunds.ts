import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
  type SeenRefund,
} from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { codeOf, refusal } from '#shared/psp/stripe/error.rules.ts';
import { readRefund, toRefundOutcome } from '#shared/psp/stripe/mapping.rules.ts';
import { ourUnits } from '#shared/psp/stripe/money.rules.ts';
import { refundParams } from '#shared/psp/stripe/request.rules.ts';
import { ask, get, type StripeContext } from '#shared/psp/stripe/stripe.client.ts';
import { fetchSession, isSession } from '#shared/psp/stripe/stripe.lookups.ts';

/** Stripe's no to this refund, not to our way of asking. */
const REFUSALS: Readonly<Record<string, RefundFailureCode>> = {
  charge_already_refunded: 'already_refunded',
  charge_disputed: 'charge_disputed',
  charge_not_refundable: 'not_refundable',
  refund_disputed_payment: 'charge_disputed',
  balance_insufficient: 'insufficient_balance',
  insufficient_funds: 'insufficient_balance',
};

export async function refundCharge(order: RefundOrder, psp: StripeContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const intent = isSession(order.reference) ? await intentBehind(order.reference, purpose, psp) : order.reference;
  const answer = await ask(
    { ...purpose, path: '/v1/refunds', params: refundParams(order, intent), idempotencyKey: order.refundId },
    psp,
  );
  if (answer.ok) return toRefundOutcome(readRefund(answer.body));
  const code = codeOf(answer.fault.code);
  const why = code && Object.hasOwn(REFUSALS, code) ? REFUSALS[code] : undefined;
  if (why) return { kind: 'failed', reference: null, decline: refundDecline(why, code) };
  throw refusal(answer.status, answer.fault);
}

async function intentBehind(session: string, purpose: ChargePurpose, psp: StripeContext): Promise<string> {
  const { payment_intent } = await fetchSession(session, purpose, psp);
  if (!payment_intent) throw new PspRefused('state', 'This checkout session has no payment to refund.');
  return typeof payment_intent === 'string' ? payment_intent : payment_intent.id;
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: StripeContext): Promise<SeenRefund> {
  const path = `/v1/refunds/${encodeURIComponent(reference)}`;
  const refund = readRefund(await get({ operation: 'fetch_refund', paymentId, path }, psp));
  return { ...toRefundOutcome(refund), ...ourUnits(refund.amount, refund.currency) };
}
