import * as z from 'zod';

const encrypted = z.string().min(1).max(15_000);
const wallet = z.string().min(1).max(10_000);

/** Card fields encrypted by the provider's library on the merchant's page. */
const EncryptedCard = z.strictObject({
  encryptedCardNumber: encrypted,
  encryptedExpiryMonth: encrypted,
  encryptedExpiryYear: encrypted,
  encryptedSecurityCode: encrypted.optional(),
  holderName: z.string().min(1).max(200).optional(),
});

/** A saved method belongs to a shopper, whose reference Adyen requires. */
const Stored = z.strictObject({
  storedPaymentMethodId: z.string().min(1).max(64),
  shopperReference: z.string().min(3).max(256).optional(),
});

const ApplePay = z.strictObject({ applePayToken: wallet });
const GooglePay = z.strictObject({ googlePayToken: wallet });
const Sepa = z.strictObject({ iban: z.string().min(5).max(34), ownerName: z.string().min(1).max(200) });
const Blik = z.strictObject({ blikCode: z.string().regex(/^\d{6}$/) });

/** Names are Adyen's. A plain string is a saved method's id. */
export const AdyenToken = z.union([
  z
    .string()
    .min(1)
    .max(64)
    .transform((storedPaymentMethodId): z.infer<typeof Stored> => ({ storedPaymentMethodId })),
  Stored,
  EncryptedCard,
  ApplePay,
  GooglePay,
  Sepa,
  Blik,
]);

export type AdyenToken = z.infer<typeof AdyenToken>;
