import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { RefundOrder, RefundOutcome, RefundRef, SeenRefund } from '#shared/ports/psp.port.ts';
import { issueOf, refusal } from '#shared/psp/paypal/error.rules.ts';
import { readRefund, refundOutcome } from '#shared/psp/paypal/mapping.rules.ts';
import { ourUnits } from '#shared/psp/paypal/money.rules.ts';
import { ask, get, type PaypalContext } from '#shared/psp/paypal/paypal.client.ts';
import { capturePath } from '#shared/psp/paypal/paypal.lookups.ts';
import { refundBody } from '#shared/psp/paypal/request.rules.ts';

/** PayPal's no to this refund, not to our way of asking. */
const REFUSALS: Readonly<Record<string, RefundFailureCode>> = {
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

export async function refundCapture(order: RefundOrder, psp: PaypalContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const path = `${capturePath(order.reference)}/refund`;
  const answer = await ask({ ...purpose, path, body: refundBody(order), requestId: order.refundId }, psp);
  if (answer.ok) return refundOutcome(readRefund(answer.body));
  const issue = issueOf(answer.fault);
  const why = issue && Object.hasOwn(REFUSALS, issue) ? REFUSALS[issue] : undefined;
  if (why) return { kind: 'failed', reference: null, decline: refundDecline(why, issue) };
  throw refusal(answer.status, answer.fault);
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: PaypalContext): Promise<SeenRefund> {
  const path = `/v2/payments/refunds/${encodeURIComponent(reference)}`;
  const refund = readRefund(await get({ operation: 'fetch_refund', paymentId, path }, psp));
  return { ...refundOutcome(refund), ...ourUnits(refund.amount) };
}
