import * as z from 'zod';
import { credentialText, rotatingSecret } from '#shared/psp/kit/credentials.ts';

const WebhookSecret = rotatingSecret(/^whsec_[A-Za-z0-9+/=_-]+$/, 'a webhook signing secret (whsec_…)');

/** Messages name the expected form, never the value. */
export const StripeCredentials = z.strictObject({
  secret_key: credentialText(
    /^(sk|rk)_(test|live)_[A-Za-z0-9_]+$/,
    'a secret or restricted key (sk_test_…, sk_live_…, rk_test_…, rk_live_…)',
  ),
  /** A list while the secret is rotated. */
  webhook_secret: WebhookSecret,
  publishable_key: credentialText(
    /^pk_(test|live)_[A-Za-z0-9_]+$/,
    'a publishable key (pk_test_…, pk_live_…)',
  ).optional(),
  /** The connected account that a platform's key acts for. */
  account: credentialText(/^acct_[A-Za-z0-9]+$/, 'an account id (acct_…)').optional(),
});

export type StripeCredentials = z.infer<typeof StripeCredentials>;
