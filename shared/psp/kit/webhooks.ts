import { createHmac } from 'node:crypto';
import type { InboundCallback, UnverifiedEvent } from '#shared/ports/psp.port.ts';

/** Hex digest, lower case. */
export function hmacHex(
  algorithm: 'sha256' | 'sha512',
  secret: string,
  ...parts: readonly (string | Uint8Array)[]
): string {
  const hmac = createHmac(algorithm, secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/** The JSON body of a callback; undefined for anything else. */
export function parseBody({ rawBody }: Pick<InboundCallback, 'rawBody'>): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A well-formed event of a type that we do not use. */
export const ignoredEvent = (eventId: string, type: string): UnverifiedEvent => ({
  eventId,
  type,
  subject: { kind: 'ignored' },
  routing: {},
});
