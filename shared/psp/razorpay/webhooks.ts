import * as z from 'zod';
import { isId } from '#shared/kernel/ids.ts';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import {
  type CallbackProof,
  type InboundCallback,
  type PspContext,
  PspRefused,
  type UnverifiedEvent,
} from '#shared/ports/psp.port.ts';
import { hmacHex, ignoredEvent, parseBody } from '#shared/psp/kit/webhooks.ts';
import type { RazorpayCredentials } from '#shared/psp/razorpay/credentials.schema.ts';

const key = z.string().max(200).optional().catch(undefined);

/** Empty notes are `[]`, or null. */
const Keys = z.looseObject({ org_id: key, connection_id: key, payment_id: key });

const notes = Keys.nullish().catch(null);

const id = z.string().min(1).max(255);

const text = z.string().nullish().catch(null);

/** Read before the signature is checked: only what identifies the payment and what to look up. */
const EventShape = z.looseObject({
  entity: z.literal('event'),
  event: z.string().min(1).max(255),
  account_id: text,
  created_at: z.number().nullish().catch(null),
  payload: z.unknown().optional(),
});

const entityOf = <T extends z.ZodType>(entity: T) => z.looseObject({ entity }).optional();

const PayloadShape = z.looseObject({
  payment: entityOf(z.looseObject({ id, notes })),
  /** Its id is not read: with a payment link it lacks the prefix. */
  order: entityOf(z.looseObject({ receipt: text, notes })),
  payment_link: entityOf(z.looseObject({ id, reference_id: text, notes })),
  refund: entityOf(z.looseObject({ id, payment_id: id.nullish(), receipt: text, notes })),
  dispute: entityOf(z.looseObject({ id, payment_id: id.nullish() })),
});

type Payload = z.infer<typeof PayloadShape>;

type EventSubject = UnverifiedEvent['subject'];

export const RAZORPAY_EVENTS: readonly string[] = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'payment.pending',
  'order.paid',
  'payment_link.paid',
  'payment_link.cancelled',
  'payment_link.expired',
  'refund.created',
  'refund.processed',
  'refund.failed',
  'payment.dispute.created',
  'payment.dispute.action_required',
  'payment.dispute.under_review',
  'payment.dispute.won',
  'payment.dispute.lost',
  'payment.dispute.closed',
];

export function parseRazorpayCallback(callback: InboundCallback): readonly UnverifiedEvent[] {
  const event = EventShape.safeParse(parseBody(callback));
  if (!event.success) throw new PspRefused('request', 'This is not an event of Razorpay.');
  const { event: type, created_at } = event.data;
  const subjectOf = SUBJECTS.find(([pattern]) => pattern.test(type))?.[1];
  const headerId = callback.headers['x-razorpay-event-id'];
  if (!subjectOf) return [ignoredEvent(headerId ?? `${type}-${created_at ?? 0}`, type)];
  const payload = PayloadShape.safeParse(event.data.payload);
  const subject = payload.success ? subjectOf(payload.data) : undefined;
  if (!payload.success || !subject || subject.kind === 'ignored')
    throw new PspRefused('request', `This ${type} event of Razorpay names no object.`);
  return [
    {
      eventId: headerId ?? `${type}-${subject.reference}-${created_at ?? 0}`,
      type,
      subject,
      routing: routingOf(payload.data),
    },
  ];
}

/**
 * Notes of an order are not on its payment, nor a payment's on its refund. The first ones that name our payment count.
 */
function routingOf({ refund, payment, payment_link, order }: Payload): UnverifiedEvent['routing'] {
  const all = [refund, payment, payment_link, order]
    .map((object) => object?.entity.notes)
    .filter((given) => given !== null && given !== undefined);
  const none: z.infer<typeof Keys> = {};
  const { org_id, connection_id, payment_id } = all.find((one) => one.payment_id !== undefined) ?? none;
  return { org_id, connection_id, payment_id };
}

/** A merchant's receipts are free text. Only one that has the form of our ids is checked against the payment. */
const attemptIdIn = (receipt: string | null | undefined) =>
  receipt && isId('attempt', receipt) ? { ourId: receipt } : {};

const refundIdIn = (receipt: string | null | undefined) =>
  receipt && isId('refund', receipt) ? { ourId: receipt } : {};

/** The events that we use, and their subjects. All others are ignored. */
const SUBJECTS: readonly (readonly [RegExp, (payload: Payload) => EventSubject | undefined])[] = [
  [
    /^payment\.(authorized|captured|failed|pending)$/,
    ({ payment }) => payment && { kind: 'payment', reference: payment.entity.id },
  ],
  [
    /^order\.paid$/,
    ({ payment, order }) =>
      payment && { kind: 'payment', reference: payment.entity.id, ...attemptIdIn(order?.entity.receipt) },
  ],
  [
    /^payment_link\./,
    ({ payment_link: link }) =>
      link && { kind: 'payment', reference: link.entity.id, ...attemptIdIn(link.entity.reference_id) },
  ],
  [
    /^refund\./,
    ({ refund }) =>
      refund && {
        kind: 'refund',
        reference: refund.entity.id,
        paymentReference: refund.entity.payment_id ?? null,
        ...refundIdIn(refund.entity.receipt),
      },
  ],
  [
    /^payment\.dispute\./,
    ({ dispute, payment }) =>
      dispute && {
        kind: 'dispute',
        reference: dispute.entity.id,
        paymentReference: dispute.entity.payment_id ?? payment?.entity.id ?? null,
      },
  ],
];

/** Like Razorpay's own library: lower-case hex, compared as text. Events do not say when they were sent. */
export function verifyRazorpayCallback(
  callback: InboundCallback,
  { credentials }: Pick<PspContext<RazorpayCredentials>, 'credentials'>,
  proof?: CallbackProof,
): boolean {
  const signature = callback.headers['x-razorpay-signature'] ?? '';
  if (signature === '' || callback.rawBody.length === 0) return false;
  const digests = [credentials.webhook_secret].flat().map((secret) => hmacHex('sha256', secret, callback.rawBody));
  const isOurs = proof === 'sender' || isOurAccount(callback, credentials);
  return digests.some((digest) => timingSafeEqual(signature, digest)) && isOurs;
}

function isOurAccount(callback: InboundCallback, { account_id }: RazorpayCredentials): boolean {
  const event = EventShape.safeParse(parseBody(callback));
  return event.success && (account_id === undefined || event.data.account_id === account_id);
}
