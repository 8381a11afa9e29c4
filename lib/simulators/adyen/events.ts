import { createHmac } from 'node:crypto';
import type { Amount, StoredPayment } from '#lib/simulators/adyen/objects.ts';
import type { UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';

type Notification = {
  readonly eventCode: string;
  readonly success: boolean;
  readonly pspReference: string;
  readonly amount: Amount;
  readonly reason?: string;
  /** For a modification: the payment it modified, and the merchant's reference of the modification. */
  readonly originalReference?: string;
  readonly merchantReference?: string;
  readonly additionalData?: Readonly<Record<string, string>>;
};

/** Sends a notification with one item. Only the AUTHORISATION notification contains the metadata. */
export function notify(work: UnitOfWork, payment: StoredPayment, notification: Notification): void {
  const { merchantAccount, merchantReference, metadata } = payment.body;
  const { success, additionalData, reason = '', ...fields } = notification;
  const metadataFields =
    notification.eventCode === 'AUTHORISATION'
      ? Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value]))
      : {};
  const item = {
    merchantReference,
    ...fields,
    eventDate: work.now.toISOString().replace(/\.\d+Z$/, '+00:00'),
    merchantAccountCode: merchantAccount,
    paymentMethod:
      payment.notes.method.type === 'scheme' ? (payment.notes.method.brand ?? 'visa') : payment.notes.method.type,
    reason,
    success: String(success),
  };
  const body = {
    live: 'false',
    notificationItems: [
      { NotificationRequestItem: { ...item, additionalData: { ...metadataFields, ...additionalData } } },
    ],
  };
  work.emit(() => JSON.stringify(body));
}

type NotificationItem = Omit<Notification, 'success'> & {
  readonly merchantReference: string;
  readonly merchantAccountCode: string;
  readonly success: string;
};
type NotificationBody = {
  readonly live: string;
  readonly notificationItems: readonly { readonly NotificationRequestItem: NotificationItem }[];
};

/** Signs each item separately, with the newest key. */
export function signBody(text: string, [key = '']: readonly string[]): string {
  const body: NotificationBody = JSON.parse(text);
  const notificationItems = body.notificationItems.map(({ NotificationRequestItem: item }) => ({
    NotificationRequestItem: {
      ...item,
      additionalData: { ...item.additionalData, hmacSignature: signature(item, key) },
    },
  }));
  return JSON.stringify({ ...body, notificationItems });
}

function signature(
  {
    pspReference,
    originalReference = '',
    merchantAccountCode,
    merchantReference,
    amount,
    eventCode,
    success,
  }: NotificationItem,
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

/** The body contains the signatures. */
export const webhookHeaders = (): Readonly<Record<string, string>> => ({
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Adyen HttpClient 1.0',
});

export function eventTypeOf(text: string): string {
  const { notificationItems }: NotificationBody = JSON.parse(text);
  return notificationItems[0]?.NotificationRequestItem.eventCode ?? '';
}
