import * as z from 'zod';
import { credentialText, rotatingSecret } from '#shared/psp/kit/credentials.ts';

const WebhookSecret = rotatingSecret(/^[\x21-\x7e]+$/, 'a webhook signing secret');

/** Messages name the expected form, never the value. */
export const MollieCredentials = z.strictObject({
  /** Of one website profile. Organization tokens would need profile and mode in every call. */
  api_key: credentialText(/^(test|live)_[A-Za-z0-9]+$/, 'an API key (test_…, live_…)'),
  /**
   * Of an endpoint for signed events, beside the unsigned callbacks that every charge has; a list while the secret is
   * rotated.
   */
  webhook_secret: WebhookSecret.optional(),
});

export type MollieCredentials = z.infer<typeof MollieCredentials>;
