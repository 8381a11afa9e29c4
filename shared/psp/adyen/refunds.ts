import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { PspRefused, type RefundOrder, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { type AdyenContext, acceptedReference, modificationPath, sendRequest } from '#shared/psp/adyen/client.ts';
import { failedRefund } from '#shared/psp/adyen/outcomes.rules.ts';
import { isLink, refundParams } from '#shared/psp/adyen/requests.rules.ts';

/** "Invalid amount specified". */
const WRONG_AMOUNT = '137';

const refusedRefund = (code: string | null) =>
  refundDecline(code === WRONG_AMOUNT ? 'amount_not_supported' : 'refund_declined', code);

/** A 422 is Adyen's refusal of this refund, which was not started. */
export async function refundCharge(order: RefundOrder, psp: AdyenContext): Promise<RefundOutcome> {
  if (isLink(order.reference)) throw new PspRefused('state', 'A payment link itself has no payment to refund.');
  const params = refundParams(order, psp.credentials);
  const path = modificationPath(order.reference, 'refunds');
  const response = await sendRequest(
    { operation: 'refund', paymentId: order.paymentId, path, params, idempotencyKey: order.refundId },
    psp,
  );
  if (!response.ok && response.status === 422) return failedRefund(null, refusedRefund(response.code));
  return { kind: 'accepted', reference: acceptedReference(response) };
}
