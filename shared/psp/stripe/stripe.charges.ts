import { type ChargeOrder, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import { requestRefusal, toDecline } from '#shared/psp/stripe/decline.rules.ts';
import { refusal, type StripeAnswer } from '#shared/psp/stripe/error.rules.ts';
import { readIntent, readSession } from '#shared/psp/stripe/mapping.rules.ts';
import { PaymentIntent, type StripeFault } from '#shared/psp/stripe/objects.schema.ts';
import { intentParams, sessionParams } from '#shared/psp/stripe/request.rules.ts';
import { ask, type StripeContext } from '#shared/psp/stripe/stripe.client.ts';
import { fetchIntent, intentOutcome, intentPath, sessionOutcome } from '#shared/psp/stripe/stripe.lookups.ts';

export async function createIntent(order: ChargeOrder, psp: StripeContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId } as const;
  const answer = await ask(
    { ...purpose, path: '/v1/payment_intents', params: intentParams(order), idempotencyKey: order.attemptId },
    psp,
  );
  return chargeOutcome(answer, purpose, psp);
}

export async function createSession(order: ChargeOrder, psp: StripeContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId } as const;
  const call = {
    ...purpose,
    path: '/v1/checkout/sessions',
    params: sessionParams(order),
    idempotencyKey: order.attemptId,
  };
  const answer = await ask(call, psp);
  if (answer.ok) return sessionOutcome(readSession(answer.body), purpose, psp);
  const decline = requestRefusal(answer.status, answer.fault);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer.status, answer.fault);
}

/** Stripe's answer to a call that may have charged: the intent, a decline with the intent in it, or a refusal. */
async function chargeOutcome(answer: StripeAnswer, purpose: ChargePurpose, psp: StripeContext): Promise<PspOutcome> {
  if (answer.ok) return intentOutcome(readIntent(answer.body), purpose, psp);
  const { status, fault } = answer;
  const intent = PaymentIntent.safeParse(fault.payment_intent);
  if (status === 402) return declined(fault, intent.data, purpose, psp);
  const decline = requestRefusal(status, fault);
  if (decline) return { kind: 'declined', reference: intent.data?.id ?? null, decline };
  throw refusal(status, fault);
}

const OPEN_TO_DECLINE = new Set(['requires_payment_method', 'canceled']);

/** A 402 is a decline if it says so itself; an intent in it that has moved on knows better. */
function declined(
  fault: StripeFault,
  intent: PaymentIntent | undefined,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<PspOutcome> | PspOutcome {
  if (intent && !OPEN_TO_DECLINE.has(intent.status)) return intentOutcome(intent, purpose, psp);
  if (fault.type !== 'card_error' && !intent)
    throw new PspOutcomeUnknown('Stripe answered 402 without a reason that is understood.');
  return { kind: 'declined', reference: intent?.id ?? null, decline: toDecline(fault) };
}

/** Only an intent created without confirmation needs one; any other is further along. */
export async function confirmIntent(reference: string, order: ChargeOrder, psp: StripeContext): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId } as const;
  const intent = await fetchIntent(reference, purpose, psp);
  if (intent.status !== 'requires_confirmation') return intentOutcome(intent, purpose, psp);
  const params = { return_url: order.returnUrl, off_session: order.offSession ? true : undefined };
  const answer = await ask(
    { ...purpose, path: `${intentPath(reference)}/confirm`, params, idempotencyKey: `${order.attemptId}-confirm` },
    psp,
  );
  return chargeOutcome(answer, purpose, psp);
}
