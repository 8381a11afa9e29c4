import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { isId } from '#shared/kernel/ids.ts';
import { type CallbackProof, type InboundCallback, PspRefused, type UnverifiedEvent } from '#shared/ports/psp.port.ts';
import { ignoredEvent, parseBody } from '#shared/psp/kit/webhooks.ts';
import { fetchCertificates, isTrusted, parseAuthorities } from '#shared/psp/paypal/certificates.ts';
import type { PaypalContext } from '#shared/psp/paypal/client.ts';
import type { PaypalCredentials } from '#shared/psp/paypal/credentials.schema.ts';

const text = z.string().max(255).nullish().catch(undefined);

/** Read before the signature is checked: only stable fields. */
const EventShape = z.looseObject({
  id: z.string().min(1).max(255),
  event_type: z.string().min(1).max(255),
  resource_type: text,
  resource: z.unknown().optional(),
});

const relatedId = z.string().min(1).max(64).optional();

const Labels = {
  custom_id: text,
  invoice_id: text,
  payee: z.looseObject({ merchant_id: text }).nullish().catch(undefined),
};

const ResourceShape = z.looseObject({
  id: z.string().min(1).max(64),
  ...Labels,
  purchase_units: z.array(z.looseObject(Labels)).nullish().catch(undefined),
  links: z
    .array(z.looseObject({ rel: z.string(), href: z.string() }))
    .nullish()
    .catch(undefined),
  supplementary_data: z
    .looseObject({ related_ids: z.looseObject({ order_id: relatedId, authorization_id: relatedId }) })
    .nullish()
    .catch(undefined),
});

type EventResource = z.infer<typeof ResourceShape>;

/** A dispute names the captures that it is about. Ours have one each. */
const DisputeShape = z.looseObject({
  dispute_id: z.string().min(1).max(255),
  disputed_transactions: z
    .array(
      z.looseObject({
        seller_transaction_id: text,
        custom: text,
        seller: z.looseObject({ merchant_id: text }).nullish().catch(undefined),
      }),
    )
    .nullish()
    .catch(undefined),
});

const disputeIn = (resource: unknown) => {
  const { data } = DisputeShape.safeParse(resource);
  return data && { id: data.dispute_id, ...data.disputed_transactions?.[0] };
};

/** `CHECKOUT.ORDER.COMPLETED` is read too, but says what the capture's event says. */
export const PAYPAL_EVENTS: readonly string[] = [
  'CHECKOUT.ORDER.APPROVED',
  'PAYMENT.AUTHORIZATION.CREATED',
  'PAYMENT.AUTHORIZATION.VOIDED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.PENDING',
  'PAYMENT.REFUND.CANCELLED',
  'PAYMENT.REFUND.FAILED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.UPDATED',
  'CUSTOMER.DISPUTE.RESOLVED',
];

export function parsePaypalCallback(callback: InboundCallback): readonly UnverifiedEvent[] {
  const event = EventShape.safeParse(parseBody(callback));
  if (!event.success) throw new PspRefused('request', 'This is not an event of PayPal.');
  const { id: eventId, event_type: type, resource_type, resource } = event.data;
  const kind =
    resource_type === 'refund' && /^PAYMENT\.CAPTURE\./.test(type)
      ? 'refund'
      : KINDS.find(([pattern]) => pattern.test(type))?.[1];
  if (!kind) return [ignoredEvent(eventId, type)];
  if (kind === 'dispute') return [disputeEvent(event.data)];
  const about = ResourceShape.safeParse(resource);
  if (!about.success) throw new PspRefused('request', `This ${type} event of PayPal names no object.`);
  return [
    { eventId, type, subject: subjectOf(kind, about.data), routing: routingOf(labelsOf(about.data).custom_id ?? '') },
  ];
}

/**
 * The events that we use, and their subjects. All others are ignored. A capture's refund is reported as a refund.
 */
const KINDS: readonly (readonly [RegExp, 'payment' | 'authorization' | 'refund' | 'dispute'])[] = [
  [/^CHECKOUT\.ORDER\./, 'payment'],
  [/^PAYMENT\.AUTHORIZATION\./, 'authorization'],
  [/^PAYMENT\.CAPTURE\./, 'payment'],
  [/^PAYMENT\.REFUND\./, 'refund'],
  [/^CUSTOMER\.DISPUTE\.(CREATED|UPDATED|RESOLVED)$/, 'dispute'],
];

function disputeEvent({ id: eventId, event_type: type, resource }: z.infer<typeof EventShape>): UnverifiedEvent {
  const dispute = disputeIn(resource);
  if (!dispute) throw new PspRefused('request', `This ${type} event of PayPal names no dispute.`);
  const { id: reference, seller_transaction_id, custom } = dispute;
  const paymentReference = seller_transaction_id ?? null;
  return { eventId, type, subject: { kind: 'dispute', reference, paymentReference }, routing: routingOf(custom ?? '') };
}

/** Orders carry our ids on their single unit; captures and refunds carry them themselves. */
const labelsOf = (resource: EventResource): Pick<EventResource, keyof typeof Labels> =>
  resource.purchase_units?.[0] ?? resource;

function subjectOf(kind: 'payment' | 'authorization' | 'refund', resource: EventResource): UnverifiedEvent['subject'] {
  const { id: reference, links } = resource;
  const ourId = labelsOf(resource).invoice_id ?? undefined;
  const up = links?.find(({ rel }) => rel === 'up')?.href ?? '';
  const order = resource.supplementary_data?.related_ids.order_id;
  if (kind === 'authorization') return { kind: 'payment', reference: order ?? reference, ourId };
  if (kind === 'payment') return capturedLater(resource) ?? { kind, reference, ourId };
  return { kind, reference, ourId, paymentReference: /\/captures\/([A-Za-z0-9]{1,64})$/.exec(up)?.[1] ?? null };
}

/**
 * Of a charge that is captured later: its order's id stays its reference. Its captures name their authorization, and
 * ours have their own invoice ids.
 */
function capturedLater({ id, invoice_id, supplementary_data }: EventResource): UnverifiedEvent['subject'] | undefined {
  const { order_id, authorization_id } = supplementary_data?.related_ids ?? {};
  if (!authorization_id) return undefined;
  return invoice_id && isId('capture', invoice_id)
    ? { kind: 'capture', reference: id, paymentReference: order_id ?? null, ourId: invoice_id }
    : { kind: 'payment', reference: order_id ?? id };
}

/** Our ids are in one text: `org|conn|pay`, or with commas for refunds. A merchant's own text is ignored. */
function routingOf(customId: string): UnverifiedEvent['routing'] {
  const [org_id, connection_id, payment_id, ...more] = customId.split(/[|,]/);
  return org_id && connection_id && payment_id && more.length === 0 ? { org_id, connection_id, payment_id } : {};
}

/** Beside the signature, the merchant's account must match, if the connection names one. */
function isOurMerchant(callback: InboundCallback, { merchant_id }: PaypalCredentials): boolean {
  const { resource } = EventShape.safeParse(parseBody(callback)).data ?? {};
  const about = ResourceShape.safeParse(resource).data;
  const payee = about ? labelsOf(about).payee?.merchant_id : disputeIn(resource)?.seller?.merchant_id;
  return merchant_id === undefined || payee == null || payee === merchant_id;
}

const ALGORITHM = 'SHA256withRSA';

/**
 * PayPal signs an id, the sending time, the webhook's id and the body's checksum. No maximum age is documented, and
 * repeats keep their sending time for days. So any age is accepted: a repeated event changes nothing.
 */
export async function verifyPaypalCallback(
  callback: InboundCallback,
  psp: PaypalContext,
  proof?: CallbackProof,
): Promise<boolean> {
  const { rawBody, headers } = callback;
  const [id, time, signature, url] = ['id', 'time', 'sig']
    .map((name) => headers[`paypal-transmission-${name}`] ?? '')
    .concat(headers['paypal-cert-url'] ?? '');
  if (!id || !time || !signature || !url || headers['paypal-auth-algo'] !== ALGORITHM || rawBody.length === 0)
    return false;
  if (proof !== 'sender' && !isOurMerchant(callback, psp.credentials)) return false;
  const certificates = await fetchCertificates(url, psp);
  const [leaf] = certificates ?? [];
  if (
    !certificates ||
    leaf?.publicKey.asymmetricKeyType !== 'rsa' ||
    !isTrusted(certificates, parseAuthorities(psp.rootCertificates()), psp.now())
  )
    return false;
  const bytes = Buffer.from(signature, 'base64');
  const messages = [psp.credentials.webhook_secret]
    .flat()
    .map((webhook) => `${id}|${time}|${webhook}|${crc32(rawBody)}`);
  return messages.some((message) => verify('sha256', Buffer.from(message), leaf.publicKey, bytes));
}
