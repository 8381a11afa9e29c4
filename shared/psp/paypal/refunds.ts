import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { PspRefund, RefundOrder, RefundOutcome, RefundRef } from '#shared/ports/psp.port.ts';
import { type PaypalContext, refusal, requestOrThrow, sendRequest } from '#shared/psp/paypal/client.ts';
import { issueOf } from '#shared/psp/paypal/declines.catalog.ts';
import { capturePath } from '#shared/psp/paypal/lookups.ts';
import { toOurMoney } from '#shared/psp/paypal/money.rules.ts';
import { refundOutcome } from '#shared/psp/paypal/outcomes.rules.ts';
import { refundBody } from '#shared/psp/paypal/requests.rules.ts';
import { readRefund } from '#shared/psp/paypal/schema.ts';

/** Issues that refuse this refund. Any other refusal is about our request. */
const REFUND_REFUSALS: Readonly<Record<string, RefundFailureCode>> = {
  CAPTURE_FULLY_REFUNDED: 'already_refunded',
  MAX_NUMBER_OF_REFUNDS_EXCEEDED: 'not_refundable',
  PARTIAL_REFUND_NOT_ALLOWED: 'not_refundable',
  PAYEE_ACCOUNT_LOCKED_OR_CLOSED: 'account_restricted',
  PAYEE_ACCOUNT_RESTRICTED: 'account_restricted',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'invalid_account',
  PENDING_CAPTURE: 'try_again_later',
  REFUND_AMOUNT_EXCEEDED: 'already_refunded',
  REFUND_AMOUNT_TOO_LOW: 'amount_not_supported',
  REFUND_FAILED_INSUFFICIENT_FUNDS: 'insufficient_balance',
  REFUND_IS_RESTRICTED: 'not_refundable',
  REFUND_NOT_ALLOWED: 'not_refundable',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK: 'charge_disputed',
  REFUND_TIME_LIMIT_EXCEEDED: 'expired',
  TRANSACTION_DISPUTED: 'charge_disputed',
};

export async function refundCharge(order: RefundOrder, psp: PaypalContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const path = `${capturePath(order.reference)}/refund`;
  const response = await sendRequest({ ...purpose, path, body: refundBody(order), requestId: order.refundId }, psp);
  if (response.ok) return refundOutcome(readRefund(response.body));
  const issue = issueOf(response.error);
  const failure = issue && Object.hasOwn(REFUND_REFUSALS, issue) ? REFUND_REFUSALS[issue] : undefined;
  if (failure) return { kind: 'failed', reference: null, decline: refundDecline(failure, issue) };
  throw refusal(response.status, response.error);
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: PaypalContext): Promise<PspRefund> {
  const path = `/v2/payments/refunds/${encodeURIComponent(reference)}`;
  const refund = readRefund(await requestOrThrow({ operation: 'fetch_refund', paymentId, path }, psp));
  return { ...refundOutcome(refund), ...toOurMoney(refund.amount) };
}
