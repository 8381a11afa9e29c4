import * as z from 'zod';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import { type InboundCallback, type PspContext, PspRefused, type UnverifiedEvent } from '#shared/ports/psp.port.ts';
import type { FlutterwaveCredentials } from '#shared/psp/flutterwave/credentials.schema.ts';
import { hmacHex, ignoredEvent, parseBody } from '#shared/psp/kit/webhooks.ts';

const key = z.string().max(200).optional().catch(undefined);

const Keys = z.looseObject({ org_id: key, connection_id: key, payment_id: key }).optional().catch(undefined);

const id = z.union([z.int().nonnegative(), z.string().min(1).max(255)]).transform(String);

const name = z.string().min(1).max(255);

const EventV3 = z.looseObject({ event: name, data: z.unknown().optional(), meta_data: Keys });

const ChargeV3 = z.looseObject({ id, tx_ref: name, status: z.string().max(64) });

/** UNVERIFIED: the event of a refund and the spelling in it. */
const RefundV3 = z.looseObject({
  id,
  status: z.string().max(64),
  tx_id: id.nullish(),
  transaction_id: id.nullish(),
  TransactionId: id.nullish(),
});

/**
 * The v4 form, for accounts whose callbacks were switched over. Its ids belong to another API, so only our own
 * reference counts.
 */
const EventV4 = z.looseObject({ webhook_id: name, type: name, data: z.unknown().optional() });

const ChargeV4 = z.looseObject({ reference: name, meta: Keys });

/**
 * The flat form: of older accounts, and of test mode. It has no metadata, and its status may be missing. A callback of
 * another kind (a transfer, a subscription) has the same form with other fields.
 */
const FlatEvent = z.looseObject({ 'event.type': name });

const FlatCharge = z.looseObject({
  id,
  txRef: name.optional(),
  tx_ref: name.optional(),
  status: z.string().max(64).nullish(),
  'event.type': name.optional(),
  meta_data: Keys,
});

export function parseFlutterwaveCallback(callback: InboundCallback): readonly UnverifiedEvent[] {
  const body = parseBody(callback);
  const v3 = EventV3.safeParse(body);
  if (v3.success) return [parseV3(v3.data)];
  const v4 = EventV4.safeParse(body);
  if (v4.success) return [parseV4(v4.data)];
  const event = parseFlat(body);
  if (!event) throw new PspRefused('request', 'This is not an event of Flutterwave.');
  return [event];
}

/** Undefined if the body has none of the forms, or is a charge without an id. */
function parseFlat(body: unknown): UnverifiedEvent | undefined {
  const { success, data: charge } = FlatCharge.safeParse(body);
  const ourId = charge?.txRef ?? charge?.tx_ref;
  if (!success || !charge || ourId === undefined || 'event' in charge) {
    const { 'event.type': kind = 'TRANSACTION', ...other } = FlatEvent.safeParse(body).data ?? {};
    return /TRANSACTION/i.test(kind) || 'event' in other ? undefined : ignoredEvent(kind, kind);
  }
  const { id: reference, status, 'event.type': type = 'charge', meta_data } = charge;
  return {
    eventId: `${reference}:${status ?? ''}`,
    type,
    subject: { kind: 'payment', reference, ourId },
    routing: routingOf(meta_data),
  };
}

function parseV3({ event: type, data, meta_data }: z.infer<typeof EventV3>): UnverifiedEvent {
  const routing = routingOf(meta_data);
  if (/^charge\./.test(type)) {
    const { id: reference, tx_ref, status } = parseObject(ChargeV3, data);
    return { eventId: `${reference}:${status}`, type, subject: { kind: 'payment', reference, ourId: tx_ref }, routing };
  }
  if (/^refund\./.test(type)) {
    const { id: reference, status, tx_id, transaction_id, TransactionId } = parseObject(RefundV3, data);
    const paymentReference = tx_id ?? transaction_id ?? TransactionId ?? null;
    return {
      eventId: `refund:${reference}:${status}`,
      type,
      subject: { kind: 'refund', reference, paymentReference },
      routing,
    };
  }
  return ignoredEvent(type, type);
}

function parseV4({ webhook_id: eventId, type, data }: z.infer<typeof EventV4>): UnverifiedEvent {
  if (!/^charge\./.test(type)) return ignoredEvent(eventId, type);
  const { reference, meta } = parseObject(ChargeV4, data);
  return { eventId, type, subject: { kind: 'payment', reference, ourId: reference }, routing: routingOf(meta) };
}

function parseObject<T>(shape: z.ZodType<T>, data: unknown): T {
  const parsed = shape.safeParse(data);
  if (!parsed.success) throw new PspRefused('request', 'This event of Flutterwave names no object.');
  return parsed.data;
}

const routingOf = (keys: z.infer<typeof Keys>): UnverifiedEvent['routing'] => {
  const { org_id, connection_id, payment_id } = keys ?? {};
  return { org_id, connection_id, payment_id };
};

type Secrets = Pick<PspContext<FlutterwaveCredentials>, 'credentials'>;

const secretsOf = ({ credentials }: Secrets): readonly string[] =>
  [credentials.webhook_secret].flat().filter((secret) => secret !== '');

/**
 * The v3 form contains the secret hash itself and signs nothing, so every event leads to a look-up. For the v4 form
 * only the HMAC counts: some copies of its documentation compare the hash itself, which would prove nothing about the
 * body.
 */
export const verifyFlutterwaveCallback = (callback: InboundCallback, psp: Secrets): boolean =>
  secretsOf(psp).some((secret) => timingSafeEqual(callback.headers['verif-hash'] ?? '', secret)) ||
  !isUnsignedByFlutterwave(callback, psp);

/** Verified by the secret hash alone. */
export const isUnsignedByFlutterwave = ({ headers, rawBody }: InboundCallback, psp: Secrets): boolean => {
  const signature = headers['flutterwave-signature'] ?? '';
  const signed = (secret: string) => Buffer.from(hmacHex('sha256', secret, rawBody), 'hex').toString('base64');
  return !secretsOf(psp).some((secret) => timingSafeEqual(signature, signed(secret)));
};
