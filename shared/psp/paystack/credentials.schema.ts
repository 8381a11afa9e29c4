import * as z from 'zod';

const line = (pattern: RegExp, what: string) =>
  z.string(`Must be ${what}.`).max(300, `Must be ${what}.`).regex(pattern, `Must be ${what}.`);

const SecretKey = line(/^sk_(test|live)_\w+$/, 'a secret key (sk_test_…, sk_live_…)');

/** Keys that signatures are checked with, beside the current one. */
const FormerKey = line(/^[\x21-\x7e]{8,}$/, 'a former secret key (sk_…)');

/** Messages name the expected form, never the value. */
export const PaystackCredentials = z.strictObject({
  secret_key: SecretKey,
  public_key: line(/^pk_(test|live)_\w+$/, 'a public key (pk_test_…, pk_live_…)').optional(),
  /** Paystack signs with the secret key itself; this holds former keys during rotation. */
  webhook_secret: z
    .union([FormerKey, z.array(FormerKey).min(1).max(5)], 'Must be a former secret key (sk_…) or up to five of them.')
    .optional(),
});

export type PaystackCredentials = z.infer<typeof PaystackCredentials>;
