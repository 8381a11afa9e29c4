import * as z from 'zod';
import { isId } from '#shared/kernel/ids.ts';
import { sameText } from '#shared/kernel/same-text.ts';
import { type CallbackReading, type InboundCallback, type PspContext, PspRefused } from '#shared/ports/psp.port.ts';
import { hmacHex } from '#shared/psp/kit/hmac.ts';
import type { RazorpayCredentials } from '#shared/psp/razorpay/credentials.schema.ts';

const key = z.string().max(200).optional().catch(undefined);
/** Empty notes are `[]`, or null. */
const Keys = z.looseObject({ org_id: key, connection_id: key, payment_id: key });
const notes = Keys.nullish().catch(null);
const id = z.string().min(1).max(255);
const text = z.string().nullish().catch(null);

/** Read before the signature is checked: only what identifies the owner and what to look up. */
const EventShape = z.looseObject({
  entity: z.literal('event'),
  event: z.string().min(1).max(255),
  account_id: text,
  created_at: z.number().nullish().catch(null),
  payload: z.unknown(),
});
const holding = <T extends z.ZodType>(entity: T) => z.looseObject({ entity }).optional();
const PayloadShape = z.looseObject({
  payment: holding(z.looseObject({ id, notes })),
  /** Not its id: with a payment link it comes without the prefix. */
  order: holding(z.looseObject({ receipt: text, notes })),
  payment_link: holding(z.looseObject({ id, reference_id: text, notes })),
  refund: holding(z.looseObject({ id, payment_id: id.nullish(), receipt: text, notes })),
});
type Payload = z.infer<typeof PayloadShape>;
type Subject = CallbackReading['subject'];

const parse = ({ rawBody }: InboundCallback): unknown => {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
};

export function readRazorpayEvent(callback: InboundCallback): readonly CallbackReading[] {
  const event = EventShape.safeParse(parse(callback));
  if (!event.success) throw new PspRefused('request', 'This is not an event of Razorpay.');
  const { event: type, created_at } = event.data;
  const subjectOf = SUBJECTS.find(([pattern]) => pattern.test(type))?.[1];
  const named = callback.headers['x-razorpay-event-id'];
  if (!subjectOf)
    return [{ eventId: named ?? `${type}-${created_at ?? 0}`, type, subject: { kind: 'ignored' }, routing: {} }];
  const payload = PayloadShape.safeParse(event.data.payload);
  const subject = payload.success ? subjectOf(payload.data) : undefined;
  if (!payload.success || !subject || subject.kind === 'ignored')
    throw new PspRefused('request', `This ${type} event of Razorpay names no object.`);
  return [
    {
      eventId: named ?? `${type}-${subject.reference}-${created_at ?? 0}`,
      type,
      subject,
      routing: routingOf(payload.data),
    },
  ];
}

/**
 * Notes of an order are not on its payment, nor a payment's on its refund: the first ones that name our payment count.
 */
function routingOf({ refund, payment, payment_link, order }: Payload): CallbackReading['routing'] {
  const all = [refund, payment, payment_link, order]
    .map((object) => object?.entity.notes)
    .filter((given) => given !== null && given !== undefined);
  const none: z.infer<typeof Keys> = {};
  const { org_id, connection_id, payment_id } = all.find((one) => one.payment_id !== undefined) ?? none;
  return { org_id, connection_id, payment_id };
}

/** Receipts are free text of merchants; only a possible id of ours is checked against the payment. */
const attempt = (receipt: string | null | undefined) => (receipt && isId('attempt', receipt) ? { ours: receipt } : {});
const refundOf = (receipt: string | null | undefined) => (receipt && isId('refund', receipt) ? { ours: receipt } : {});

/** The events that matter here, and their subjects; all others are ignored. */
const SUBJECTS: readonly (readonly [RegExp, (payload: Payload) => Subject | undefined])[] = [
  [
    /^payment\.(authorized|captured|failed|pending)$/,
    ({ payment }) => payment && { kind: 'payment', reference: payment.entity.id },
  ],
  [
    /^order\.paid$/,
    ({ payment, order }) =>
      payment && { kind: 'payment', reference: payment.entity.id, ...attempt(order?.entity.receipt) },
  ],
  [
    /^payment_link\./,
    ({ payment_link: link }) =>
      link && { kind: 'payment', reference: link.entity.id, ...attempt(link.entity.reference_id) },
  ],
  [
    /^refund\./,
    ({ refund }) =>
      refund && {
        kind: 'refund',
        reference: refund.entity.id,
        paymentReference: refund.entity.payment_id ?? null,
        ...refundOf(refund.entity.receipt),
      },
  ],
];

/** As Razorpay's own library: lower-case hex, compared as text. It does not tell its age. */
export function verifyRazorpayEvent(
  callback: InboundCallback,
  { credentials }: Pick<PspContext<RazorpayCredentials>, 'credentials'>,
): boolean {
  const signature = callback.headers['x-razorpay-signature'] ?? '';
  if (signature === '' || callback.rawBody.length === 0) return false;
  const digests = [credentials.webhook_secret].flat().map((secret) => hmacHex('sha256', secret, callback.rawBody));
  return digests.some((digest) => sameText(signature, digest)) && isOurAccount(callback, credentials);
}

function isOurAccount(callback: InboundCallback, { account_id }: RazorpayCredentials): boolean {
  const event = EventShape.safeParse(parse(callback));
  return event.success && (account_id === undefined || event.data.account_id === account_id);
}
