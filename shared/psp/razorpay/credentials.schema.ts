import * as z from 'zod';
import { credentialText, rotatingSecret } from '#shared/psp/kit/credentials.ts';

/** The merchant chooses it in the dashboard. */
const WebhookSecret = rotatingSecret(/^[^\p{Cc}]+$/u, 'a webhook secret');

/** Messages name the expected form, never the value. */
export const RazorpayCredentials = z.strictObject({
  key_id: credentialText(/^rzp_(test|live)_[A-Za-z0-9]+$/, 'a key id (rzp_test_…, rzp_live_…)'),
  key_secret: credentialText(/^[A-Za-z0-9_+/=-]+$/, 'the secret of that key'),
  /** A list during rotation: earlier events are repeated under the old secret. */
  webhook_secret: WebhookSecret,
  /** The account's id in events; where given, events of another one are refused. */
  account_id: credentialText(/^acc_[A-Za-z0-9]+$/, 'an account id (acc_…)').optional(),
});

export type RazorpayCredentials = z.infer<typeof RazorpayCredentials>;
