import * as z from 'zod';
import { credentialText, rotatingSecret } from '#shared/psp/kit/credentials.ts';

/** The merchant chooses it when setting the webhook up, so any text without blanks is possible. */
const SignatureKey = rotatingSecret(
  /^[\x21-\x7e]{8,200}$/,
  'the signature key of the webhook (8 to 200 characters without blanks)',
);

/**
 * An account with a secret key; OAuth client credentials are not supported. Messages name the expected form, never the
 * value.
 */
export const CheckoutCredentials = z.strictObject({
  secret_key: credentialText(/^sk_(sbox_)?[A-Za-z0-9*#$=]{16,64}$/, 'a secret key (sk_…, sk_sbox_…)'),
  processing_channel_id: credentialText(/^pc_[A-Za-z0-9_]{26}$/, 'a processing channel id (pc_…)'),
  /** The account's own part of the host name. */
  host_prefix: credentialText(
    /^[a-z0-9-]{1,63}$/,
    'the prefix of the account’s API address (small letters, digits and hyphens)',
  ),
  /** A list during key rotation. */
  webhook_secret: SignatureKey,
  /** The country for hosted pages, which require one, where a payment has none. */
  default_country: credentialText(/^[A-Z]{2}$/, 'a country code of two capital letters').optional(),
  /** The city on statements. Checkout.com takes no statement of a payment's own without it. */
  statement_city: credentialText(/^[A-Za-z0-9 .-]{1,13}$/, 'a city of up to 13 letters, digits and blanks').optional(),
});

export type CheckoutCredentials = z.infer<typeof CheckoutCredentials>;
