import * as z from 'zod';
import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
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
import { refusal, requestOrThrow, type StripeContext, sendRequest } from '#shared/psp/stripe/client.ts';
import { codeOf } from '#shared/psp/stripe/declines.catalog.ts';
import { fetchSession, isSession } from '#shared/psp/stripe/lookups.ts';
import { stripeUnits, toOurMoney } from '#shared/psp/stripe/money.rules.ts';
import { toRefundOutcome } from '#shared/psp/stripe/outcomes.rules.ts';
import { refundParams } from '#shared/psp/stripe/requests.rules.ts';
import { type Refund, readRefund } from '#shared/psp/stripe/schema.ts';

/** Codes that refuse this refund. Any other refusal is about our request. */
const REFUND_REFUSALS: Readonly<Record<string, RefundFailureCode>> = {
  charge_already_refunded: 'already_refunded',
  charge_disputed: 'charge_disputed',
  charge_not_refundable: 'not_refundable',
  refund_disputed_payment: 'charge_disputed',
  balance_insufficient: 'insufficient_balance',
  insufficient_funds: 'insufficient_balance',
};

/**
 * A repeat looks for the refund first: Stripe keeps a key for a day, with the response to its first call, which may
 * have been an error.
 */
export async function refundCharge(order: RefundOrder, psp: StripeContext): Promise<RefundOutcome> {
  const purpose = { operation: 'refund', paymentId: order.paymentId } as const;
  const intent = isSession(order.reference) ? await intentBehind(order.reference, purpose, psp) : order.reference;
  const earlier = mustSearch(order, psp.now()) ? await findOwn(order, intent, purpose, psp) : undefined;
  if (earlier) return toRefundOutcome(earlier);
  const response = await sendRequest(
    { ...purpose, path: '/v1/refunds', params: refundParams(order, intent), idempotencyKey: keyOf(order, psp.now()) },
    psp,
  );
  if (response.ok) return toRefundOutcome(readRefund(response.body));
  const code = codeOf(response.error.code);
  const failure = code && Object.hasOwn(REFUND_REFUSALS, code) ? REFUND_REFUSALS[code] : undefined;
  if (failure) return { kind: 'failed', reference: null, decline: refundDecline(failure, code) };
  throw refusal(response.status, response.error);
}

export async function intentBehind(session: string, purpose: ChargePurpose, psp: StripeContext): Promise<string> {
  const { payment_intent } = await fetchSession(session, purpose, psp);
  if (!payment_intent) throw new PspRefused('state', 'This checkout session has no payment.');
  return typeof payment_intent === 'string' ? payment_intent : payment_intent.id;
}

/** A refund of an earlier release cannot be found by our id. While its key lives, a repeat brings its result. */
const mustSearch = ({ isRepeat, isOfEarlierRelease, sentAt }: RefundOrder, now: Date): boolean =>
  isRepeat === true && !(isOfEarlierRelease && sentAt !== undefined && plus(sentAt, DAY / 2) > now);

/** Each day has a key of its own: under the first day's, Stripe would repeat that day's error for ever. */
function keyOf({ refundId, sentAt }: RefundOrder, now: Date): string {
  const days = sentAt === undefined ? 0 : Math.floor((now.getTime() - Date.parse(sentAt)) / DAY);
  return days > 0 ? `${refundId}_${days}` : refundId;
}

/**
 * Refunds of earlier releases do not carry our id. If one of them may be this one, and its key has expired, none is
 * sent.
 */
async function findOwn(
  { refundId, amount, currency, isOfEarlierRelease }: RefundOrder,
  intent: string,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<Refund | undefined> {
  const all = await refundsOf(intent, purpose, psp);
  const own = all.find((refund) => ourIdIn(refund) === refundId);
  const units = stripeUnits(amount, currency);
  if (!own && isOfEarlierRelease && all.some((refund) => ourIdIn(refund) === undefined && refund.amount === units))
    throw new PspOutcomeUnknown('Stripe does not say whether this refund was made.');
  return own;
}

const OurKeys = z.looseObject({ payment_id: z.string().optional(), refund_id: z.string().optional() });

/** Null for a refund that was not made through us; undefined for one of an earlier release. */
function ourIdIn({ metadata }: Refund): string | null | undefined {
  const { payment_id, refund_id } = OurKeys.safeParse(metadata).data ?? {};
  return refund_id ?? (payment_id === undefined ? null : undefined);
}

const RefundPage = z.looseObject({ data: z.array(z.unknown()), has_more: z.boolean().optional() });

const PAGE_SIZE = 100;

/** All refunds of the charge. A missed one would be made a second time. */
async function refundsOf(intent: string, purpose: ChargePurpose, psp: StripeContext): Promise<readonly Refund[]> {
  const found: Refund[] = [];
  for (;;) {
    const last = found.at(-1)?.id;
    const after = last === undefined ? '' : `&starting_after=${encodeURIComponent(last)}`;
    const path = `/v1/refunds?payment_intent=${encodeURIComponent(intent)}&limit=${PAGE_SIZE}${after}`;
    const page = RefundPage.safeParse(await requestOrThrow({ ...purpose, path }, psp)).data;
    if (!page) throw new PspOutcomeUnknown("Stripe's list of refunds is not understood.");
    found.push(...page.data.map(readRefund));
    if (!page.has_more || page.data.length === 0) return found;
  }
}

const toPspRefund = (refund: Refund): PspRefund => ({
  ...toRefundOutcome(refund),
  ...toOurMoney(refund.amount, refund.currency),
  ourId: ourIdIn(refund),
});

export async function listRefunds(
  { reference, paymentId }: ChargeRef,
  psp: StripeContext,
): Promise<readonly PspRefund[]> {
  const purpose = { operation: 'fetch_refund', paymentId } as const;
  const intent = isSession(reference) ? await intentBehind(reference, purpose, psp) : reference;
  return (await refundsOf(intent, purpose, psp)).map(toPspRefund);
}

export async function fetchRefund({ reference, paymentId }: RefundRef, psp: StripeContext): Promise<PspRefund> {
  const path = `/v1/refunds/${encodeURIComponent(reference)}`;
  return toPspRefund(readRefund(await requestOrThrow({ operation: 'fetch_refund', paymentId, path }, psp)));
}
