import * as z from 'zod';
import { objectReader } from '#shared/psp/kit/responses.ts';

export const readObject = objectReader('Adyen');

const Amount = z.looseObject({ value: z.int(), currency: z.string().length(3) });

const reference = z.string().min(1).max(80);

export const PaymentResponse = z.looseObject({
  resultCode: z.string().min(1),
  pspReference: reference.nullish(),
  merchantReference: z.string().nullish(),
  amount: Amount.nullish().catch(undefined),
  refusalReasonCode: z.coerce.string().nullish().catch(undefined),
  refusalReason: z.string().nullish().catch(undefined),
  additionalData: z.record(z.string(), z.unknown()).nullish().catch(undefined),
  paymentMethod: z.looseObject({ brand: z.string().nullish() }).nullish().catch(undefined),
  action: z.looseObject({ type: z.string() }).nullish(),
});

export type PaymentResponse = z.infer<typeof PaymentResponse>;

export const LinkResponse = z.looseObject({
  id: reference,
  url: z.string(),
  status: z.string(),
  expiresAt: z.string().nullish(),
});

export type LinkResponse = z.infer<typeof LinkResponse>;

/** Every modification has the same response: accepted. */
export const ModificationResponse = z.looseObject({ pspReference: reference, status: z.literal('received') });

export const ErrorResponse = z.looseObject({
  status: z.int().nullish(),
  errorCode: z.string().nullish(),
  errorType: z.string().nullish(),
});

/** Our own API credential, from the Management API. */
export const ApiCredential = z.looseObject({ id: z.string(), username: z.string(), companyName: z.string().nullish() });

const shortText = z.string().max(200).optional().catch(undefined);

/** One item of a standard notification. The signature covers eight fields and nothing else. */
export const NotificationItem = z.looseObject({
  /** In a report it is a file's name. */
  pspReference: z.string().min(1).max(255),
  originalReference: z.string().max(255).nullish(),
  merchantAccountCode: z.string().min(1).max(200),
  merchantReference: z.string().max(200).nullish(),
  amount: Amount.nullish(),
  eventCode: z.string().min(1).max(80),
  success: z.enum(['true', 'false']),
  eventDate: shortText,
  reason: z.string().nullish().catch(undefined),
  paymentMethod: shortText,
  additionalData: z
    .looseObject({
      hmacSignature: shortText,
      'metadata.org_id': shortText,
      'metadata.connection_id': shortText,
      'metadata.payment_id': shortText,
      'modification.action': shortText,
      autoDefended: shortText,
      chargebackReasonCode: shortText,
      defendable: shortText,
      defensePeriodEndsAt: shortText,
      disputeStatus: shortText,
      rfiReasonCode: shortText,
    })
    .nullish(),
});

export type NotificationItem = z.infer<typeof NotificationItem>;

export const Notification = z.looseObject({
  notificationItems: z
    .array(z.looseObject({ NotificationRequestItem: NotificationItem }))
    .min(1)
    .max(100),
});

/** The common part of Adyen's other webhooks. None of them is about a payment. */
export const OtherEvent = z.looseObject({
  type: z.string().min(1).max(120),
  environment: z.string(),
  data: z.looseObject({}),
});
