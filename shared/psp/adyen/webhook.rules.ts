import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import { sameText } from '#shared/kernel/same-text.ts';
import { type CallbackReading, type InboundCallback, type PspContext, PspRefused } from '#shared/ports/psp.port.ts';
import type { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { subjectOf } from '#shared/psp/adyen/news.rules.ts';
import { type Item, Notification, OtherEvent } from '#shared/psp/adyen/objects.schema.ts';
import { readModification } from '#shared/psp/adyen/references.rules.ts';

function parse<T extends z.ZodType>(shape: T, { rawBody }: InboundCallback): z.infer<T> | undefined {
  try {
    return shape.safeParse(JSON.parse(rawBody.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

const itemsIn = (callback: InboundCallback): readonly Item[] | undefined =>
  parse(Notification, callback)?.notificationItems.map((wrapped) => wrapped.NotificationRequestItem);

/** One reading per item: each is judged separately. */
export function readNotification(callback: InboundCallback): readonly CallbackReading[] {
  const items = itemsIn(callback);
  if (items) return items.map(readingOf);
  const other = parse(OtherEvent, callback);
  if (other)
    return [
      {
        eventId: `${other.type}:${sha(callback.rawBody)}`,
        type: other.type,
        subject: { kind: 'ignored' },
        routing: {},
      },
    ];
  throw new PspRefused('request', 'This is not a notification of Adyen.');
}

const sha = (bytes: Buffer): string => createHmac('sha256', '').update(bytes).digest('hex').slice(0, 32);

function readingOf(item: Item): CallbackReading {
  const { pspReference, eventCode, success } = item;
  return {
    eventId: `${pspReference}:${eventCode}:${success}`,
    type: eventCode,
    subject: subjectOf(item),
    routing: routingOf(item),
  };
}

/**
 * Adyen sends our keys with notices of an authorisation and of an expired offer. They are unsigned; our reference,
 * which is signed, confirms them. On later events that reference names the payment itself, or else the charge's does.
 */
function routingOf({ eventCode, additionalData, merchantReference }: Item): CallbackReading['routing'] {
  if (eventCode !== 'AUTHORISATION' && eventCode !== 'OFFER_CLOSED')
    return { payment_id: readModification(merchantReference ?? '').paymentId };
  const data = additionalData ?? {};
  return {
    org_id: data['metadata.org_id'],
    connection_id: data['metadata.connection_id'],
    payment_id: data['metadata.payment_id'],
  };
}

const digest = (key: string, text: string | Buffer): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64');

/** Joined without the escaping of older forms of this signature. */
const signedText = ({
  pspReference,
  originalReference,
  merchantAccountCode,
  merchantReference,
  amount,
  eventCode,
  success,
}: Item): string =>
  [
    pspReference,
    originalReference ?? '',
    merchantAccountCode,
    merchantReference ?? '',
    amount?.value ?? '',
    amount?.currency ?? '',
    eventCode,
    success,
  ].join(':');

/**
 * Every item of a batch must be signed with this connection's key and belong to its merchant account. A batch with
 * several accounts, as a company-wide webhook may send, is refused as a whole: otherwise one account's key would vouch
 * for another's items. Merchants set the webhook up for one account.
 */
export function verifyNotification(
  callback: InboundCallback,
  { credentials }: Pick<PspContext<AdyenCredentials>, 'credentials'>,
): boolean {
  const items = itemsIn(callback);
  const keys = [credentials.webhook_secret].flat();
  if (!items) return keys.some((key) => isSignedBody(callback, key));
  return items.every(
    (item) => item.merchantAccountCode === credentials.merchant_account && keys.some((key) => isSigned(item, key)),
  );
}

function isSigned(item: Item, key: string): boolean {
  const signature = item.additionalData?.hmacSignature ?? '';
  return signature !== '' && sameText(signature, digest(key, signedText(item)));
}

/** Adyen's other webhooks sign the whole body, in a header. */
const isSignedBody = ({ headers, rawBody }: InboundCallback, key: string): boolean =>
  rawBody.length > 0 && sameText(headers.hmacsignature ?? '', digest(key, rawBody));
