import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  type PspRefund,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
} from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import { refusal, requestOrThrow, type StripeContext, sendRequest } from '#shared/psp/stripe/client.ts';
import { codeOf } from '#shared/psp/stripe/declines.catalog.ts';
import { fetchSession, isSession } from '#shared/psp/stripe/lookups.ts';
import { toOurMoney } from '#shared/psp/stripe/money.rules.ts';
import { toRefundOutcome } from '#shared/psp/stripe/outcomes.rules.ts';
import { refundParams } from '#shared/psp/stripe/requests.rules.ts';
import { readRefund } from '#shared/psp/stripe/schema.ts';

/** Codes that refuse this refund. Any other refusal is about our request. */
const REFUND_REFUSALS: Readonly<Record<string, RefundFailureCode>> = {
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
  const response = await sendRequest(
    { ...purpose, path: '/v1/refunds', params: refundParams(order, intent), idempotencyKey: order.refundId },
    psp,
  );
  if (response.ok) return toRefundOutcome(readRefund(response.body));
  const code = codeOf(response.error.code);
  const failure = code && Object.hasOwn(REFUND_REFUSALS, code) ? REFUND_REFUSALS[code] : undefined;
  if (failure) return { kind: 'failed', reference: null, decline: refundDecline(failure, code) };
  throw refusal(response.status, response.error);
}

async function intentBehind(session: string, purpose: ChargePurpose, psp: StripeContext): Promise<string> {
  const { payment_intent } = await fetchSession(session, purpose, psp);
  if (!payment_intent) throw new PspRefused('state', 'This checkout session has no payment to refund.');
  return typeof payment_intent === 'string' ? payment_intent : payment_intent.id;
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: StripeContext): Promise<PspRefund> {
  const path = `/v1/refunds/${encodeURIComponent(reference)}`;
  const refund = readRefund(await requestOrThrow({ operation: 'fetch_refund', paymentId, path }, psp));
  return { ...toRefundOutcome(refund), ...toOurMoney(refund.amount, refund.currency) };
}
