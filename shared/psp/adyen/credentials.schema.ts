import * as z from 'zod';

const line = (pattern: RegExp, what: string) =>
  z.string(`Must be ${what}.`).max(1_000, `Must be ${what}.`).regex(pattern, `Must be ${what}.`);

const HmacKey = line(/^(?:[0-9A-Fa-f]{2}){16,64}$/, 'the HMAC key of a standard webhook (hexadecimal)');

/** Messages name the expected form, never the value. */
export const AdyenCredentials = z.strictObject({
  api_key: line(/^[\x21-\x7e]{8,}$/, 'an API key of a web service user'),
  merchant_account: line(/^[A-Za-z0-9_.-]{1,100}$/, 'the name of a merchant account'),
  /** A list during key rotation. */
  webhook_secret: z.union(
    [HmacKey, z.array(HmacKey).min(1).max(5)],
    'Must be the HMAC key of a standard webhook (hexadecimal) or up to five of them.',
  ),
  /** Live accounts only: the company's part of the host name. Its presence means live. */
  live_endpoint_url_prefix: line(
    /^[a-z0-9-]{1,63}$/,
    'the prefix of the live endpoints (letters, digits and hyphens)',
  ).optional(),
  /** Public: what a page needs to continue a next action with the provider's own components. */
  client_key: line(/^(?:test|live)_[A-Za-z0-9]{8,}$/, 'a client key (test_…, live_…)').optional(),
});

export type AdyenCredentials = z.infer<typeof AdyenCredentials>;
