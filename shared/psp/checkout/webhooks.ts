import * as z from 'zod';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import { type InboundCallback, type PspContext, PspRefused, type UnverifiedEvent } from '#shared/ports/psp.port.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { hmacHex, ignoredEvent, textOf } from '#shared/psp/kit/webhooks.ts';

const key = z.string().max(200).optional().catch(undefined);

/** Read before the signature is checked: only what identifies the payment. */
const EventShape = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.unknown().optional(),
});

const DataShape = z.looseObject({
  id: z.string().regex(/^pay_\w{1,100}$/),
  action_id: key,
  reference: key,
  metadata: z.looseObject({ org_id: key, connection_id: key, payment_id: key }).nullish().catch(undefined),
});

type EventData = z.infer<typeof DataShape>;

/** `reference` is our id if the payment or refund was made through us. A merchant's own may be anything. */
const ourIdIn = ({ reference }: EventData, pattern: RegExp): { readonly ourId?: string } =>
  reference && pattern.test(reference) ? { ourId: reference } : {};

const paymentEvent = (data: EventData): UnverifiedEvent['subject'] => ({
  kind: 'payment',
  reference: data.id,
  ...ourIdIn(data, /^att_[0-9a-z]{26}$/),
});

/** A capture of ours has its id as reference. Any other one is read with its payment. */
const captureEvent = (data: EventData): UnverifiedEvent['subject'] => {
  const { ourId } = ourIdIn(data, /^cap_[0-9a-z]{26}$/);
  return data.action_id && ourId
    ? { kind: 'capture', reference: data.action_id, paymentReference: data.id, ourId }
    : paymentEvent(data);
};

const refundEvent = (data: EventData): UnverifiedEvent['subject'] | undefined =>
  data.action_id
    ? { kind: 'refund', reference: data.action_id, paymentReference: data.id, ...ourIdIn(data, /^re_[0-9a-z]{26}$/) }
    : undefined;

/**
 * Events with a result. All other types, including `…_pending`, are ignored. UNVERIFIED: some of the names. One that
 * never comes is harmless.
 */
const SUBJECTS: Readonly<Record<string, (data: EventData) => UnverifiedEvent['subject'] | undefined>> = {
  payment_approved: paymentEvent,
  payment_declined: paymentEvent,
  payment_authentication_failed: paymentEvent,
  payment_expired: paymentEvent,
  payment_canceled: paymentEvent,
  payment_captured: captureEvent,
  payment_capture_declined: captureEvent,
  payment_voided: paymentEvent,
  payment_void_declined: paymentEvent,
  payment_refunded: refundEvent,
  payment_refund_declined: refundEvent,
};

/** An event about a dispute. The dispute is looked up, so that only what identifies it is read. */
const DisputeData = z.looseObject({ id: z.string().regex(/^dsp_\w{1,100}$/), payment_id: key });

function disputeEvent(value: unknown): UnverifiedEvent['subject'] | undefined {
  const { data } = DisputeData.safeParse(value);
  return data && { kind: 'dispute', reference: data.id, paymentReference: data.payment_id ?? null };
}

/** What disputes can become, by the events of the NAS workflows. A notice that evidence arrived says nothing new. */
const DISPUTE_EVENTS: readonly string[] = [
  'dispute_received',
  'dispute_evidence_required',
  'dispute_evidence_submitted',
  'dispute_accepted',
  'dispute_canceled',
  'dispute_expired',
  'dispute_lost',
  'dispute_resolved',
  'dispute_won',
  'dispute_arbitration_lost',
  'dispute_arbitration_won',
];

export const CHECKOUT_EVENTS: readonly string[] = [
  'payment_approved',
  'payment_declined',
  'payment_authentication_failed',
  'payment_expired',
  'payment_canceled',
  'payment_captured',
  'payment_capture_declined',
  'payment_voided',
  'payment_void_declined',
  'payment_refunded',
  'payment_refund_declined',
  ...DISPUTE_EVENTS,
];

export function parseCheckoutCallback(callback: InboundCallback): readonly UnverifiedEvent[] {
  const event = EventShape.safeParse(parse(callback));
  if (!event.success) throw new PspRefused('request', 'This is not an event of Checkout.com.');
  const { id: eventId, type } = event.data;
  if (DISPUTE_EVENTS.includes(type)) {
    const subject = disputeEvent(event.data.data);
    if (!subject) throw new PspRefused('request', `This ${type} event of Checkout.com names no dispute.`);
    return [{ eventId, type, subject, routing: {} }];
  }
  const subjectOf = Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type] : undefined;
  if (!subjectOf) return [ignoredEvent(eventId, type)];
  const data = DataShape.safeParse(event.data.data);
  const subject = data.success ? subjectOf(data.data) : undefined;
  if (!data.success || !subject)
    throw new PspRefused('request', `This ${type} event of Checkout.com names no payment.`);
  const { org_id, connection_id, payment_id } = data.data.metadata ?? {};
  return [{ eventId, type, subject, routing: { org_id, connection_id, payment_id } }];
}

function parse(callback: InboundCallback): unknown {
  const text = textOf(callback);
  try {
    return JSON.parse(text);
  } catch {
    // This event is known to be invalid JSON, and we do not use it. If refused, it would only be repeated.
    return /"type"\s*:\s*"authentication_failed"/.test(text)
      ? { id: 'unreadable', type: 'authentication_failed' }
      : undefined;
  }
}

/** Events have no sending time. An old event is as valid as a new one, and each leads to a look-up. */
export function verifyCheckoutCallback(
  callback: InboundCallback,
  { credentials }: Pick<PspContext<CheckoutCredentials>, 'credentials'>,
): boolean {
  const signature = callback.headers['cko-signature'];
  if (!signature || callback.rawBody.length === 0) return false;
  return [credentials.webhook_secret]
    .flat()
    .some((secret) => timingSafeEqual(signature, hmacHex('sha256', secret, callback.rawBody)));
}
