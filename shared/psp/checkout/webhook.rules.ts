import * as z from 'zod';
import { sameText } from '#shared/kernel/same-text.ts';
import { type CallbackReading, type InboundCallback, type PspContext, PspRefused } from '#shared/ports/psp.port.ts';
import type { CheckoutCredentials } from '#shared/psp/checkout/credentials.schema.ts';
import { hmacHex } from '#shared/psp/kit/hmac.ts';

const key = z.string().max(200).optional().catch(undefined);

/** Read before the signature is checked: only what identifies the owner. */
const EventShape = z.looseObject({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.unknown().optional(),
});
const DataShape = z.looseObject({
  id: z.string().regex(/^pay_\w{1,100}$/),
  action_id: key,
  reference: key,
  metadata: z.looseObject({ org_id: key, connection_id: key, payment_id: key }).nullish(),
});
type Data = z.infer<typeof DataShape>;

/** `reference` is ours for payments and refunds made through us; the merchant's own may be anything. */
const oursIn = ({ reference }: Data, pattern: RegExp): { readonly ours?: string } =>
  reference && pattern.test(reference) ? { ours: reference } : {};
const ofPayment = (data: Data): CallbackReading['subject'] => ({
  kind: 'payment',
  reference: data.id,
  ...oursIn(data, /^att_[0-9a-z]{26}$/),
});
const ofRefund = (data: Data): CallbackReading['subject'] | undefined =>
  data.action_id
    ? { kind: 'refund', reference: data.action_id, paymentReference: data.id, ...oursIn(data, /^re_[0-9a-z]{26}$/) }
    : undefined;

/**
 * Events with a verdict; all other types, including `…_pending`, are ignored. Some names are uncertain: one that never
 * comes is harmless.
 */
const SUBJECTS: Readonly<Record<string, (data: Data) => CallbackReading['subject'] | undefined>> = {
  payment_approved: ofPayment,
  payment_declined: ofPayment,
  payment_authentication_failed: ofPayment,
  payment_expired: ofPayment,
  payment_canceled: ofPayment,
  payment_captured: ofPayment,
  payment_capture_declined: ofPayment,
  payment_voided: ofPayment,
  payment_void_declined: ofPayment,
  payment_refunded: ofRefund,
  payment_refund_declined: ofRefund,
};

export function readCheckoutEvent(callback: InboundCallback): readonly CallbackReading[] {
  const event = EventShape.safeParse(parse(callback));
  if (!event.success) throw new PspRefused('request', 'This is not an event of Checkout.com.');
  const { id: eventId, type } = event.data;
  const subjectOf = Object.hasOwn(SUBJECTS, type) ? SUBJECTS[type] : undefined;
  if (!subjectOf) return [{ eventId, type, subject: { kind: 'ignored' }, routing: {} }];
  const data = DataShape.safeParse(event.data.data);
  const subject = data.success ? subjectOf(data.data) : undefined;
  if (!data.success || !subject)
    throw new PspRefused('request', `This ${type} event of Checkout.com names no payment.`);
  const { org_id, connection_id, payment_id } = data.data.metadata ?? {};
  return [{ eventId, type, subject, routing: { org_id, connection_id, payment_id } }];
}

function parse({ rawBody }: InboundCallback): unknown {
  const text = rawBody.toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    // Known to come as invalid JSON, and of no use to us: if refused, it would only be repeated.
    return /"type"\s*:\s*"authentication_failed"/.test(text)
      ? { id: 'unreadable', type: 'authentication_failed' }
      : undefined;
  }
}

/** It has no sending time: an old event is as valid as a new one, and looked up each time. */
export function verifyCheckoutEvent(
  callback: InboundCallback,
  { credentials }: Pick<PspContext<CheckoutCredentials>, 'credentials'>,
): boolean {
  const signature = callback.headers['cko-signature'];
  if (!signature || callback.rawBody.length === 0) return false;
  return [credentials.webhook_secret]
    .flat()
    .some((secret) => sameText(signature, hmacHex('sha256', secret, callback.rawBody)));
}
