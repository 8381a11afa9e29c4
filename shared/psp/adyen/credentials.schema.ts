import * as z from 'zod';
import { credentialText, rotatingSecret } from '#shared/psp/kit/credentials.ts';

const MAX_LENGTH = 1_000;
const HmacKey = rotatingSecret(
  /^(?:[0-9A-Fa-f]{2}){16,64}$/,
  'the HMAC key of a standard webhook (hexadecimal)',
  MAX_LENGTH,
);

/** Messages name the expected form, never the value. */
export const AdyenCredentials = z.strictObject({
  api_key: credentialText(/^[\x21-\x7e]{8,}$/, 'an API key of a web service user', MAX_LENGTH),
  merchant_account: credentialText(/^[A-Za-z0-9_.-]{1,100}$/, 'the name of a merchant account', MAX_LENGTH),
  /** A list during key rotation. */
  webhook_secret: HmacKey,
  /** Live accounts only: the company's part of the host name. Its presence means live. */
  live_endpoint_url_prefix: credentialText(
    /^[a-z0-9-]{1,63}$/,
    'the prefix of the live endpoints (letters, digits and hyphens)',
    MAX_LENGTH,
  ).optional(),
  /** Public: what a page needs to continue a next action with the provider's own components. */
  client_key: credentialText(/^(?:test|live)_[A-Za-z0-9]{8,}$/, 'a client key (test_…, live_…)', MAX_LENGTH).optional(),
});

export type AdyenCredentials = z.infer<typeof AdyenCredentials>;
