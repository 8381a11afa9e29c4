import * as z from 'zod';
import { credentialText, rotatingSecret } from '#shared/psp/kit/credentials.ts';

/** Chosen by the merchant; it travels in a header, which limits its characters. */
const SecretHash = rotatingSecret(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'the secret hash of the dashboard');

/** Messages name the expected form, never the value. */
export const FlutterwaveCredentials = z.strictObject({
  secret_key: credentialText(/^FLWSECK(_TEST)?-[A-Za-z0-9_-]+$/, 'a secret key (FLWSECK-…, FLWSECK_TEST-…)'),
  /** A list while the hash is rotated. */
  webhook_secret: SecretHash,
  public_key: credentialText(/^FLWPUBK(_TEST)?-[A-Za-z0-9_-]+$/, 'a public key (FLWPUBK-…, FLWPUBK_TEST-…)').optional(),
  /**
   * For charges of raw cards, which this service never makes; accepted for merchants who keep all their keys in one
   * place.
   */
  encryption_key: credentialText(/^[A-Za-z0-9_-]{8,64}$/, 'an encryption key').optional(),
});

export type FlutterwaveCredentials = z.infer<typeof FlutterwaveCredentials>;
