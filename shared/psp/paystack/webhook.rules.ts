import * as z from 'zod';
import { sameText } from '#shared/kernel/same-text.ts';
import { type CallbackReading, type InboundCallback, type PspContext, PspRefused } from '#shared/ports/psp.port.ts';
import { hmacHex } from '#shared/psp/kit/hmac.ts';
import type { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { attemptOf } from '#shared/psp/paystack/reference.rules.ts';

const text = z.string().min(1).max(200).optional().catch(undefined);
const id = z
  .union([z.string().max(100), z.number().transform(String)])
  .optional()
  .catch(undefined);

const EventShape = z.looseObject({ event: z.string().min(1).max(100), data: z.unknown().optional() });
const DataShape = z.looseObject({
  id,
  status: text,
  reference: text,
  transaction_reference: text,
  refund_reference: id,
  amount: id,
  metadata: z.unknown().optional(),
});
type Data = z.infer<typeof DataShape>;
const Keys = z.looseObject({ org_id: text, connection_id: text, payment_id: text });

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

export function readPaystackEvent({ rawBody }: InboundCallback): readonly CallbackReading[] {
  const event = EventShape.safeParse(parse(rawBody.toString('utf8')));
  if (!event.success) throw new PspRefused('request', 'This is not an event of Paystack.');
  const type = event.data.event;
  const data = DataShape.safeParse(event.data.data).data;
  const eventId = eventIdOf(type, data);
  const subjectOf = SUBJECTS.find(([pattern]) => pattern.test(type))?.[1];
  if (!subjectOf) return [{ eventId, type, subject: { kind: 'ignored' }, routing: {} }];
  const subject = data && subjectOf(data);
  if (!subject) throw new PspRefused('request', 'This event of Paystack names no transaction.');
  const { org_id, connection_id, payment_id } = Keys.safeParse(metadataOf(data)).data ?? {};
  return [{ eventId, type, subject, routing: { org_id, connection_id, payment_id } }];
}

/**
 * Paystack's events have no id: the same event of the same object in the same state is the same. Two equal refunds of
 * one charge may read alike; both lead to the same look-up.
 */
const eventIdOf = (type: string, data: Data | undefined): string =>
  [
    type,
    data?.id ?? data?.refund_reference ?? '',
    data?.reference ?? data?.transaction_reference ?? '',
    data?.status ?? '',
    data?.amount ?? '',
  ]
    .join(':')
    .slice(0, 255);

/** An object, an object as text, or `0` or `""` where there is none. */
const metadataOf = ({ metadata }: Data): unknown => (typeof metadata === 'string' ? parse(metadata) : metadata);

const charge = (reference: string) => {
  const ours = attemptOf(reference);
  return { kind: 'payment', reference, ...(ours && { ours }) } as const;
};

/**
 * The events that matter here, and their subjects; all others are ignored. Refund events name their transaction, but
 * not reliably the refund, nor our keys: all refunds of the charge are read.
 */
const SUBJECTS: readonly (readonly [RegExp, (data: Data) => CallbackReading['subject'] | undefined])[] = [
  [/^charge\.(success|failed)$/, ({ reference }) => (reference === undefined ? undefined : charge(reference))],
  [
    /^refund\./,
    ({ transaction_reference: of }) => (of === undefined ? undefined : { ...charge(of), refundsToo: true }),
  ],
];

/** Over the raw bytes: parsing and rewriting would change them. */
export function verifyPaystackEvent(
  { headers, rawBody }: InboundCallback,
  { credentials }: Pick<PspContext<PaystackCredentials>, 'credentials'>,
): boolean {
  const signature = headers['x-paystack-signature'];
  if (!signature || rawBody.length === 0) return false;
  const secrets = [credentials.secret_key, ...[credentials.webhook_secret ?? []].flat()];
  return secrets.some((secret) => sameText(signature, hmacHex('sha512', secret, rawBody)));
}
