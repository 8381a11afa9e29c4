import { createHmac } from 'node:crypto';
import type { Secret } from '#shared/kernel/secret.ts';

const PREFIX = 'whsec_';

/** The form that Standard Webhooks libraries take: 24 bytes in base 64 behind the prefix. */
export const signingSecret = (bytes: Buffer): string => `${PREFIX}${bytes.subarray(0, 24).toString('base64')}`;

/** Enough to tell two secrets apart, too little to sign with. */
export const maskedSecret = (secret: string): string => `${PREFIX}****${secret.slice(-4)}`;

/** Where a vault keeps it: bound to its organization. */
export const secretPlace = (orgId: string) => ({ orgId, purpose: 'signing_secret', id: orgId }) as const;

/**
 * What proves to a receiver that we sent exactly this, in two schemes: our own takes the whole text of the secret as its
 * key and the body alone; Standard Webhooks takes the bytes behind the prefix, and id and time beside the body.
 */
export function signedHeaders(eventId: string, timestamp: number, body: string, secret: Secret): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.reveal().slice(PREFIX.length), 'base64');
  const standard = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64');
  return {
    'x-service-event-id': eventId,
    'x-service-signature': `sha256=${createHmac('sha256', secret.reveal()).update(body).digest('hex')}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${standard}`,
  };
}
