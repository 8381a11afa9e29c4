import * as z from 'zod';

const line = (pattern: RegExp, what: string) =>
  z.string(`Must be ${what}.`).max(200, `Must be ${what}.`).regex(pattern, `Must be ${what}.`);

const WebhookId = line(/^[A-Za-z0-9-]{1,64}$/, 'the id of a webhook of this app');

/** Messages name the expected form, never the value. */
export const PaypalCredentials = z.strictObject({
  client_id: line(/^[A-Za-z0-9_-]{8,}$/, 'the client id of a REST app'),
  client_secret: line(/^[A-Za-z0-9_-]{8,}$/, 'the secret of a REST app'),
  /** The webhook's id, which PayPal signs along with each event. A list while a webhook replaces another. */
  webhook_secret: z.union(
    [WebhookId, z.array(WebhookId).min(1).max(5)],
    'Must be the id of a webhook of this app or up to five of them.',
  ),
  /** The merchant's account; events of another one are refused. */
  merchant_id: line(/^[2-9A-HJ-NP-Z]{13}$/, 'a merchant id (13 letters and digits)').optional(),
});

export type PaypalCredentials = z.infer<typeof PaypalCredentials>;
