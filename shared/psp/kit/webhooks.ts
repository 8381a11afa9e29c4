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

/** What the provider wrote. Signatures are of the bytes as they were sent, and those may be compressed. */
export const textOf = ({
  rawBody,
  decompressed = rawBody,
}: Pick<InboundCallback, 'rawBody' | 'decompressed'>): string => decompressed.toString('utf8');

/** The JSON body of a callback; undefined for anything else. */
export function parseBody(callback: Pick<InboundCallback, 'rawBody' | 'decompressed'>): unknown {
  try {
    return JSON.parse(textOf(callback));
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
