import * as z from 'zod';

/** The fields that we read of Adyen's answers. */
const Amount = z.looseObject({ value: z.int(), currency: z.string().length(3) });

const reference = z.string().min(1).max(80);

export const PaymentReply = z.looseObject({
  resultCode: z.string().min(1),
  pspReference: reference.nullish(),
  merchantReference: z.string().nullish(),
  amount: Amount.nullish().catch(undefined),
  refusalReasonCode: z.string().nullish(),
  action: z.looseObject({ type: z.string() }).nullish(),
});
export type PaymentReply = z.infer<typeof PaymentReply>;

export const LinkReply = z.looseObject({
  id: reference,
  url: z.string(),
  status: z.string(),
  expiresAt: z.string().nullish(),
});
export type LinkReply = z.infer<typeof LinkReply>;

/** Every modification is answered alike: accepted. */
export const ModificationReply = z.looseObject({ pspReference: reference, status: z.literal('received') });

export const FaultReply = z.looseObject({
  status: z.int().nullish(),
  errorCode: z.string().nullish(),
  errorType: z.string().nullish(),
});

/** The credential that asks, of the Management API. */
export const Me = z.looseObject({ id: z.string(), username: z.string(), companyName: z.string().nullish() });

const key = z.string().max(200).optional().catch(undefined);

/** One item of a standard notification. The signature covers eight fields and nothing else. */
export const Item = z.looseObject({
  /** In a report it is a file's name. */
  pspReference: z.string().min(1).max(255),
  originalReference: z.string().max(255).nullish(),
  merchantAccountCode: z.string().min(1).max(200),
  merchantReference: z.string().max(200).nullish(),
  amount: Amount.nullish(),
  eventCode: z.string().min(1).max(80),
  success: z.enum(['true', 'false']),
  reason: z.string().nullish().catch(undefined),
  additionalData: z
    .looseObject({
      hmacSignature: key,
      'metadata.org_id': key,
      'metadata.connection_id': key,
      'metadata.payment_id': key,
      'modification.action': key,
    })
    .nullish(),
});
export type Item = z.infer<typeof Item>;

export const Notification = z.looseObject({
  notificationItems: z
    .array(z.looseObject({ NotificationRequestItem: Item }))
    .min(1)
    .max(100),
});

/** The common part of Adyen's other webhooks, none of which is about a payment. */
export const OtherEvent = z.looseObject({
  type: z.string().min(1).max(120),
  environment: z.string(),
  data: z.looseObject({}),
});
