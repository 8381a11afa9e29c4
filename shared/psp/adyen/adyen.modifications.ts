import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  type ChargeRef,
  type PspOutcome,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
} from '#shared/ports/psp.port.ts';
import { type AdyenContext, ask, read } from '#shared/psp/adyen/adyen.client.ts';
import { expireLink } from '#shared/psp/adyen/adyen.links.ts';
import { type AdyenAnswer, modificationRefusal } from '#shared/psp/adyen/error.rules.ts';
import { failedRefund } from '#shared/psp/adyen/mapping.rules.ts';
import { ModificationReply } from '#shared/psp/adyen/objects.schema.ts';
import { isLink, modificationReference } from '#shared/psp/adyen/references.rules.ts';
import { refundParams } from '#shared/psp/adyen/request.rules.ts';

const pathOf = (pspReference: string, what: string): string =>
  `/v72/payments/${encodeURIComponent(pspReference)}/${what}`;

/** The reference of an accepted modification; its result comes by a notice. */
function taken(answer: AdyenAnswer): string {
  if (!answer.ok) throw modificationRefusal(answer);
  return read(ModificationReply, 'modification', answer.body).pspReference;
}

/**
 * No idempotency key: it would return an earlier "received" for a week, and a second cancel is harmless. A charge under
 * our own reference was never authorised, and no notice would follow: it has ended. If the customer was quicker, the
 * notice of that money comes, and it is refunded.
 */
export async function cancelCharge(
  { reference, paymentId, attemptId }: ChargeRef,
  psp: AdyenContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'cancel', paymentId } as const;
  if (isLink(reference)) return expireLink(reference, purpose, psp);
  const params = {
    merchantAccount: psp.credentials.merchant_account,
    reference: modificationReference(paymentId, attemptId),
  };
  if (reference !== attemptId) {
    taken(await ask({ ...purpose, path: pathOf(reference, 'cancels'), params }, psp));
    return { kind: 'accepted', reference };
  }
  taken(await ask({ ...purpose, path: '/v72/cancels', params: { ...params, paymentReference: attemptId } }, psp));
  return { kind: 'canceled', reference };
}

/** "Invalid amount specified". */
const WRONG_AMOUNT = '137';

const refusedRefund = (code: string | null) =>
  refundDecline(code === WRONG_AMOUNT ? 'amount_not_supported' : 'refund_declined', code);

/** Adyen's synchronous refusal: this refund was not begun. */
export async function refundCharge(order: RefundOrder, psp: AdyenContext): Promise<RefundOutcome> {
  if (isLink(order.reference)) throw new PspRefused('state', 'A payment link itself has no payment to refund.');
  const params = refundParams(order, psp.credentials);
  const path = pathOf(order.reference, 'refunds');
  const answer = await ask(
    { operation: 'refund', paymentId: order.paymentId, path, params, idempotencyKey: order.refundId },
    psp,
  );
  if (!answer.ok && answer.status === 422) return failedRefund(null, refusedRefund(answer.code));
  return { kind: 'accepted', reference: taken(answer) };
}
