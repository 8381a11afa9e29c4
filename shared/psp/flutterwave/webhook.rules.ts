import * as z from 'zod';
import { sameText } from '#shared/kernel/same-text.ts';
import { type CallbackReading, type InboundCallback, type PspContext, PspRefused } from '#shared/ports/psp.port.ts';
import type { FlutterwaveCredentials } from '#shared/psp/flutterwave/credentials.schema.ts';
import { hmacHex } from '#shared/psp/kit/hmac.ts';

const key = z.string().max(200).optional().catch(undefined);
const Keys = z.looseObject({ org_id: key, connection_id: key, payment_id: key }).optional().catch(undefined);
const id = z.union([z.int().nonnegative(), z.string().min(1).max(255)]).transform(String);
const name = z.string().min(1).max(255);

const OldEvent = z.looseObject({ event: name, data: z.unknown().optional(), meta_data: Keys });
const OldCharge = z.looseObject({ id, tx_ref: name, status: z.string().max(64) });
/** UNVERIFIED: the event of a refund and the spelling in it. */
const OldRefund = z.looseObject({
  id,
  status: z.string().max(64),
  tx_id: id.optional(),
  transaction_id: id.optional(),
  TransactionId: id.optional(),
});

/**
 * The newer form, of accounts whose callbacks were switched over; its ids are another API's, so only our own reference
 * counts.
 */
const NewEvent = z.looseObject({ webhook_id: name, type: name, data: z.unknown().optional() });
const NewCharge = z.looseObject({ reference: name, meta: Keys });

export function readFlutterwaveEvent({ rawBody }: InboundCallback): readonly CallbackReading[] {
  const body = parse(rawBody);
  const old = OldEvent.safeParse(body);
  if (old.success) return [readOld(old.data)];
  const event = NewEvent.safeParse(body);
  if (!event.success) throw new PspRefused('request', 'This is not an event of Flutterwave.');
  return [readNew(event.data)];
}

function parse(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}

function readOld({ event: type, data, meta_data }: z.infer<typeof OldEvent>): CallbackReading {
  const routing = routingOf(meta_data);
  if (/^charge\./.test(type)) {
    const { id: reference, tx_ref, status } = need(OldCharge, data);
    return { eventId: `${reference}:${status}`, type, subject: { kind: 'payment', reference, ours: tx_ref }, routing };
  }
  if (/^refund\./.test(type)) {
    const { id: reference, status, tx_id, transaction_id, TransactionId } = need(OldRefund, data);
    const paymentReference = tx_id ?? transaction_id ?? TransactionId ?? null;
    return {
      eventId: `refund:${reference}:${status}`,
      type,
      subject: { kind: 'refund', reference, paymentReference },
      routing,
    };
  }
  return { eventId: type, type, subject: { kind: 'ignored' }, routing: {} };
}

function readNew({ webhook_id: eventId, type, data }: z.infer<typeof NewEvent>): CallbackReading {
  if (!/^charge\./.test(type)) return { eventId, type, subject: { kind: 'ignored' }, routing: {} };
  const { reference, meta } = need(NewCharge, data);
  return { eventId, type, subject: { kind: 'payment', reference, ours: reference }, routing: routingOf(meta) };
}

function need<T>(shape: z.ZodType<T>, data: unknown): T {
  const parsed = shape.safeParse(data);
  if (!parsed.success) throw new PspRefused('request', 'This event of Flutterwave names no object.');
  return parsed.data;
}

const routingOf = (keys: z.infer<typeof Keys>): CallbackReading['routing'] => {
  const { org_id, connection_id, payment_id } = keys ?? {};
  return { org_id, connection_id, payment_id };
};

/**
 * The older form shows the secret hash itself and signs nothing, which is why every event is looked up. Of the newer
 * form only the HMAC counts: some copies of its documentation compare the hash itself, which would prove nothing of the
 * body.
 */
export function verifyFlutterwaveEvent(
  { headers, rawBody }: InboundCallback,
  { credentials }: Pick<PspContext<FlutterwaveCredentials>, 'credentials'>,
): boolean {
  const shown = headers['verif-hash'] ?? '';
  const signature = headers['flutterwave-signature'] ?? '';
  const signed = (secret: string) => Buffer.from(hmacHex('sha256', secret, rawBody), 'hex').toString('base64');
  return [credentials.webhook_secret]
    .flat()
    .some((secret) => secret !== '' && (sameText(shown, secret) || sameText(signature, signed(secret))));
}
