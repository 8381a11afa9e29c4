import * as z from 'zod';
import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import {
  type ChargeRef,
  PspOutcomeUnknown,
  type PspRefund,
  type RefundOrder,
  type RefundOutcome,
  type RefundRef,
} from '#shared/ports/psp.port.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';
import { type PaypalContext, refusal, requestOrThrow, sendRequest } from '#shared/psp/paypal/client.ts';
import { issueOf } from '#shared/psp/paypal/declines.catalog.ts';
import { capturePath, findCharge, orderOf, orderPath } from '#shared/psp/paypal/lookups.ts';
import { toOurMoney } from '#shared/psp/paypal/money.rules.ts';
import { refundOutcome } from '#shared/psp/paypal/outcomes.rules.ts';
import { refundBody } from '#shared/psp/paypal/requests.rules.ts';
import { type Refund, readNewRefund, readRefund } from '#shared/psp/paypal/schema.ts';

/**
 * Issues that refuse this refund: the whole list of PayPal's OpenAPI file (payments v2), read 2026-11, and the one that
 * only its error pages name. Any other refusal is about our request.
 */
export const REFUND_REFUSALS: Readonly<Record<string, RefundFailureCode>> = {
  CANNOT_BE_NEGATIVE: 'amount_not_supported',
  CANNOT_BE_ZERO_OR_NEGATIVE: 'amount_not_supported',
  CAPTURE_FULLY_REFUNDED: 'already_refunded',
  CURRENCY_MISMATCH: 'not_refundable',
  DECIMALS_NOT_SUPPORTED: 'amount_not_supported',
  DECIMAL_PRECISION: 'amount_not_supported',
  INVALID_CURRENCY_CODE: 'not_refundable',
  MAX_NUMBER_OF_REFUNDS_EXCEEDED: 'not_refundable',
  PARTIAL_REFUND_NOT_ALLOWED: 'not_refundable',
  PAYEE_ACCOUNT_LOCKED_OR_CLOSED: 'account_restricted',
  PAYEE_ACCOUNT_RESTRICTED: 'account_restricted',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'invalid_account',
  PENDING_CAPTURE: 'try_again_later',
  PLATFORM_FEE_EXCEEDED: 'refund_declined',
  PLATFORM_FEE_NOT_ENABLED: 'refund_declined',
  REFUND_AMOUNT_EXCEEDED: 'already_refunded',
  REFUND_AMOUNT_TOO_LOW: 'amount_not_supported',
  REFUND_CAPTURE_CURRENCY_MISMATCH: 'not_refundable',
  REFUND_FAILED_INSUFFICIENT_FUNDS: 'insufficient_balance',
  REFUND_IS_RESTRICTED: 'not_refundable',
  REFUND_NOT_ALLOWED: 'not_refundable',
  REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK: 'charge_disputed',
  REFUND_REFUSED_BY_PROCESSOR: 'refund_declined',
  REFUND_TIME_LIMIT_EXCEEDED: 'expired',
  TRANSACTION_DISPUTED: 'charge_disputed',
};

export async function refundCharge(order: RefundOrder, psp: PaypalContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const target = order.captures ? await refundable(order, order.captures, purpose, psp) : { capture: order.reference };
  if ('outcome' in target) return target.outcome;
  const path = `${capturePath(target.capture)}/refund`;
  const response = await sendRequest({ ...purpose, path, body: refundBody(order), requestId: order.refundId }, psp);
  if (response.ok) return refundOutcome(readNewRefund(response.body));
  const issue = issueOf(response.error);
  const failure = lookUp(REFUND_REFUSALS, issue);
  if (failure) return { kind: 'failed', reference: null, decline: refundDecline(failure, issue) };
  throw refusal(response.status, response.error);
}

type Target = { readonly capture: string } | { readonly outcome: RefundOutcome };

/** PayPal refunds captures, each by itself. One refund cannot be of two of them. */
async function refundable(
  { refundId, reference, amount }: RefundOrder,
  captures: NonNullable<RefundOrder['captures']>,
  purpose: RequestPurpose,
  psp: PaypalContext,
): Promise<Target> {
  const [only] = captures;
  if (only && captures.length === 1) return { capture: only.reference };
  const refunds = refundsIn(await requestOrThrow({ ...purpose, path: orderPath(reference) }, psp));
  const known = refunds.find((refund) => Labels.safeParse(refund).data?.invoice_id === refundId);
  if (known) return { outcome: refundOutcome(known) };
  const isRefunded = (refund: Refund) => refund.status !== 'FAILED' && refund.status !== 'CANCELLED';
  const leftOf = (capture: (typeof captures)[number]) =>
    refunds
      .filter((refund) => captureOf(refund) === capture.reference && isRefunded(refund))
      .reduce((left, refund) => left - toOurMoney(refund.amount).amount, capture.amount);
  const found = captures.find((capture) => leftOf(capture) >= amount);
  if (found) return { capture: found.reference };
  const decline = refundDecline('amount_not_supported', 'REFUND_AMOUNT_EXCEEDED');
  return { outcome: { kind: 'failed', reference: null, decline } };
}

const Linked = z.looseObject({ links: z.array(z.looseObject({ rel: z.string(), href: z.string() })) });

function captureOf(refund: Refund): string | undefined {
  const up = Linked.safeParse(refund).data?.links.find(({ rel }) => rel === 'up')?.href ?? '';
  return /\/captures\/([A-Za-z0-9]{1,64})$/.exec(up)?.[1];
}

function refundsIn(order: unknown): readonly Refund[] {
  const units = RefundsOfOrder.safeParse(order).data?.purchase_units;
  if (!units) throw new PspOutcomeUnknown('PayPal shows no refunds of this order.');
  return units.flatMap(({ payments }) => payments?.refunds ?? []).map(readRefund);
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: PaypalContext): Promise<PspRefund> {
  const path = `/v2/payments/refunds/${encodeURIComponent(reference)}`;
  return toPspRefund(readRefund(await requestOrThrow({ operation: 'fetch_refund', paymentId, path }, psp)));
}

const Labels = z.looseObject({ invoice_id: z.string() });

/** Our id is the invoice's id. A merchant's own is none of ours. */
const toPspRefund = (refund: Refund): PspRefund => ({
  ...refundOutcome(refund),
  ...toOurMoney(refund.amount),
  ourId: Labels.safeParse(refund).data?.invoice_id ?? null,
});

const RefundsOfOrder = z.looseObject({
  purchase_units: z.array(
    z.looseObject({ payments: z.looseObject({ refunds: z.array(z.unknown()).nullish() }).nullish() }),
  ),
});

/** Only the order lists refunds: those of its captures, which name their order. */
export async function listRefunds(
  { reference, paymentId, manual }: ChargeRef,
  psp: PaypalContext,
): Promise<readonly PspRefund[]> {
  const purpose = { operation: 'fetch_refund', paymentId, mayCapture: false, manual } as const;
  const found = await findCharge(reference, purpose, psp);
  const order = 'order' in found ? found.order : await orderOf(found.capture, purpose, psp);
  return refundsIn(order).map(toPspRefund);
}
