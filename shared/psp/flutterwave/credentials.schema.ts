import * as z from 'zod';

const line = (pattern: RegExp, what: string) =>
  z.string(`Must be ${what}.`).max(300, `Must be ${what}.`).regex(pattern, `Must be ${what}.`);

/** Chosen by the merchant; it travels in a header, which limits its characters. */
const SecretHash = line(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'the secret hash of the dashboard');

/** Messages name the expected form, never the value. */
export const FlutterwaveCredentials = z.strictObject({
  secret_key: line(/^FLWSECK(_TEST)?-[A-Za-z0-9_-]+$/, 'a secret key (FLWSECK-…, FLWSECK_TEST-…)'),
  /** A list while the hash is rotated. */
  webhook_secret: z.union(
    [SecretHash, z.array(SecretHash).min(1).max(5)],
    'Must be the secret hash of the dashboard or up to five of them.',
  ),
  public_key: line(/^FLWPUBK(_TEST)?-[A-Za-z0-9_-]+$/, 'a public key (FLWPUBK-…, FLWPUBK_TEST-…)').optional(),
  /**
   * For charges of raw cards, which this service never makes; accepted for merchants who keep all their keys in one
   * place.
   */
  encryption_key: line(/^[A-Za-z0-9_-]{8,64}$/, 'an encryption key').optional(),
});

export type FlutterwaveCredentials = z.infer<typeof FlutterwaveCredentials>;
