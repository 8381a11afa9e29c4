import * as z from 'zod';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import { type InboundCallback, type PspContext, PspRefused, type UnverifiedEvent } from '#shared/ports/psp.port.ts';
import { hmacHex, ignoredEvent, textOf } from '#shared/psp/kit/webhooks.ts';
import type { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { toAttemptId } from '#shared/psp/paystack/requests.rules.ts';

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
  /** Of a dispute. */
  transaction: z.looseObject({ reference: text, metadata: z.unknown().optional() }).optional().catch(undefined),
});

type EventData = z.infer<typeof DataShape>;

const Keys = z.looseObject({ org_id: text, connection_id: text, payment_id: text });

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

export function parsePaystackCallback(callback: InboundCallback): readonly UnverifiedEvent[] {
  const event = EventShape.safeParse(parse(textOf(callback)));
  if (!event.success) throw new PspRefused('request', 'This is not an event of Paystack.');
  const type = event.data.event;
  const data = DataShape.safeParse(event.data.data).data;
  const eventId = eventIdOf(type, data);
  const subjectOf = SUBJECTS.find(([pattern]) => pattern.test(type))?.[1];
  if (!subjectOf) return [ignoredEvent(eventId, type)];
  const subject = data && subjectOf(data);
  if (!subject) throw new PspRefused('request', 'This event of Paystack names no transaction.');
  const { org_id, connection_id, payment_id } = Keys.safeParse(metadataOf(data)).data ?? {};
  return [{ eventId, type, subject, routing: { org_id, connection_id, payment_id } }];
}

/**
 * Paystack's events have no id, so it is made of the event, its object and its status. Two equal refunds of one charge
 * may get the same id; both lead to the same look-up.
 */
const eventIdOf = (type: string, data: EventData | undefined): string =>
  [
    type,
    data?.id ?? data?.refund_reference ?? '',
    data?.reference ?? data?.transaction_reference ?? '',
    data?.status ?? '',
    data?.amount ?? '',
  ]
    .join(':')
    .slice(0, 255);

/** An object, an object as text, or `0` or `""` if there is none. */
function metadataOf({ metadata, transaction }: EventData): unknown {
  const given = metadata ?? transaction?.metadata;
  return typeof given === 'string' ? parse(given) : given;
}

const paymentEvent = (reference: string) => {
  const ourId = toAttemptId(reference);
  return { kind: 'payment', reference, ...(ourId && { ourId }) } as const;
};

/**
 * The events that we use, and their subjects. All others are ignored. Refund events name their transaction, but
 * not reliably the refund or our metadata. So all refunds of the charge are read.
 */
const SUBJECTS: readonly (readonly [RegExp, (data: EventData) => UnverifiedEvent['subject'] | undefined])[] = [
  [/^charge\.(success|failed)$/, ({ reference }) => (reference === undefined ? undefined : paymentEvent(reference))],
  [
    /^refund\./,
    ({ transaction_reference: of }) => (of === undefined ? undefined : { ...paymentEvent(of), includesRefunds: true }),
  ],
  [
    /^charge\.dispute\.(create|remind|resolve)$/,
    ({ id: reference, transaction }) =>
      reference === undefined
        ? undefined
        : { kind: 'dispute', reference, paymentReference: transaction?.reference ?? null },
  ],
];

/** Over the raw bytes: parsing and rewriting would change them. */
export function verifyPaystackCallback(
  { headers, rawBody }: InboundCallback,
  { credentials }: Pick<PspContext<PaystackCredentials>, 'credentials'>,
): boolean {
  const signature = headers['x-paystack-signature'];
  if (!signature || rawBody.length === 0) return false;
  const secrets = [credentials.secret_key, ...[credentials.webhook_secret ?? []].flat()];
  return secrets.some((secret) => timingSafeEqual(signature, hmacHex('sha512', secret, rawBody)));
}
