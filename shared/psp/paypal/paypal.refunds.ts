import type { RefundOrder, RefundOutcome, RefundRef, SeenRefund } from '#shared/ports/psp.port.ts';
import { issueOf, refusal } from '#shared/psp/paypal/error.rules.ts';
import { readRefund, refundOutcome } from '#shared/psp/paypal/mapping.rules.ts';
import { ourUnits } from '#shared/psp/paypal/money.rules.ts';
import { ask, get, type PaypalContext } from '#shared/psp/paypal/paypal.client.ts';
import { capturePath } from '#shared/psp/paypal/paypal.lookups.ts';
import { refundBody } from '#shared/psp/paypal/request.rules.ts';

/** PayPal's no to this refund, not to our way of asking. */
const REFUSALS: ReadonlySet<string> = new Set([
  'CAPTURE_FULLY_REFUNDED',
  'MAX_NUMBER_OF_REFUNDS_EXCEEDED',
  'PARTIAL_REFUND_NOT_ALLOWED',
  'PAYEE_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYEE_ACCOUNT_RESTRICTED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'PENDING_CAPTURE',
  'REFUND_AMOUNT_EXCEEDED',
  'REFUND_AMOUNT_TOO_LOW',
  'REFUND_FAILED_INSUFFICIENT_FUNDS',
  'REFUND_IS_RESTRICTED',
  'REFUND_NOT_ALLOWED',
  'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK',
  'REFUND_TIME_LIMIT_EXCEEDED',
  'TRANSACTION_DISPUTED',
]);

export async function refundCapture(order: RefundOrder, psp: PaypalContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const path = `${capturePath(order.reference)}/refund`;
  const answer = await ask({ ...purpose, path, body: refundBody(order), requestId: order.refundId }, psp);
  if (answer.ok) return refundOutcome(readRefund(answer.body));
  const issue = issueOf(answer.fault);
  if (issue && REFUSALS.has(issue)) return { kind: 'failed', reference: null, message: `PayPal refused the refund (${issue}).` };
  throw refusal(answer.status, answer.fault);
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: PaypalContext): Promise<SeenRefund> {
  const path = `/v2/payments/refunds/${encodeURIComponent(reference)}`;
  const refund = readRefund(await get({ operation: 'fetch_refund', paymentId, path }, psp));
  return { ...refundOutcome(refund), ...ourUnits(refund.amount) };
}
