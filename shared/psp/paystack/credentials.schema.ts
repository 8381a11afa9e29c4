import * as z from 'zod';
import { credentialText, rotatingSecret } from '#shared/psp/kit/credentials.ts';

const SecretKey = credentialText(/^sk_(test|live)_\w+$/, 'a secret key (sk_test_…, sk_live_…)');

/** Keys that signatures are checked with, beside the current one. */
const FormerKey = rotatingSecret(/^[\x21-\x7e]{8,}$/, 'a former secret key (sk_…)');

/** Messages name the expected form, never the value. */
export const PaystackCredentials = z.strictObject({
  secret_key: SecretKey,
  public_key: credentialText(/^pk_(test|live)_\w+$/, 'a public key (pk_test_…, pk_live_…)').optional(),
  /** Paystack signs with the secret key itself; this holds former keys during rotation. */
  webhook_secret: FormerKey.optional(),
});

export type PaystackCredentials = z.infer<typeof PaystackCredentials>;
