import * as z from 'zod';

const line = (pattern: RegExp, what: string) =>
  z.string(`Must be ${what}.`).max(300, `Must be ${what}.`).regex(pattern, `Must be ${what}.`);

/** The merchant chooses it in the dashboard. */
const WebhookSecret = line(/^[^\p{Cc}]+$/u, 'a webhook secret');

/** Messages name the expected form, never the value. */
export const RazorpayCredentials = z.strictObject({
  key_id: line(/^rzp_(test|live)_[A-Za-z0-9]+$/, 'a key id (rzp_test_…, rzp_live_…)'),
  key_secret: line(/^[A-Za-z0-9_+/=-]+$/, 'the secret of that key'),
  /** A list during rotation: earlier events are repeated under the old secret. */
  webhook_secret: z.union(
    [WebhookSecret, z.array(WebhookSecret).min(1).max(5)],
    'Must be a webhook secret or up to five of them.',
  ),
  /** The account's id in events; where given, events of another one are refused. */
  account_id: line(/^acc_[A-Za-z0-9]+$/, 'an account id (acc_…)').optional(),
});

export type RazorpayCredentials = z.infer<typeof RazorpayCredentials>;
