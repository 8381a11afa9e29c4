import * as z from 'zod';

const line = (pattern: RegExp, what: string) =>
  z.string(`Must be ${what}.`).max(300, `Must be ${what}.`).regex(pattern, `Must be ${what}.`);

const WebhookSecret = line(/^[\x21-\x7e]+$/, 'a webhook signing secret');

/** Messages name the expected form, never the value. */
export const MollieCredentials = z.strictObject({
  /** Of one website profile. Organization tokens would need profile and mode in every call. */
  api_key: line(/^(test|live)_[A-Za-z0-9]+$/, 'an API key (test_…, live_…)'),
  /**
   * Of an endpoint for signed events, beside the unsigned callbacks that every charge has; a list while the secret is
   * rotated.
   */
  webhook_secret: z
    .union(
      [WebhookSecret, z.array(WebhookSecret).min(1).max(5)],
      'Must be a webhook signing secret or up to five of them.',
    )
    .optional(),
});

export type MollieCredentials = z.infer<typeof MollieCredentials>;
