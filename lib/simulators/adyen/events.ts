import { createHmac } from 'node:crypto';
import type { Amount, StoredPayment } from '#lib/simulators/adyen/objects.ts';
import type { Work } from '#lib/simulators/frame/provider.port.ts';

type Happening = {
  readonly eventCode: string;
  readonly success: boolean;
  readonly pspReference: string;
  readonly amount: Amount;
  readonly reason?: string;
  /** Of a modification: what it modified, and under which reference of the merchant's. */
  readonly originalReference?: string;
  readonly merchantReference?: string;
  readonly additionalData?: Readonly<Record<string, string>>;
};

/**
 * Tells the merchant's endpoint of a payment: one item, signed by itself. Only the notice of an authorisation shows the
 * metadata.
 */
export function notify(work: Work, payment: StoredPayment, happening: Happening): void {
  const { merchantAccount, merchantReference, metadata } = payment.body;
  const { success, additionalData, reason = '', ...told } = happening;
  const shown =
    happening.eventCode === 'AUTHORISATION'
      ? Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]))
      : {};
  const item = {
    merchantReference,
    ...told,
    eventDate: work.now.toISOString().replace(/\.\d+Z$/, '+00:00'),
    merchantAccountCode: merchantAccount,
    paymentMethod: payment.notes.method.type === 'scheme' ? 'visa' : payment.notes.method.type,
    reason,
    success: String(success),
  };
  const body = {
    live: 'false',
    notificationItems: [{ NotificationRequestItem: { ...item, additionalData: { ...shown, ...additionalData } } }],
  };
  work.emit(() => JSON.stringify(body));
}

type Item = Omit<Happening, 'success'> & {
  readonly merchantReference: string;
  readonly merchantAccountCode: string;
  readonly success: string;
};
type Body = {
  readonly live: string;
  readonly notificationItems: readonly { readonly NotificationRequestItem: Item }[];
};

/** Each item for itself, with the newest key alone. */
export function signed(text: string, [key = '']: readonly string[]): string {
  const body: Body = JSON.parse(text);
  const notificationItems = body.notificationItems.map(({ NotificationRequestItem: item }) => ({
    NotificationRequestItem: {
      ...item,
      additionalData: { ...item.additionalData, hmacSignature: signature(item, key) },
    },
  }));
  return JSON.stringify({ ...body, notificationItems });
}

function signature(
  { pspReference, originalReference = '', merchantAccountCode, merchantReference, amount, eventCode, success }: Item,
  key: string,
): string {
  const text = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    amount.value,
    amount.currency,
    eventCode,
    success,
  ].join(':');
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text).digest('base64');
}

/** The signatures lie within the body. */
export const webhookHeaders = (): Readonly<Record<string, string>> => ({
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Adyen HttpClient 1.0',
});
