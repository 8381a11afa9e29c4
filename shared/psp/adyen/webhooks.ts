import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { type RefundFailureCode, refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { isId } from '#shared/kernel/ids.ts';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import type { CaptureOutcome } from '#shared/ports/capture.port.ts';
import {
  type CallbackProof,
  type InboundCallback,
  type PspContext,
  type PspRefund,
  PspRefused,
  type RefundOutcome,
  type UnverifiedEvent,
} from '#shared/ports/psp.port.ts';
import type { AdyenCredentials } from '#shared/psp/adyen/credentials.schema.ts';
import { readRefusal } from '#shared/psp/adyen/declines.catalog.ts';
import { ADYEN_DISPUTE_EVENTS, disputeEvent } from '#shared/psp/adyen/dispute-events.ts';
import { toOurMoney } from '#shared/psp/adyen/money.rules.ts';
import { failedRefund } from '#shared/psp/adyen/outcomes.rules.ts';
import { networkReport, savedToken } from '#shared/psp/adyen/report.rules.ts';
import { readModification, readReference } from '#shared/psp/adyen/requests.rules.ts';
import { Notification, type NotificationItem, OtherEvent } from '#shared/psp/adyen/schema.ts';
import { TokenEvent, tokenEvent } from '#shared/psp/adyen/token-events.ts';
import { outcomeOfReason } from '#shared/psp/kit/declines.ts';
import { isoTime } from '#shared/psp/kit/times.ts';
import { ignoredEvent, textOf } from '#shared/psp/kit/webhooks.ts';

function parse<T extends z.ZodType>(shape: T, callback: InboundCallback): z.infer<T> | undefined {
  try {
    return shape.safeParse(JSON.parse(textOf(callback))).data;
  } catch {
    return undefined;
  }
}

const itemsIn = (callback: InboundCallback): readonly NotificationItem[] | undefined =>
  parse(Notification, callback)?.notificationItems.map((wrapped) => wrapped.NotificationRequestItem);

export const ADYEN_EVENTS: readonly string[] = [
  'AUTHORISATION',
  'OFFER_CLOSED',
  'CANCELLATION',
  'EXPIRE',
  'CAPTURE',
  'CAPTURE_FAILED',
  'CANCEL_OR_REFUND',
  'REFUND',
  'REFUND_FAILED',
  'REFUNDED_REVERSED',
  'RECURRING_CONTRACT',
  ...ADYEN_DISPUTE_EVENTS,
];

/** One event per item. Each is verified and applied on its own. */
export function parseAdyenCallback(callback: InboundCallback): readonly UnverifiedEvent[] {
  const items = itemsIn(callback);
  if (items) return items.map(toEvent);
  const token = parse(TokenEvent, callback);
  const kept = token && tokenEvent(token);
  if (kept) return [kept];
  const other = parse(OtherEvent, callback);
  if (other) return [ignoredEvent(`${other.type}:${digestOf(callback.rawBody)}`, other.type)];
  throw new PspRefused('request', 'This is not a notification of Adyen.');
}

const digestOf = (bytes: Buffer): string => createHmac('sha256', '').update(bytes).digest('hex').slice(0, 32);

function toEvent(item: NotificationItem): UnverifiedEvent {
  const { pspReference, eventCode, success } = item;
  const at = isoTime(item.eventDate);
  return {
    eventId: `${pspReference}:${eventCode}:${success}`,
    type: eventCode,
    ...(at !== undefined && { at }),
    subject: subjectOf(item),
    routing: routingOf(item),
  };
}

/**
 * Adyen sends our metadata with notifications of an authorisation and of an expired offer. They are unsigned; our
 * reference, which is signed, confirms them. On later events the reference itself names the payment, or the charge's
 * reference does.
 */
function routingOf({ eventCode, additionalData, merchantReference }: NotificationItem): UnverifiedEvent['routing'] {
  const hasMetadata = eventCode === 'AUTHORISATION' || eventCode === 'OFFER_CLOSED';
  if (!hasMetadata && !ADYEN_DISPUTE_EVENTS.includes(eventCode))
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

/** The signed text. Older forms of this signature escape the fields; this one does not. */
const signedText = ({
  pspReference,
  originalReference,
  merchantAccountCode,
  merchantReference,
  amount,
  eventCode,
  success,
}: NotificationItem): string =>
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
 * Every item of a batch must be signed with this connection's key and belong to its merchant account. A company-wide
 * webhook may send batches of several accounts. These are refused as a whole: otherwise one account's key would vouch
 * for another's items. Merchants set up the webhook for one account.
 */
export function verifyAdyenCallback(
  callback: InboundCallback,
  { credentials }: Pick<PspContext<AdyenCredentials>, 'credentials'>,
  proof?: CallbackProof,
): boolean {
  const items = itemsIn(callback);
  const keys = [credentials.webhook_secret].flat();
  const isOwn = (account: string | undefined) =>
    proof === 'sender' || account === undefined || account === credentials.merchant_account;
  if (items)
    return items.every((item) => isOwn(item.merchantAccountCode) && keys.some((key) => isItemSigned(item, key)));
  return isOwn(parse(TokenEvent, callback)?.data.merchantAccount) && keys.some((key) => isBodySigned(callback, key));
}

function isItemSigned(item: NotificationItem, key: string): boolean {
  const signature = item.additionalData?.hmacSignature ?? '';
  return signature !== '' && timingSafeEqual(signature, digest(key, signedText(item)));
}

/** Adyen's other webhooks sign the whole body. The signature is in a header. */
const isBodySigned = ({ headers, rawBody }: InboundCallback, key: string): boolean =>
  rawBody.length > 0 && timingSafeEqual(headers.hmacsignature ?? '', digest(key, rawBody));

type EventSubject = UnverifiedEvent['subject'];

const IGNORED: EventSubject = { kind: 'ignored' };

const subjectOf = (item: NotificationItem): EventSubject =>
  (Object.hasOwn(SUBJECTS, item.eventCode) ? SUBJECTS[item.eventCode]?.(item) : disputeEvent(item)) ?? IGNORED;

/**
 * The events that we use, and their subjects. AUTHORISATION does not tell whether the money was only reserved: the
 * payment knows it. TECHNICAL_CANCEL is ignored: it confirms our cancel by our own reference, and the payment is
 * `canceled` already.
 */
const SUBJECTS: Readonly<Record<string, (item: NotificationItem) => EventSubject>> = {
  AUTHORISATION: (item) =>
    item.success === 'true'
      ? chargeSucceeded(item)
      : chargeFailed(item, readRefusal({ reason: item.reason, data: item.additionalData })),
  // Most come without our metadata, so their payment is unknown. The payment expires here as well.
  OFFER_CLOSED: (item) =>
    item.success === 'true' && item.additionalData?.['metadata.payment_id']
      ? chargeFailed(item, declineOf('expired'))
      : IGNORED,
  CANCELLATION: (item) => chargeEvent(item, item.success === 'true' ? 'canceled' : 'processing'),
  EXPIRE: (item) => (item.success === 'true' ? expired(item) : IGNORED),
  CAPTURE: (item) => captureEvent(item, item.success === 'true'),
  // After a CAPTURE that succeeded: the scheme or the bank has refused it.
  CAPTURE_FAILED: (item) => (item.success === 'true' ? captureEvent(item, false) : IGNORED),
  // The action is not signed. A forged one could only swap the merchant's own actions at Adyen.
  CANCEL_OR_REFUND: (item) =>
    item.additionalData?.['modification.action'] === 'refund'
      ? refundEnded(item)
      : chargeEvent(item, item.success === 'true' ? 'canceled' : 'processing'),
  REFUND: (item) => refundEnded(item),
  REFUND_FAILED: (item) => (item.success === 'true' ? refundFailed(item) : IGNORED),
  REFUNDED_REVERSED: (item) => (item.success === 'true' ? refundFailed(item) : IGNORED),
  RECURRING_CONTRACT: (item) => (item.success === 'true' ? methodKept(item) : IGNORED),
};

const ourAttemptId = ({ merchantReference }: NotificationItem): string =>
  readReference(merchantReference ?? '').attemptId;

function chargeSucceeded(item: NotificationItem): EventSubject {
  const { pspReference: reference } = item;
  const money = toOurMoney(item.amount);
  return {
    kind: 'payment',
    reference,
    ourId: ourAttemptId(item),
    reported: {
      ...(money ? { kind: 'succeeded', reference, ...money } : { kind: 'processing', reference }),
      ...networkReport(reportedIn(item)),
      ...savedToken(reportedIn(item)),
    },
  };
}

/** Not signed: only the report is taken from it, and a token, which Adyen accepts with its own shopper only. */
const reportedIn = ({ additionalData: data, paymentMethod: brand, reason }: NotificationItem) => ({
  data,
  brand,
  reason,
});

/**
 * A failed try does not end a page's charge; only the page's expiry does. It is ignored, as it cannot be looked up: a
 * decline that arrives after the page was paid would block all later events.
 */
function chargeFailed(item: NotificationItem, decline: ReturnType<typeof readRefusal>): EventSubject {
  const { pspReference: reference } = item;
  if (readReference(item.merchantReference ?? '').onPage) return IGNORED;
  const reported = {
    ...outcomeOfReason(reference, decline),
    ...networkReport({ ...reportedIn(item), refused: item.eventCode === 'AUTHORISATION' }),
  };
  return { kind: 'payment', reference, ourId: ourAttemptId(item), reported };
}

/** Says nothing of the charge: its AUTHORISATION comes before, and may have told the token already. */
function methodKept(item: NotificationItem): EventSubject {
  const { originalReference: reference } = item;
  const { saved } = savedToken(reportedIn(item));
  if (!reference || !saved) return IGNORED;
  return { kind: 'payment', reference, ourId: ourAttemptId(item), reported: { kind: 'waiting', reference, saved } };
}

/** The merchant may cancel at Adyen under any reference. So only the charge's own reference identifies it. */
function chargeEvent(
  { originalReference, pspReference }: NotificationItem,
  kind: 'canceled' | 'processing',
): EventSubject {
  const reference = originalReference || pspReference;
  return { kind: 'payment', reference, reported: { kind, reference } };
}

function expired({ originalReference, pspReference }: NotificationItem): EventSubject {
  const reference = originalReference || pspReference;
  return { kind: 'payment', reference, reported: { kind: 'canceled', reference, expired: true } };
}

/** A capture that the merchant made at Adyen has none of our references. */
function captureEvent(item: NotificationItem, succeeded: boolean): EventSubject {
  const money = toOurMoney(item.amount);
  const { pspReference: reference, originalReference, merchantReference } = item;
  if (!originalReference || !money) return IGNORED;
  const { id } = readModification(merchantReference ?? '');
  const isOurs = isId('capture', id);
  const outcome: CaptureOutcome = succeeded
    ? { kind: 'succeeded', reference }
    : { kind: 'failed', reference, decline: declineOf('capture_declined', item.eventCode) };
  return {
    kind: 'capture',
    reference,
    paymentReference: originalReference,
    ...(isOurs && { ourId: id }),
    // Unless the account is set up otherwise, which nothing tells, the first capture cancels the rest.
    reported: { ...outcome, ...money, ourId: isOurs ? id : null, final: true },
  };
}

const refundEnded = (item: NotificationItem): EventSubject =>
  item.success === 'true' ? refundEvent(item, { kind: 'succeeded', reference: item.pspReference }) : refundFailed(item);

/** Adyen's reasons are sentences, which are not passed on. An unknown one is `refund_declined`. */
const REASONS: readonly (readonly [RegExp, RefundFailureCode])[] = [
  [/insufficient balance on payment/i, 'already_refunded'],
  [/hasn['’]t been captured/i, 'try_again_later'],
];

function refundFailed(item: NotificationItem): EventSubject {
  const [, why = 'refund_declined'] = REASONS.find(([pattern]) => pattern.test(item.reason ?? '')) ?? [];
  return refundEvent(item, failedRefund(item.pspReference, refundDecline(why, item.eventCode)));
}

/** A refund without a readable amount is ignored. */
function refundEvent(item: NotificationItem, outcome: RefundOutcome): EventSubject {
  const money = toOurMoney(item.amount);
  const { pspReference: reference, originalReference, merchantReference } = item;
  if (!originalReference || !money) return IGNORED;
  const reported: PspRefund = { ...outcome, ...money };
  return {
    kind: 'refund',
    reference,
    paymentReference: originalReference,
    ourId: merchantReference ? readModification(merchantReference).id : undefined,
    reported,
  };
}
