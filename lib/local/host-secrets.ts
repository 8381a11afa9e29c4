import { createHmac, randomBytes } from 'node:crypto';
import type { SimulatorsOptions } from '#lib/simulators/simulators.port.ts';
import { bind, decrypt, encrypt } from '#shared/adapters/vault/envelope.rules.ts';
import type { Secret } from '#shared/kernel/secret.ts';

/** This host's other keys, derived from the one that it stores. */
const deriveSecret = (master: Secret<Buffer>, purpose: string): Buffer =>
  createHmac('sha256', master.reveal()).update(`payfork/${purpose}`).digest();

/** The hash secret of idempotency keys and client secrets: as permanent as the master key. */
export const hashSecretOf = (master: Secret<Buffer>): string => deriveSecret(master, 'hash-secret').toString('hex');

/** Seals webhook secrets in the simulators' own file. */
export function simulatorProtection(master: Secret<Buffer>): SimulatorsOptions['protect'] {
  const key = deriveSecret(master, 'simulators');
  const place = bind('payfork/simulators');
  return {
    seal: (text) => encrypt(key, randomBytes(12), Buffer.from(text), place).toString('base64url'),
    open: (sealed) => {
      const text = decrypt(key, Buffer.from(sealed, 'base64url'), place);
      if (!text) throw new Error("The simulators' file was made under another master key.");
      return text.toString();
    },
  };
}
