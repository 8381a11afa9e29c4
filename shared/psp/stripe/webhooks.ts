import * as z from 'zod';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import {
  type CallbackProof,
  type InboundCallback,
  type PspContext,
  PspRefused,
  type UnverifiedEvent,
} from '#shared/ports/psp.port.ts';
import { hmacHex, ignoredEvent, parseBody } from '#shared/psp/kit/webhooks.ts';
import type { StripeCredentials } from '#shared/psp/stripe/credentials.schema.ts';

const key = z.string().max(200).optional().catch(undefined);

const reference = z.union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)]).nullish();

/** Read before the signature is checked, in any API version of the merchant's endpoint: only stable fields. */
const EventShape = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  account: z.string().optional(),
  data: z.unknown().optional(),
});

const DataShape = z.looseObject({
  object: z.looseObject({
    id: z.string().min(1).max(255),
    payment_intent: reference,
    metadata: z.looseObject({ org_id: key, connection_id: key, payment_id: key }).nullish().catch(undefined),
  }),
});

type EventObject = z.infer<typeof DataShape>['object'];

/**
 * Read too, but saying nothing new: `charge.refunded` after `refund.created`, and the movements of a dispute's funds.
 */
export const STRIPE_EVENTS: readonly string[] = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.amount_capturable_updated',
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
];

export function parseStripeCallback(callback: InboundCallback): readonly UnverifiedEvent[] {
  const event = EventShape.safeParse(parseBody(callback));
  if (!event.success) throw new PspRefused('request', 'This is not an event of Stripe.');
  const { id: eventId, type } = event.data;
  const subjectOf = SUBJECTS.find(([pattern]) => pattern.test(type))?.[1];
  if (!subjectOf) return [ignoredEvent(eventId, type)];
  const data = DataShape.safeParse(event.data.data);
  if (!data.success) throw new PspRefused('request', `This ${type} event of Stripe names no object.`);
  const { org_id, connection_id, payment_id } = data.data.object.metadata ?? {};
  return [{ eventId, type, subject: subjectOf(data.data.object), routing: { org_id, connection_id, payment_id } }];
}

/** The events that we use, and their subjects. All others are ignored. */
const SUBJECTS: readonly (readonly [RegExp, (object: EventObject) => UnverifiedEvent['subject']])[] = [
  [/^payment_intent\./, ({ id }) => ({ kind: 'payment', reference: id })],
  [/^checkout\.session\./, ({ id }) => ({ kind: 'payment', reference: id })],
  [
    /^charge\.refunded$/,
    ({ payment_intent }) => (payment_intent ? { kind: 'payment', reference: payment_intent } : { kind: 'ignored' }),
  ],
  [
    /^(charge\.)?refund\./,
    ({ id, payment_intent }) => ({ kind: 'refund', reference: id, paymentReference: payment_intent ?? null }),
  ],
  [
    /^charge\.dispute\./,
    ({ id, payment_intent }) => ({ kind: 'dispute', reference: id, paymentReference: payment_intent ?? null }),
  ],
];

const TOLERANCE_SECONDS = 300;

/**
 * Like Stripe's own library: only `v1` counts, compared as text. Only old events are refused, so that a slow clock of
 * ours refuses nothing.
 */
export function verifyStripeCallback(
  callback: InboundCallback,
  { credentials, now }: Pick<PspContext<StripeCredentials>, 'credentials' | 'now'>,
  proof?: CallbackProof,
): boolean {
  const { timestamp, signatures } = parseHeader(callback.headers['stripe-signature'] ?? '');
  if (timestamp === undefined || signatures.length === 0 || callback.rawBody.length === 0) return false;
  if (Math.floor(now().getTime() / 1000) - timestamp > TOLERANCE_SECONDS) return false;
  const secrets = [credentials.webhook_secret].flat();
  const expected = secrets.map((secret) => hmacHex('sha256', secret, `${timestamp}.`, callback.rawBody));
  return (
    expected.some((digest) => signatures.some((signature) => timingSafeEqual(signature, digest))) &&
    (proof === 'sender' || isOurAccount(callback, credentials))
  );
}

/** A platform's endpoint receives the events of all its accounts under one secret. */
function isOurAccount(callback: InboundCallback, { account }: StripeCredentials): boolean {
  const event = EventShape.safeParse(parseBody(callback));
  return event.success && (event.data.account === undefined || event.data.account === account);
}

function parseHeader(header: string): {
  readonly timestamp: number | undefined;
  readonly signatures: readonly string[];
} {
  const pairs = header.split(',').map((item) => item.split('='));
  const valuesOf = (name: string) => pairs.filter(([key]) => key === name).map(([, value = '']) => value);
  const stamp = valuesOf('t').at(-1);
  return { timestamp: stamp && /^\d{1,12}$/.test(stamp) ? Number(stamp) : undefined, signatures: valuesOf('v1') };
}
