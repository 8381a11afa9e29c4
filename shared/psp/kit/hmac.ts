import { createHmac } from 'node:crypto';

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
