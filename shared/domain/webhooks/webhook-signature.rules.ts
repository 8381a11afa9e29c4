import { createHmac, createSecretKey } from 'node:crypto';
import type { Secret } from '#shared/kernel/secret.ts';

const PREFIX = 'whsec_';

/** The form that Standard Webhooks libraries take: 24 bytes in base 64 behind the prefix. */
export const signingSecret = (bytes: Buffer): string => `${PREFIX}${bytes.subarray(0, 24).toString('base64')}`;

/** Enough to tell two secrets apart, too little to sign with. */
export const maskedSecret = (secret: string): string => `${PREFIX}****${secret.slice(-4)}`;

/** Its place in the vault, bound to its organization. */
export const signingSecretContext = (orgId: string) => ({ orgId, purpose: 'signing_secret', id: orgId }) as const;

/**
 * Signs a delivery in two schemes: ours takes the whole secret text as the key, and the body alone; Standard Webhooks
 * takes the bytes after the prefix, and id and time beside the body. `former`: replaced secrets that are still valid,
 * newest first. The standard carries a signature of each; ours carries one, by the oldest, which also a receiver that
 * missed the newer ones knows.
 */
export function signedHeaders(
  eventId: string,
  timestamp: number,
  body: string,
  secret: Secret,
  former: readonly Secret[] = [],
): Readonly<Record<string, string>> {
  const signed = `${eventId}.${timestamp}.${body}`;
  const oldest = former.at(-1) ?? secret;
  return {
    'x-service-event-id': eventId,
    'x-service-signature': `sha256=${createHmac('sha256', oldest.reveal()).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': [secret, ...former].map((each) => `v1,${standardSignature(signed, each)}`).join(' '),
  };
}

function standardSignature(signed: string, secret: Secret): string {
  const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64');
  // Node takes several times as long with a key in a buffer.
  return createHmac('sha256', createSecretKey(key)).update(signed).digest('base64');
}
