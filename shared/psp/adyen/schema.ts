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
  reason: z.string().nullish().catch(undefined),
  additionalData: z
    .looseObject({
      hmacSignature: shortText,
      'metadata.org_id': shortText,
      'metadata.connection_id': shortText,
      'metadata.payment_id': shortText,
      'modification.action': shortText,
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

const encrypted = z.string().min(1).max(15_000);

const wallet = z.string().min(1).max(10_000);

const word = z.string().min(1).max(200).optional();

/** What Adyen's Component adds to every method. */
const fromComponent = { checkoutAttemptId: word, sdkData: z.string().min(1).max(50_000).optional() };

/**
 * A card as Adyen's Component hands it out, or only its encrypted fields. `brand` is the customer's choice on a card of
 * two networks, which the law gives them.
 */
const cardFields = {
  ...fromComponent,
  brand: word,
  fundingSource: z.enum(['credit', 'debit', 'prepaid']).optional(),
  encryptedSecurityCode: encrypted.optional(),
  holderName: word,
  threeDS2SdkVersion: z.string().min(1).max(12).optional(),
};

const EncryptedCard = z.strictObject({
  ...cardFields,
  type: z.enum(['scheme', 'card', 'bcmc']).optional(),
  encryptedCardNumber: encrypted,
  encryptedExpiryMonth: encrypted,
  encryptedExpiryYear: encrypted,
  encryptedPassword: encrypted.optional(),
  fastlaneData: encrypted.optional(),
});

/** A saved method belongs to a shopper, whose reference Adyen requires. */
const StoredMethod = z.strictObject({
  ...cardFields,
  type: z.enum(['scheme', 'card', 'bcmc', 'networkToken', 'sepadirectdebit']).optional(),
  storedPaymentMethodId: z.string().min(1).max(64),
  shopperReference: z.string().min(3).max(256).optional(),
});

/** `subtype` says that the button stood outside the checkout. It is no field of Adyen's API. */
const ofWallet = { ...fromComponent, fundingSource: cardFields.fundingSource, subtype: word };

const ApplePay = z.strictObject({ ...ofWallet, type: z.literal('applepay').optional(), applePayToken: wallet });

const GooglePay = z.strictObject({
  ...ofWallet,
  type: z.enum(['googlepay', 'paywithgoogle']).optional(),
  googlePayToken: wallet,
  googlePayCardNetwork: word,
  threeDS2SdkVersion: cardFields.threeDS2SdkVersion,
});

const Sepa = z.strictObject({
  ...fromComponent,
  type: z.literal('sepadirectdebit').optional(),
  iban: z.string().min(5).max(34),
  ownerName: z.string().min(1).max(200),
});

const Blik = z.strictObject({
  ...fromComponent,
  type: z.literal('blik').optional(),
  blikCode: z.string().regex(/^\d{6}$/),
});

/** Methods that redirect at once have no details. Their Component hands out little more than the type. */
const Redirected = z.strictObject({ ...fromComponent, type: z.enum(['ideal', 'alipay']), issuer: word });

/** Names are Adyen's. A plain string is a saved method's id. */
export const AdyenToken = z.union([
  z
    .string()
    .min(1)
    .max(64)
    .transform((storedPaymentMethodId): z.infer<typeof StoredMethod> => ({ storedPaymentMethodId })),
  StoredMethod,
  EncryptedCard,
  ApplePay,
  GooglePay,
  Sepa,
  Blik,
  Redirected,
]);

export type AdyenToken = z.infer<typeof AdyenToken>;
