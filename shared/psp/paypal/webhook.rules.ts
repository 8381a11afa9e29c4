import * as z from 'zod';
import { type CallbackReading, type InboundCallback, PspRefused } from '#shared/ports/psp.port.ts';
import type { PaypalCredentials } from '#shared/psp/paypal/credentials.schema.ts';

const text = z.string().max(255).nullish().catch(undefined);

/** Read before the signature is checked: only what is stable. */
const EventShape = z.looseObject({
  id: z.string().min(1).max(255),
  event_type: z.string().min(1).max(255),
  resource_type: text,
  resource: z.unknown(),
});
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
});
type Resource = z.infer<typeof ResourceShape>;

const parse = ({ rawBody }: InboundCallback): unknown => {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
};

export function readPaypalEvent(callback: InboundCallback): readonly CallbackReading[] {
  const event = EventShape.safeParse(parse(callback));
  if (!event.success) throw new PspRefused('request', 'This is not an event of PayPal.');
  const { id: eventId, event_type: type, resource_type, resource } = event.data;
  const kind =
    resource_type === 'refund' && /^PAYMENT\.CAPTURE\./.test(type)
      ? 'refund'
      : KINDS.find(([pattern]) => pattern.test(type))?.[1];
  if (!kind) return [{ eventId, type, subject: { kind: 'ignored' }, routing: {} }];
  const about = ResourceShape.safeParse(resource);
  if (!about.success) throw new PspRefused('request', `This ${type} event of PayPal names no object.`);
  return [
    { eventId, type, subject: subjectOf(kind, about.data), routing: routingOf(labelsOf(about.data).custom_id ?? '') },
  ];
}

/**
 * The events that matter here, and their subjects; all others are ignored. A capture's refund is reported as a refund.
 */
const KINDS: readonly (readonly [RegExp, 'payment' | 'refund'])[] = [
  [/^CHECKOUT\.ORDER\./, 'payment'],
  [/^PAYMENT\.CAPTURE\./, 'payment'],
  [/^PAYMENT\.REFUND\./, 'refund'],
];

/** Orders carry our keys on their single unit, captures and refunds on themselves. */
const labelsOf = (resource: Resource): Pick<Resource, keyof typeof Labels> => resource.purchase_units?.[0] ?? resource;

function subjectOf(kind: 'payment' | 'refund', resource: Resource): CallbackReading['subject'] {
  const { id: reference, links } = resource;
  const ours = labelsOf(resource).invoice_id ?? undefined;
  if (kind === 'payment') return { kind, reference, ours };
  const up = links?.find(({ rel }) => rel === 'up')?.href ?? '';
  return { kind, reference, ours, paymentReference: /\/captures\/([A-Za-z0-9]{1,64})$/.exec(up)?.[1] ?? null };
}

/** Our keys are in one text: `org|conn|pay`, in refunds with commas. A merchant's own text is ignored. */
function routingOf(customId: string): CallbackReading['routing'] {
  const [org_id, connection_id, payment_id, ...more] = customId.split(/[|,]/);
  return org_id && connection_id && payment_id && more.length === 0 ? { org_id, connection_id, payment_id } : {};
}

/** The webhook's id is part of the signature; if the connection names its account, that must match as well. */
export function isOurMerchant(callback: InboundCallback, { merchant_id }: PaypalCredentials): boolean {
  const resource = ResourceShape.safeParse(EventShape.safeParse(parse(callback)).data?.resource);
  const payee = resource.success ? labelsOf(resource.data).payee?.merchant_id : undefined;
  return merchant_id === undefined || payee == null || payee === merchant_id;
}
