import { declineOf, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { CaptureOrder, CaptureOutcome, PspAuthorization, PspCapture } from '#shared/ports/capture.port.ts';
import { type ChargeRef, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import { lookUp, UNDECIDED } from '#shared/psp/kit/declines.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { type PaypalContext, refusal, sendRequest } from '#shared/psp/paypal/client.ts';
import { captureDecline, issueOf, refusalDecline } from '#shared/psp/paypal/declines.catalog.ts';
import { authorizationPath, findCharge } from '#shared/psp/paypal/lookups.ts';
import { toOurMoney } from '#shared/psp/paypal/money.rules.ts';
import {
  authorizationIn,
  canceledOutcome,
  captureOutcome,
  capturesIn,
  HELD_STATUSES,
  hasExpired,
} from '#shared/psp/paypal/outcomes.rules.ts';
import { captureBody } from '#shared/psp/paypal/requests.rules.ts';
import { type Authorization, type Capture, type Order, readCapture } from '#shared/psp/paypal/schema.ts';

/** Issues that refuse this capture. Any other refusal is about our request, or a decline of the payer's bank. */
const REFUSALS: Readonly<Record<string, FailureCode>> = {
  AUTHORIZATION_DENIED: 'capture_declined',
  AUTHORIZATION_EXPIRED: 'authorization_expired',
  AUTHORIZATION_VOIDED: 'capture_declined',
  AUTH_CAPTURE_CURRENCY_MISMATCH: 'capture_declined',
  CAPTURE_AMOUNT_LIMIT_EXCEEDED: 'capture_declined',
  MAX_CAPTURE_AMOUNT_EXCEEDED: 'capture_declined',
  MAX_CAPTURE_COUNT_EXCEEDED: 'capture_declined',
};

type Found = { readonly order: Order; readonly authorization: Authorization | undefined };

/** The charge's reference is its order's id. The order names the authorization. */
async function findAuthorization(reference: string, purpose: ChargePurpose, psp: PaypalContext): Promise<Found> {
  const found = await findCharge(reference, purpose, psp);
  if (!('order' in found)) throw new PspRefused('not_found', 'PayPal has no order of this reference.');
  return { order: found.order, authorization: authorizationIn(found.order) };
}

const NOTHING_AUTHORIZED = 'Nothing is authorized of this order.';

/** A repeat returns the first call's response: PayPal keeps the key for 45 days, and the invoice id is unique. */
export async function captureCharge(order: CaptureOrder, psp: PaypalContext): Promise<CaptureOutcome> {
  const purpose = { operation: 'capture', paymentId: order.paymentId, manual: true } as const;
  const { authorization } = await findAuthorization(order.reference, purpose, psp);
  if (!authorization) throw new PspRefused('state', NOTHING_AUTHORIZED);
  const response = await sendRequest(
    {
      ...purpose,
      path: `${authorizationPath(authorization.id)}/capture`,
      body: captureBody(order),
      requestId: order.captureId,
    },
    psp,
  );
  if (response.ok) return toCaptureOutcome(readCapture(response.body));
  const issue = issueOf(response.error);
  const known = lookUp(REFUSALS, issue);
  const decline = known ? declineOf(known, issue) : refusalDecline(response.status, response.error);
  if (decline) return { kind: 'failed', reference: null, decline };
  throw refusal(response.status, response.error);
}

function toCaptureOutcome(capture: Capture): CaptureOutcome {
  const { kind } = captureOutcome(capture);
  const reference = capture.id;
  if (kind === 'succeeded') return { kind, reference };
  if (kind !== 'declined') return { kind: 'accepted', reference };
  const decline = captureDecline(capture);
  return decline === UNDECIDED ? { kind: 'accepted', reference } : { kind: 'failed', reference, decline };
}

/** Our id is the invoice's id. A merchant's own, or the order's, is none of ours. */
const toPspCapture = (capture: Capture): PspCapture => ({
  ...toCaptureOutcome(capture),
  ...toOurMoney(capture.amount),
  ourId: capture.invoice_id && isId('capture', capture.invoice_id) ? capture.invoice_id : null,
});

export async function fetchAuthorization(
  { reference, paymentId }: ChargeRef,
  psp: PaypalContext,
): Promise<PspAuthorization> {
  const purpose = { operation: 'fetch', paymentId, manual: true } as const;
  const { order, authorization } = await findAuthorization(reference, purpose, psp);
  if (!authorization || !isKnown(authorization)) throw new PspRefused('state', NOTHING_AUTHORIZED);
  const captures = capturesIn(order).map(toPspCapture);
  const { amount: authorized, currency } = toOurMoney(authorization.amount);
  const capturable_until = isoTime(authorization.expiration_time);
  return {
    reference: order.id,
    authorized,
    captured: captures.reduce((sum, { kind, amount }) => (kind === 'succeeded' ? sum + amount : sum), 0),
    currency,
    state: stateOf(authorization, capturesIn(order), psp.now()),
    ...(capturable_until && { capturable_until }),
    captures,
  };
}

const isKnown = ({ status }: Authorization): boolean => HELD_STATUSES.has(status) || status === 'VOIDED';

function stateOf(authorization: Authorization, captures: readonly Capture[], now: Date): PspAuthorization['state'] {
  const { status, expiration_time } = authorization;
  if (status === 'VOIDED') return hasExpired(authorization) ? 'expired' : 'canceled';
  const isLast = ({ final_capture, status: of }: Capture) =>
    final_capture === true && of !== 'DECLINED' && of !== 'FAILED';
  if (status === 'CAPTURED' || captures.some(isLast)) return 'closed';
  return Date.parse(expiration_time ?? '') <= now.getTime() ? 'expired' : 'open';
}

/**
 * Voids the authorization, or what is left of it. There is no key, and a second void is harmless. An order that nobody
 * has authorized takes no money.
 */
export async function releaseCharge({ reference, paymentId }: ChargeRef, psp: PaypalContext): Promise<PspOutcome> {
  const purpose = { operation: 'cancel', paymentId, manual: true } as const;
  const { order, authorization } = await findAuthorization(reference, purpose, psp);
  if (!authorization) return canceledOutcome(order);
  if (authorization.status === 'VOIDED') return { kind: 'canceled', reference: order.id };
  if (stateOf(authorization, capturesIn(order), psp.now()) === 'closed')
    throw new PspRefused('state', 'This authorization is captured.');
  const path = `${authorizationPath(authorization.id)}/void`;
  const response = await sendRequest({ ...purpose, path, bodyless: true }, psp);
  if (response.ok || issueOf(response.error) === 'PREVIOUSLY_VOIDED') return { kind: 'canceled', reference: order.id };
  if (response.status === 422)
    throw new PspRefused('state', 'PayPal cannot void this authorization.', issueOf(response.error));
  throw refusal(response.status, response.error);
}
