import { PspNotSent, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import type { ChargePurpose } from '#shared/psp/kit/purpose.ts';
import {
  decidingIntent,
  readIntent,
  readSession,
  toOutcome,
  toSessionOutcome,
} from '#shared/psp/stripe/mapping.rules.ts';
import type { PaymentIntent, Session } from '#shared/psp/stripe/objects.schema.ts';
import { ask, get, type StripeContext } from '#shared/psp/stripe/stripe.client.ts';

export const isSession = (reference: string): boolean => reference.startsWith('cs_');
export const intentPath = (id: string): string => `/v1/payment_intents/${encodeURIComponent(id)}`;
export const sessionPath = (id: string): string => `/v1/checkout/sessions/${encodeURIComponent(id)}`;

/** Charges ask for automatic capture; one that is only authorized is captured by us. */
export async function intentOutcome(
  intent: PaymentIntent,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<PspOutcome> {
  const current =
    intent.status === 'requires_capture' && purpose.wanted !== false ? await capture(intent, purpose, psp) : intent;
  return toOutcome(current, psp.credentials.publishable_key);
}

/**
 * The key derives from the intent, so that each look-up makes the same call. A failure leaves it authorized, and is
 * repeated.
 */
async function capture(intent: PaymentIntent, purpose: ChargePurpose, psp: StripeContext): Promise<PaymentIntent> {
  try {
    const answer = await ask(
      { ...purpose, path: `${intentPath(intent.id)}/capture`, params: {}, idempotencyKey: `${intent.id}-capture` },
      psp,
    );
    return answer.ok ? readIntent(answer.body) : intent;
  } catch (error) {
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown) return intent;
    throw error;
  }
}

export async function fetchIntent(id: string, purpose: ChargePurpose, psp: StripeContext): Promise<PaymentIntent> {
  return readIntent(await get({ ...purpose, path: intentPath(id) }, psp));
}

export async function fetchSession(id: string, purpose: ChargePurpose, psp: StripeContext): Promise<Session> {
  return readSession(await get({ ...purpose, path: `${sessionPath(id)}?expand[]=payment_intent` }, psp));
}

/** Once an intent decides, the charge is known by its reference. */
export async function sessionOutcome(
  session: Session,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<PspOutcome> {
  const deciding = decidingIntent(session);
  if (deciding === undefined) return toSessionOutcome(session);
  const intent = typeof deciding === 'string' ? await fetchIntent(deciding, purpose, psp) : deciding;
  return intentOutcome(intent, purpose, psp);
}

export async function fetchCharge(reference: string, purpose: ChargePurpose, psp: StripeContext): Promise<PspOutcome> {
  if (isSession(reference)) return sessionOutcome(await fetchSession(reference, purpose, psp), purpose, psp);
  return intentOutcome(await fetchIntent(reference, purpose, psp), purpose, psp);
}
