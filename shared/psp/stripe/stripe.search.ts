import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import { read } from '#shared/psp/stripe/mapping.rules.ts';
import { PaymentIntent, SearchPage } from '#shared/psp/stripe/objects.schema.ts';
import { get, type StripeContext } from '#shared/psp/stripe/stripe.client.ts';
import { intentOutcome } from '#shared/psp/stripe/stripe.lookups.ts';

/** Clocks differ, and the charge was stored just before the call. */
const SLACK_SECONDS = 60;

/**
 * Stripe's search lags, so an empty result may mean "not yet". Metadata names the payment but not the attempt: other
 * attempts are excluded by their references and times; of the rest money that moved comes first, then the newest.
 */
export async function searchCharge(order: ChargeOrder, psp: StripeContext): Promise<PspOutcome | undefined> {
  const purpose = { operation: 'find', paymentId: order.paymentId } as const;
  const query = encodeURIComponent(`metadata['payment_id']:'${order.paymentId}'`);
  const { data } = read(
    SearchPage,
    'search result',
    await get({ ...purpose, path: `/v1/payment_intents/search?query=${query}` }, psp),
  );
  const intent = chooseIntent(data, order);
  return intent && intentOutcome(intent, purpose, psp);
}

function chooseIntent(found: readonly unknown[], { startedAt, others = [] }: ChargeOrder): PaymentIntent | undefined {
  const since = Date.parse(startedAt) / 1000 - SLACK_SECONDS;
  const rank = (intent: PaymentIntent) => (intent.status === 'succeeded' ? 1 : 0);
  return found
    .map((value) => PaymentIntent.safeParse(value).data)
    .filter((intent) => intent !== undefined)
    .filter(({ id, created }) => (created ?? 0) >= since && !others.includes(id))
    .sort((a, b) => rank(b) - rank(a) || (b.created ?? 0) - (a.created ?? 0))[0];
}
