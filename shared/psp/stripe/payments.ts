import { type ChargeOrder, type ChargeRef, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { outcomeOfReason, UNDECIDED } from '#shared/psp/kit/declines.ts';
import { type ChargePurpose, manualOf } from '#shared/psp/kit/requests.ts';
import { refusal, type StripeContext, type StripeResponse, sendRequest } from '#shared/psp/stripe/client.ts';
import { customerFor } from '#shared/psp/stripe/customers.ts';
import { leavesOpen, requestDecline, toDecline } from '#shared/psp/stripe/declines.catalog.ts';
import {
  fetchCharge,
  fetchIntent,
  fetchSession,
  intentOutcome,
  intentPath,
  isSession,
  sessionOutcome,
  sessionPath,
} from '#shared/psp/stripe/lookups.ts';
import { MONEY_MOVING, toOutcome } from '#shared/psp/stripe/outcomes.rules.ts';
import { networkOf } from '#shared/psp/stripe/report.rules.ts';
import { expandsCharge, intentParams, sessionParams } from '#shared/psp/stripe/requests.rules.ts';
import { type PaymentIntent, readIntent, readSession, type StripeError } from '#shared/psp/stripe/schema.ts';

export const createCharge = (order: ChargeOrder, psp: StripeContext): Promise<PspOutcome> =>
  (order.paymentMethod.token === undefined ? createSession : createIntent)(order, psp);

async function createIntent(order: ChargeOrder, psp: StripeContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId, ...manualOf(order) } as const;
  const customer = order.save ? await customerFor(order, purpose, psp) : undefined;
  const params = intentParams(order, customer);
  const response = await sendRequest(
    { ...purpose, path: '/v1/payment_intents', params, idempotencyKey: order.attemptId },
    psp,
  );
  return chargeOutcome(response, purpose, psp);
}

async function createSession(order: ChargeOrder, psp: StripeContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId, ...manualOf(order) } as const;
  const call = {
    ...purpose,
    path: '/v1/checkout/sessions',
    params: sessionParams(order),
    idempotencyKey: order.attemptId,
  };
  const response = await sendRequest(call, psp);
  if (response.ok) return sessionOutcome(readSession(response.body), purpose, psp);
  const decline = requestDecline(response.status, response.error);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(response.status, response.error);
}

/** Stripe's response to a call that may have charged: an intent, a decline that contains the intent, or a refusal. */
async function chargeOutcome(
  response: StripeResponse,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<PspOutcome> {
  if (response.ok) return intentOutcome(readIntent(response.body), purpose, psp);
  const { status, error } = response;
  const intent = intentIn(error);
  if (intent && MONEY_MOVING.has(intent.status)) return intentOutcome(intent, purpose, psp);
  if (status === 402) return declinedOutcome(error, intent, purpose, psp);
  const decline = requestDecline(status, error);
  if (decline) return { kind: 'declined', reference: intent?.id ?? null, decline };
  if (leavesOpen(error)) throw new PspOutcomeUnknown('Stripe refused the request, as the charge has moved on.');
  throw refusal(status, error);
}

/** An intent that we cannot read may be paid. */
function intentIn({ payment_intent }: StripeError): PaymentIntent | undefined {
  return payment_intent === undefined || payment_intent === null ? undefined : readIntent(payment_intent);
}

const DECLINABLE_STATUSES = new Set(['requires_payment_method', 'canceled']);

/** A 402 is a decline if it says so. If its intent has moved on, the intent decides. */
function declinedOutcome(
  error: StripeError,
  intent: PaymentIntent | undefined,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<PspOutcome> | PspOutcome {
  if (intent && !DECLINABLE_STATUSES.has(intent.status)) return intentOutcome(intent, purpose, psp);
  const decline = toDecline(error);
  if (intent) return withReport(outcomeOfReason(intent.id, decline), error);
  if (error.type !== 'card_error' || decline === UNDECIDED)
    throw new PspOutcomeUnknown('Stripe responded 402 without a known reason.');
  return withReport({ kind: 'declined', reference: null, decline }, error);
}

const withReport = (outcome: PspOutcome, error: StripeError): PspOutcome =>
  outcome.kind === 'declined' ? { ...outcome, ...networkOf(undefined, error) } : outcome;

/**
 * Only an intent that was created without confirmation needs one. Any other charge, and a session, has its outcome
 * already.
 */
export async function confirmCharge(
  { reference, order }: { readonly reference: string; readonly order: ChargeOrder },
  psp: StripeContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId, ...manualOf(order) } as const;
  if (isSession(reference)) return fetchCharge(reference, purpose, psp);
  const intent = await fetchIntent(reference, purpose, psp);
  if (intent.status !== 'requires_confirmation') return intentOutcome(intent, purpose, psp);
  const params = {
    return_url: order.returnUrl,
    off_session: order.offSession ? true : undefined,
    expand: expandsCharge(order) ? ['latest_charge'] : undefined,
  };
  const response = await sendRequest(
    { ...purpose, path: `${intentPath(reference)}/confirm`, params, idempotencyKey: `${order.attemptId}-confirm` },
    psp,
  );
  return chargeOutcome(response, purpose, psp);
}

export function cancelCharge({ reference, paymentId, manual }: ChargeRef, psp: StripeContext): Promise<PspOutcome> {
  const purpose = { operation: 'cancel', paymentId, manual } as const;
  return (isSession(reference) ? expireSession : cancelIntent)(reference, purpose, psp);
}

/**
 * Both calls can be repeated, and have no idempotency key: it would return an earlier "not now" for a day. If Stripe
 * cannot cancel any more, the outcome is the intent's status; nothing is captured.
 */
export async function cancelIntent(reference: string, purpose: ChargePurpose, psp: StripeContext): Promise<PspOutcome> {
  const response = await sendRequest({ ...purpose, path: `${intentPath(reference)}/cancel`, params: {} }, psp);
  if (response.ok) return toOutcome(readIntent(response.body));
  throwUnlessTooLate(response);
  return toOutcome(await fetchIntent(reference, purpose, psp), psp.credentials.publishable_key, purpose.manual);
}

/** An expired page takes no more money, so the cancel has succeeded. */
async function expireSession(reference: string, purpose: ChargePurpose, psp: StripeContext): Promise<PspOutcome> {
  const response = await sendRequest({ ...purpose, path: `${sessionPath(reference)}/expire`, params: {} }, psp);
  if (!response.ok) throwUnlessTooLate(response);
  const session = response.ok ? readSession(response.body) : await fetchSession(reference, purpose, psp);
  const outcome = await sessionOutcome(session, purpose, psp);
  return session.status === 'expired' && outcome.kind === 'declined' ? { kind: 'canceled', reference } : outcome;
}

/** A 400 means that it is too late to cancel. Anything else is our mistake. */
function throwUnlessTooLate(response: Extract<StripeResponse, { ok: false }>): void {
  if (response.status !== 400) throw refusal(response.status, response.error);
}
