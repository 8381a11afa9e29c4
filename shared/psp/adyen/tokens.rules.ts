import * as z from 'zod';
import type { PspFacts } from '#shared/ports/psp.port.ts';

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

/** Methods charged by saved details. A saved iDEAL is a SEPA debit, and charged as `sepa_debit`. */
const REUSABLE_METHODS: ReadonlySet<string> = new Set(['card', 'wallet', 'sepa_debit']);

/** Adyen's own ids, in capitals, need the shopper they belong to. A simulator's words do not. */
const SIMULATOR_WORD = /^[a-z0-9_]+$/;

export const isReusableToken: PspFacts['isReusableToken'] = (input, method) => {
  const { data: token } = AdyenToken.safeParse(input);
  if (!token || !REUSABLE_METHODS.has(method) || !('storedPaymentMethodId' in token)) return false;
  // The customer typed the security code for this one charge.
  if (token.encryptedSecurityCode !== undefined) return false;
  return token.shopperReference !== undefined || SIMULATOR_WORD.test(token.storedPaymentMethodId);
};
