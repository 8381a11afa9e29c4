import * as z from 'zod';
import { credentialText, rotatingSecret } from '#shared/psp/kit/credentials.ts';

const MAX_LENGTH = 200;
const WebhookId = rotatingSecret(/^[A-Za-z0-9-]{1,64}$/, 'the id of a webhook of this app', MAX_LENGTH);

/** Messages name the expected form, never the value. */
export const PaypalCredentials = z.strictObject({
  client_id: credentialText(/^[A-Za-z0-9_-]{8,}$/, 'the client id of a REST app', MAX_LENGTH),
  client_secret: credentialText(/^[A-Za-z0-9_-]{8,}$/, 'the secret of a REST app', MAX_LENGTH),
  /** The webhook's id, which PayPal signs along with each event. A list while a webhook replaces another. */
  webhook_secret: WebhookId,
  /** The merchant's account; events of another one are refused. */
  merchant_id: credentialText(/^[2-9A-HJ-NP-Z]{13}$/, 'a merchant id (13 letters and digits)', MAX_LENGTH).optional(),
});

export type PaypalCredentials = z.infer<typeof PaypalCredentials>;
