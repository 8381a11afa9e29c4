import {
  type RefundDecline,
  type RefundFailureCode,
  refundDecline,
} from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  PspOutcomeUnknown,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
  type SeenRefund,
} from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { codeOf, refusal } from '#shared/psp/razorpay/error.rules.ts';
import { readItems, readRefund, toRefundOutcome } from '#shared/psp/razorpay/mapping.rules.ts';
import { ourUnits } from '#shared/psp/razorpay/money.rules.ts';
import type { RazorpayFault, Refund } from '#shared/psp/razorpay/objects.schema.ts';
import { afterSending, ask, get, type RazorpayContext } from '#shared/psp/razorpay/razorpay.client.ts';
import { fetchCharge, paymentPath } from '#shared/psp/razorpay/razorpay.lookups.ts';
import { refundBody } from '#shared/psp/razorpay/request.rules.ts';

/**
 * How long Razorpay keeps a refund's key is not documented, nor whether test mode has keys: existing refunds are read
 * before any send.
 */
export async function refundCharge(order: RefundOrder, psp: RazorpayContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const body = refundBody(order);
  const payment = await paymentBehind(order.reference, purpose, psp);
  const known = await before(() => ours(order, payment, purpose, psp));
  if (known) return toRefundOutcome(known);
  const answer = await ask(
    { ...purpose, path: `${paymentPath(payment)}/refund`, body, refundKey: order.refundId },
    psp,
  );
  if (answer.ok) return toRefundOutcome(readRefund(answer.body));
  if (answer.status !== 400) throw refusal(answer);
  // A concurrent send may have used the same key.
  const meanwhile = await afterSending(() => ours(order, payment, purpose, psp));
  if (meanwhile) return toRefundOutcome(meanwhile);
  return { kind: 'failed', reference: null, decline: refusedRefund(answer.fault) };
}

/** Nearly all are `BAD_REQUEST_ERROR` without a reason: only the sentence tells them apart, and is not passed on. */
const SENTENCES: readonly (readonly [RegExp, RefundFailureCode])[] = [
  [/not have enough balance/i, 'insufficient_balance'],
  [/fully refunded|greater than the refund|already (been )?refunded/i, 'already_refunded'],
  [/months old/i, 'expired'],
  [/amount must be at least/i, 'amount_not_supported'],
];

function refusedRefund({ code, reason, description }: RazorpayFault): RefundDecline {
  const [, why = 'refund_declined'] = SENTENCES.find(([pattern]) => pattern.test(description ?? '')) ?? [];
  return refundDecline(why, codeOf(reason) ?? codeOf(code));
}

/** A refused look-up says nothing about the refund, which may have been made before. */
async function before<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'request')
      throw new PspOutcomeUnknown('Razorpay does not show its refunds.', { cause: error });
    throw error;
  }
}

async function paymentBehind(reference: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<string> {
  if (reference.startsWith('pay_')) return reference;
  const charge = await fetchCharge(reference, { ...purpose, wanted: false }, psp);
  if (charge.kind !== 'succeeded') throw new PspRefused('state', 'This payment link has no payment to refund.');
  return charge.reference;
}

const PAGE = 100;

async function ours(
  order: RefundOrder,
  payment: string,
  purpose: ChargePurpose,
  psp: RazorpayContext,
  skip = 0,
): Promise<Refund | undefined> {
  const found = readItems(
    await get({ ...purpose, path: `${paymentPath(payment)}/refunds?count=${PAGE}&skip=${skip}` }, psp),
  ).map(readRefund);
  const own = found.find(({ receipt }) => receipt === order.refundId);
  return own || found.length < PAGE ? own : ours(order, payment, purpose, psp, skip + PAGE);
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: RazorpayContext): Promise<SeenRefund> {
  const path = `/v1/refunds/${encodeURIComponent(reference)}`;
  const refund = readRefund(await get({ operation: 'fetch_refund', paymentId, path }, psp));
  return { ...toRefundOutcome(refund), ...ourUnits(refund) };
}
