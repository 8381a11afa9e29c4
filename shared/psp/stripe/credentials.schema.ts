import * as z from 'zod';

const line = (pattern: RegExp, what: string) =>
  z.string(`Must be ${what}.`).max(300, `Must be ${what}.`).regex(pattern, `Must be ${what}.`);

const WebhookSecret = line(/^whsec_[A-Za-z0-9+/=_-]+$/, 'a webhook signing secret (whsec_…)');

/** Messages name the expected form, never the value. */
export const StripeCredentials = z.strictObject({
  secret_key: line(
    /^(sk|rk)_(test|live)_[A-Za-z0-9_]+$/,
    'a secret or restricted key (sk_test_…, sk_live_…, rk_test_…, rk_live_…)',
  ),
  /** A list while the secret is rotated. */
  webhook_secret: z.union(
    [WebhookSecret, z.array(WebhookSecret).min(1).max(5)],
    'Must be a webhook signing secret (whsec_…) or up to five of them.',
  ),
  publishable_key: line(/^pk_(test|live)_[A-Za-z0-9_]+$/, 'a publishable key (pk_test_…, pk_live_…)').optional(),
  /** The connected account that a platform's key acts for. */
  account: line(/^acct_[A-Za-z0-9]+$/, 'an account id (acct_…)').optional(),
});

export type StripeCredentials = z.infer<typeof StripeCredentials>;
