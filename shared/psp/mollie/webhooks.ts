import * as z from 'zod';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import { type InboundCallback, type PspContext, PspRefused, type UnverifiedEvent } from '#shared/ports/psp.port.ts';
import { hmacHex, ignoredEvent, parseBody, textOf } from '#shared/psp/kit/webhooks.ts';
import type { MollieCredentials } from '#shared/psp/mollie/credentials.schema.ts';

const key = z.string().max(200).optional().catch(undefined);

const Keys = z.object({ org_id: key, connection_id: key, payment_id: key, refund_id: key, capture_id: key }).catch({});

const paymentId = z.string().regex(/^tr_[A-Za-z0-9]{1,64}$/);

const refundId = z.string().regex(/^re_[A-Za-z0-9]{1,64}$/);

const captureId = z.string().regex(/^cpt_[A-Za-z0-9]{1,64}$/);

const EventShape = z.looseObject({
  resource: z.literal('event'),
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  entityId: z.string(),
});

const EntityShape = z.looseObject({
  _embedded: z.looseObject({
    entity: z.looseObject({ metadata: Keys, paymentId: paymentId.optional().catch(undefined) }),
  }),
});

/** Signed events are JSON objects; a charge's own callback is a form with nothing but an id in it. */
const isEvent = (callback: InboundCallback): boolean => /^\s*\{/.test(textOf(callback).slice(0, 100));

export const isUnsignedByMollie = (callback: InboundCallback): boolean => !isEvent(callback);

export const parseMollieCallback = (callback: InboundCallback): readonly UnverifiedEvent[] => [
  isEvent(callback) ? readEvent(callback) : readForm(callback),
];

/** It does not say what changed: the payment, or a refund of it. Our metadata are in the callback URL. */
function readForm(callback: InboundCallback): UnverifiedEvent {
  const form = new URLSearchParams(textOf(callback));
  const id = form.get('id');
  if (id === null && form.has('testByMollie')) return ignoredEvent('test', 'test');
  // It becomes part of a URL, so it must be an id.
  if (id === null || !/^[a-z]{2,10}_[A-Za-z0-9]{1,64}$/.test(id))
    throw new PspRefused('request', 'This is not a callback of Mollie.');
  const subject = paymentId.safeParse(id).success
    ? ({ kind: 'payment', reference: id, includesRefunds: true } as const)
    : ({ kind: 'ignored' } as const);
  return { eventId: id, type: 'classic', subject, routing: routingOf(callback.query) };
}

function readEvent(callback: InboundCallback): UnverifiedEvent {
  const parsed = parseBody(callback);
  const event = EventShape.safeParse(parsed);
  if (!event.success) throw new PspRefused('request', 'This is not an event of Mollie.');
  const { id: eventId, type, entityId } = event.data;
  const entity = EntityShape.safeParse(parsed).data?._embedded.entity;
  const subject = subjectOf(type, entityId, entity);
  if (subject.kind === 'ignored') return { eventId, type, subject, routing: {} };
  const { metadata = {} } = entity ?? {};
  return { eventId, type, subject, routing: routingOf(metadata.payment_id === undefined ? callback.query : metadata) };
}

type Entity = z.infer<typeof EntityShape>['_embedded']['entity'];

/** What events are about, by the beginning of their type, and the form of its id. */
const ENTITY_IDS = { payment: paymentId, refund: refundId, capture: captureId } as const;

const KINDS = ['payment', 'refund', 'capture'] as const;

function subjectOf(type: string, entityId: string, entity: Entity | undefined): UnverifiedEvent['subject'] {
  const kind = KINDS.find((each) => type.startsWith(`${each}.`));
  if (kind === undefined) return { kind: 'ignored' };
  if (!ENTITY_IDS[kind].safeParse(entityId).success)
    throw new PspRefused('request', `This ${kind} event of Mollie names no ${kind}.`);
  if (kind === 'payment') return { kind, reference: entityId };
  const ourId = kind === 'refund' ? entity?.metadata.refund_id : entity?.metadata.capture_id;
  return {
    kind,
    reference: entityId,
    paymentReference: entity?.paymentId ?? null,
    ...(ourId !== undefined && { ourId }),
  };
}

const routingOf = ({ org_id, connection_id, payment_id }: InboundCallback['query']): UnverifiedEvent['routing'] => ({
  org_id,
  connection_id,
  payment_id,
});

/**
 * A charge's own callback is unsigned: there is nothing to verify, and nothing in it is trusted. An event needs a
 * signature by one of our secrets.
 */
export function verifyMollieCallback(
  callback: InboundCallback,
  { credentials }: Pick<PspContext<MollieCredentials>, 'credentials'>,
): boolean {
  if (!isEvent(callback)) return true;
  const secrets = [credentials.webhook_secret ?? []].flat();
  const expected = secrets.map((secret) => hmacHex('sha256', secret, callback.rawBody));
  // Several headers come joined by commas.
  const signatures = (callback.headers['x-mollie-signature'] ?? '')
    .split(',')
    .map((signature) => signature.trim().replace(/^sha256=/, ''));
  return expected.some((digest) => signatures.some((signature) => timingSafeEqual(signature, digest)));
}
