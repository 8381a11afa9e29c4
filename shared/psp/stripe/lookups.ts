import { type ChargeOrder, PspNotSent, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { type ChargePurpose, manualOf } from '#shared/psp/kit/requests.ts';
import { requestOrThrow, type StripeContext, sendRequest } from '#shared/psp/stripe/client.ts';
import { decidingIntent, isAuthorized, toOutcome, toSessionOutcome } from '#shared/psp/stripe/outcomes.rules.ts';
import {
  PaymentIntent,
  readIntent,
  readObject,
  readSession,
  SearchPage,
  type Session,
} from '#shared/psp/stripe/schema.ts';

export const isSession = (reference: string): boolean => reference.startsWith('cs_');

export const intentPath = (id: string): string => `/v1/payment_intents/${encodeURIComponent(id)}`;

export const sessionPath = (id: string): string => `/v1/checkout/sessions/${encodeURIComponent(id)}`;

/** If a charge that requests automatic capture is only authorized, we capture it. */
export async function intentOutcome(
  intent: PaymentIntent,
  purpose: ChargePurpose,
  psp: StripeContext,
): Promise<PspOutcome> {
  const takes = intent.status === 'requires_capture' && purpose.mayCapture !== false && !purpose.manual;
  const current = takes ? await capture(intent, purpose, psp) : intent;
  return toOutcome(current, psp.credentials.publishable_key, purpose.manual);
}

/**
 * The key derives from the intent, so that each look-up makes the same call. After a failure the intent stays
 * authorized, and the next look-up captures it.
 */
async function capture(intent: PaymentIntent, purpose: ChargePurpose, psp: StripeContext): Promise<PaymentIntent> {
  try {
    const response = await sendRequest(
      { ...purpose, path: `${intentPath(intent.id)}/capture`, params: {}, idempotencyKey: `${intent.id}-capture` },
      psp,
    );
    return response.ok ? readIntent(response.body) : intent;
  } catch (error) {
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown) return intent;
    throw error;
  }
}

export async function fetchIntent(id: string, purpose: ChargePurpose, psp: StripeContext): Promise<PaymentIntent> {
  return readIntent(await requestOrThrow({ ...purpose, path: `${intentPath(id)}?expand[]=latest_charge` }, psp));
}

export async function fetchSession(id: string, purpose: ChargePurpose, psp: StripeContext): Promise<Session> {
  const path = `${sessionPath(id)}?expand[]=payment_intent.latest_charge`;
  return readSession(await requestOrThrow({ ...purpose, path }, psp));
}

/** Once an intent decides, its id becomes the charge's reference. */
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

/** Clocks differ, and the charge is stored just before it is sent. */
const CLOCK_SKEW_SECONDS = 60;

/**
 * Stripe's search lags, so an empty result may mean "not yet". Metadata name the payment but not the attempt. Other
 * attempts are excluded by their references and times. Of the rest, a paid or held intent comes first, then the newest.
 */
export async function findCharge(order: ChargeOrder, psp: StripeContext): Promise<PspOutcome | undefined> {
  const purpose = { operation: 'find', paymentId: order.paymentId, ...manualOf(order) } as const;
  const query = encodeURIComponent(`metadata['payment_id']:'${order.paymentId}'`);
  const { data } = readObject(
    SearchPage,
    'search result',
    await requestOrThrow(
      { ...purpose, path: `/v1/payment_intents/search?query=${query}&expand[]=data.latest_charge` },
      psp,
    ),
  );
  const intent = chooseIntent(data, order);
  return intent && intentOutcome(intent, purpose, psp);
}

function chooseIntent(found: readonly unknown[], order: ChargeOrder): PaymentIntent | undefined {
  const { startedAt, otherReferences = [] } = order;
  const since = Date.parse(startedAt) / 1000 - CLOCK_SKEW_SECONDS;
  const isFirst = order.capture === 'manual' ? isAuthorized : ({ status }: PaymentIntent) => status === 'succeeded';
  const rank = (intent: PaymentIntent) => (isFirst(intent) ? 1 : 0);
  return found
    .map((value) => PaymentIntent.safeParse(value).data)
    .filter((intent) => intent !== undefined)
    .filter(({ id, created }) => (created ?? 0) >= since && !otherReferences.includes(id))
    .sort((a, b) => rank(b) - rank(a) || (b.created ?? 0) - (a.created ?? 0))[0];
}
