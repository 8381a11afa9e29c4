import {
  type RefundDecline,
  type RefundFailureCode,
  refundDecline,
} from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  type ChargeRef,
  PspOutcomeUnknown,
  type PspRefund,
  PspRefused,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
} from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import {
  lookUpAfterSending,
  type RazorpayContext,
  refusal,
  requestOrThrow,
  sendRequest,
} from '#shared/psp/razorpay/client.ts';
import { codeOf } from '#shared/psp/razorpay/declines.catalog.ts';
import { fetchCharge, paymentPath } from '#shared/psp/razorpay/lookups.ts';
import { toOurMoney } from '#shared/psp/razorpay/money.rules.ts';
import { toRefundOutcome } from '#shared/psp/razorpay/outcomes.rules.ts';
import { refundBody } from '#shared/psp/razorpay/requests.rules.ts';
import { type RazorpayError, type Refund, readItems, readRefund } from '#shared/psp/razorpay/schema.ts';

/**
 * How long Razorpay keeps a refund's key is not documented, nor whether test mode has keys. So existing refunds are
 * read before each send.
 */
export async function refundCharge(order: RefundOrder, psp: RazorpayContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const body = refundBody(order);
  const payment = await refundablePayment(order.reference, purpose, psp);
  const known = await readBeforeSending(() => findOwn(order, payment, purpose, psp));
  if (known) return toRefundOutcome(known);
  const response = await sendRequest(
    { ...purpose, path: `${paymentPath(payment)}/refund`, body, refundKey: order.refundId },
    psp,
  );
  if (response.ok) return toRefundOutcome(readRefund(response.body));
  if (response.status !== 400) throw refusal(response);
  // A concurrent send may have used the same key.
  const concurrent = await lookUpAfterSending(() => findOwn(order, payment, purpose, psp));
  if (concurrent) return toRefundOutcome(concurrent);
  return { kind: 'failed', reference: null, decline: refusedRefund(response.error) };
}

/**
 * Nearly all refusals are `BAD_REQUEST_ERROR` without a reason. Only the sentence tells them apart; it is not passed
 * on.
 */
const FAILURE_SENTENCES: readonly (readonly [RegExp, RefundFailureCode])[] = [
  [/not have enough balance/i, 'insufficient_balance'],
  [/fully refunded|greater than (the refund|amount captured)|already (been )?refunded/i, 'already_refunded'],
  [/months old/i, 'expired'],
  [/amount must be at least/i, 'amount_not_supported'],
];

function refusedRefund({ code, reason, description }: RazorpayError): RefundDecline {
  const [, failure = 'refund_declined'] = FAILURE_SENTENCES.find(([pattern]) => pattern.test(description ?? '')) ?? [];
  return refundDecline(failure, codeOf(reason) ?? codeOf(code));
}

/** A refused look-up says nothing about the refund: it may have been made before. */
async function readBeforeSending<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof PspRefused && error.kind === 'request')
      throw new PspOutcomeUnknown('Razorpay does not list the refunds.', { cause: error });
    throw error;
  }
}

async function refundablePayment(reference: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<string> {
  if (reference.startsWith('pay_')) return reference;
  const charge = await fetchCharge(reference, { ...purpose, mayCapture: false }, psp);
  if (charge.kind !== 'succeeded') throw new PspRefused('state', 'This payment link has no payment to refund.');
  return charge.reference;
}

const PAGE_SIZE = 100;

const findOwn = async (
  { refundId }: RefundOrder,
  payment: string,
  purpose: ChargePurpose,
  psp: RazorpayContext,
): Promise<Refund | undefined> => (await refundsOf(payment, purpose, psp)).find(({ receipt }) => receipt === refundId);

/** All refunds of the charge. A missed one would be made a second time. */
async function refundsOf(payment: string, purpose: ChargePurpose, psp: RazorpayContext): Promise<readonly Refund[]> {
  const found: Refund[] = [];
  for (;;) {
    const path = `${paymentPath(payment)}/refunds?count=${PAGE_SIZE}&skip=${found.length}`;
    const page = readItems(await requestOrThrow({ ...purpose, path }, psp)).map(readRefund);
    found.push(...page);
    if (page.length < PAGE_SIZE) return found;
  }
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: RazorpayContext): Promise<PspRefund> {
  const path = `/v1/refunds/${encodeURIComponent(reference)}`;
  const refund = readRefund(await requestOrThrow({ operation: 'fetch_refund', paymentId, path }, psp));
  return toPspRefund(refund);
}

/** Our id is the receipt. A merchant's own receipt is none of ours. */
const toPspRefund = (refund: Refund): PspRefund => ({
  ...toRefundOutcome(refund),
  ...toOurMoney(refund),
  ourId: refund.receipt ?? null,
});

export async function listRefunds(
  { reference, paymentId }: ChargeRef,
  psp: RazorpayContext,
): Promise<readonly PspRefund[]> {
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  return (await refundsOf(await refundablePayment(reference, purpose, psp), purpose, psp)).map(toPspRefund);
}
