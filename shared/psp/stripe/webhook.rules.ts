import * as z from 'zod';
import { sameText } from '#shared/kernel/same-text.ts';
import { type CallbackReading, type InboundCallback, type PspContext, PspRefused } from '#shared/ports/psp.port.ts';
import { hmacHex } from '#shared/psp/kit/hmac.ts';
import type { StripeCredentials } from '#shared/psp/stripe/credentials.schema.ts';

const key = z.string().max(200).optional().catch(undefined);
const reference = z.union([z.string(), z.looseObject({ id: z.string() }).transform(({ id }) => id)]).nullish();

/** Read before the signature is checked, in any API version of the merchant's endpoint: only stable fields. */
const EventShape = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  account: z.string().optional(),
  data: z.unknown(),
});
const DataShape = z.looseObject({
  object: z.looseObject({
    id: z.string().min(1).max(255),
    payment_intent: reference,
    metadata: z.looseObject({ org_id: key, connection_id: key, payment_id: key }).nullish(),
  }),
});
type Subject = z.infer<typeof DataShape>['object'];

const parse = ({ rawBody }: InboundCallback): unknown => {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
};

export function readStripeEvent(callback: InboundCallback): readonly CallbackReading[] {
  const event = EventShape.safeParse(parse(callback));
  if (!event.success) throw new PspRefused('request', 'This is not an event of Stripe.');
  const { id: eventId, type } = event.data;
  const subjectOf = SUBJECTS.find(([pattern]) => pattern.test(type))?.[1];
  if (!subjectOf) return [{ eventId, type, subject: { kind: 'ignored' }, routing: {} }];
  const data = DataShape.safeParse(event.data.data);
  if (!data.success) throw new PspRefused('request', `This ${type} event of Stripe names no object.`);
  const { org_id, connection_id, payment_id } = data.data.object.metadata ?? {};
  return [{ eventId, type, subject: subjectOf(data.data.object), routing: { org_id, connection_id, payment_id } }];
}

/** The events that matter here, and their subjects; all others are ignored. */
const SUBJECTS: readonly (readonly [RegExp, (object: Subject) => CallbackReading['subject']])[] = [
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
];

const TOLERANCE_SECONDS = 300;

/**
 * As Stripe's own library: `v1` only, compared as text, and only old age is refused, so that a slow clock of ours
 * refuses nothing.
 */
export function verifyStripeEvent(
  callback: InboundCallback,
  { credentials, now }: Pick<PspContext<StripeCredentials>, 'credentials' | 'now'>,
): boolean {
  const { timestamp, signatures } = parseHeader(callback.headers['stripe-signature'] ?? '');
  if (timestamp === undefined || signatures.length === 0 || callback.rawBody.length === 0) return false;
  if (Math.floor(now().getTime() / 1000) - timestamp > TOLERANCE_SECONDS) return false;
  const secrets = [credentials.webhook_secret].flat();
  const expected = secrets.map((secret) => hmacHex('sha256', secret, `${timestamp}.`, callback.rawBody));
  return (
    expected.some((digest) => signatures.some((signature) => sameText(signature, digest))) &&
    isOurAccount(callback, credentials)
  );
}

/** A platform's endpoint gets the events of all its accounts under one secret. */
function isOurAccount(callback: InboundCallback, { account }: StripeCredentials): boolean {
  const event = EventShape.safeParse(parse(callback));
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
