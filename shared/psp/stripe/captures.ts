import { declineOf, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { CaptureOrder, CaptureOutcome, PspAuthorization, PspCapture } from '#shared/ports/capture.port.ts';
import { type ChargeRef, type PspOutcome, PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import { lookUp, UNDECIDED } from '#shared/psp/kit/declines.ts';
import type { ChargePurpose } from '#shared/psp/kit/requests.ts';
import { refusal, type StripeContext, type StripeResponse, sendRequest } from '#shared/psp/stripe/client.ts';
import { codeOf, toDecline } from '#shared/psp/stripe/declines.catalog.ts';
import { fetchIntent, intentPath, isSession } from '#shared/psp/stripe/lookups.ts';
import { toOurMoney } from '#shared/psp/stripe/money.rules.ts';
import { isAuthorized, toAuthorized } from '#shared/psp/stripe/outcomes.rules.ts';
import { cancelIntent } from '#shared/psp/stripe/payments.ts';
import { intentBehind } from '#shared/psp/stripe/refunds.ts';
import { captureParams } from '#shared/psp/stripe/requests.rules.ts';
import { type PaymentIntent, readIntent } from '#shared/psp/stripe/schema.ts';

/** Codes that refuse this capture. Any other refusal is about our request. */
const REFUSALS: Readonly<Record<string, FailureCode>> = {
  amount_too_large: 'capture_declined',
  capture_charge_authorization_expired: 'authorization_expired',
  capture_unauthorized_payment: 'capture_declined',
  charge_already_captured: 'capture_declined',
  charge_already_refunded: 'capture_declined',
  charge_expired_for_capture: 'authorization_expired',
  intent_invalid_state: 'capture_declined',
  payment_intent_unexpected_state: 'capture_declined',
};

/**
 * A repeat looks for the capture first: Stripe keeps a key for a day, with the response to its first call, which may
 * have been an error.
 */
export async function captureCharge(order: CaptureOrder, psp: StripeContext): Promise<CaptureOutcome> {
  const purpose = { operation: 'capture', paymentId: order.paymentId, manual: true } as const;
  const id = await intentOf(order.reference, purpose, psp);
  const earlier = order.isRepeat ? ownCapture(await fetchIntent(id, purpose, psp), order) : undefined;
  if (earlier) return earlier;
  const path = `${intentPath(id)}/capture`;
  const response = await sendRequest(
    { ...purpose, path, params: captureParams(order), idempotencyKey: keyOf(order, psp.now()) },
    psp,
  );
  if (response.ok) return outcomeOf(readIntent(response.body));
  return refusedOutcome(response, order, await fetchIfMoved(response, id, purpose, psp));
}

const intentOf = async (reference: string, purpose: ChargePurpose, psp: StripeContext): Promise<string> =>
  isSession(reference) ? intentBehind(reference, purpose, psp) : reference;

/** Each day has a key of its own: under the first day's, Stripe would repeat that day's error for ever. */
function keyOf({ captureId, sentAt }: CaptureOrder, now: Date): string {
  const days = sentAt === undefined ? 0 : Math.floor((now.getTime() - Date.parse(sentAt)) / DAY);
  return days > 0 ? `${captureId}_${days}` : captureId;
}

const referenceOf = ({ id, latest_charge }: PaymentIntent): string =>
  (typeof latest_charge === 'string' ? latest_charge : latest_charge?.id) ?? id;

/** Some methods take a captured amount later. */
const outcomeOf = (intent: PaymentIntent): CaptureOutcome => ({
  kind: intent.status === 'processing' ? 'accepted' : 'succeeded',
  reference: referenceOf(intent),
});

/** The captures that an intent's metadata name: ours, each with its amount in our minor units. */
function ownCaptures(intent: PaymentIntent): readonly PspCapture[] {
  const currency = intent.currency.toUpperCase();
  return Object.entries(intent.metadata ?? {}).flatMap(([ourId, amount]) =>
    isId('capture', ourId) && /^\d{1,15}$/.test(String(amount))
      ? [{ ...outcomeOf(intent), amount: Number(amount), currency, ourId }]
      : [],
  );
}

function ownCapture(intent: PaymentIntent, { captureId }: CaptureOrder): CaptureOutcome | undefined {
  return ownCaptures(intent).some(({ ourId }) => ourId === captureId) ? outcomeOf(intent) : undefined;
}

type Refused = Extract<StripeResponse, { ok: false }>;

/** After a refusal about its state, the intent decides what became of the capture. */
const fetchIfMoved = async (
  { error }: Refused,
  id: string,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<PaymentIntent | undefined> =>
  lookUp(REFUSALS, codeOf(error.code)) ? fetchIntent(id, purpose, psp) : undefined;

function refusedOutcome({ status, error }: Refused, order: CaptureOrder, moved?: PaymentIntent): CaptureOutcome {
  const own = moved && ownCapture(moved, order);
  if (own) return own;
  const code = codeOf(error.code);
  const known = lookUp(REFUSALS, code);
  if (known) {
    const expired = moved?.status === 'canceled' && EXPIRIES.has(moved.cancellation_reason ?? '');
    return { kind: 'failed', reference: null, decline: declineOf(expired ? 'authorization_expired' : known, code) };
  }
  if (status !== 402) throw refusal(status, error);
  const decline = toDecline(error);
  if (decline === UNDECIDED) throw new PspOutcomeUnknown('Stripe responded 402 without a known reason.');
  return { kind: 'failed', reference: null, decline };
}

/** `automatic` is what accounts on an older API version see. */
const EXPIRIES: ReadonlySet<string> = new Set(['expired', 'automatic']);

function stateOf({ status, cancellation_reason }: PaymentIntent): PspAuthorization['state'] {
  if (status === 'requires_capture') return 'open';
  if (status !== 'canceled') return 'closed';
  return EXPIRIES.has(cancellation_reason ?? '') ? 'expired' : 'canceled';
}

export async function fetchAuthorization(
  { reference, paymentId }: ChargeRef,
  psp: StripeContext,
): Promise<PspAuthorization> {
  const purpose = { operation: 'fetch', paymentId, manual: true } as const;
  const intent = await fetchIntent(await intentOf(reference, purpose, psp), purpose, psp);
  if (!isAuthorized(intent) && intent.status !== 'canceled')
    throw new PspRefused('state', `This payment intent is ${intent.status}: nothing is authorized.`);
  const { amount: authorized, currency, capturable_until } = toAuthorized(intent);
  return {
    reference: intent.id,
    authorized,
    captured: toOurMoney(intent.amount_received ?? 0, intent.currency).amount,
    currency,
    state: stateOf(intent),
    ...(capturable_until && { capturable_until }),
    captures: withForeign(ownCaptures(intent), intent),
  };
}

/** Stripe lists no captures: what ours do not explain was captured by somebody else, in one sum. */
function withForeign(own: readonly PspCapture[], intent: PaymentIntent): readonly PspCapture[] {
  const received = toOurMoney(intent.amount_received ?? 0, intent.currency);
  const foreign = received.amount - own.reduce((sum, { amount }) => sum + amount, 0);
  if (foreign <= 0) return own;
  return [...own, { ...outcomeOf(intent), amount: foreign, currency: received.currency, ourId: null }];
}

/**
 * Gives back what is held. After a capture, Stripe wants a last one of nothing in place of a cancel: that leaves the
 * intent paid with what was captured.
 */
export async function releaseCharge({ reference: id, paymentId }: ChargeRef, psp: StripeContext): Promise<PspOutcome> {
  const purpose = { operation: 'cancel', paymentId, manual: true } as const;
  const intent = await fetchIntent(id, purpose, psp);
  if (intent.status !== 'requires_capture') return notHeld(intent, purpose, psp);
  if ((intent.amount_received ?? 0) === 0) return released(await cancelIntent(id, purpose, psp));
  const path = `${intentPath(id)}/capture`;
  const response = await sendRequest({ ...purpose, path, params: { amount_to_capture: 0, final_capture: true } }, psp);
  if (response.ok) return { kind: 'canceled', reference: id };
  if (response.status !== 400) throw refusal(response.status, response.error);
  throw new PspRefused('state', 'Stripe does not release the rest of this payment intent now.');
}

function notHeld(intent: PaymentIntent, purpose: ChargePurpose, psp: StripeContext): Promise<PspOutcome> {
  if (intent.status === 'succeeded') throw new PspRefused('state', 'This payment intent is captured.');
  return cancelIntent(intent.id, purpose, psp);
}

/** The cancel came too late: somebody has captured the charge. */
function released(outcome: PspOutcome): PspOutcome {
  if (outcome.kind === 'authorized') throw new PspRefused('state', 'This payment intent is captured.');
  return outcome;
}
