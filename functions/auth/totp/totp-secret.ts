import { Secret as RandomBytes } from 'otpauth';
import { keyedHash } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';
import type { SealedPlace } from '#shared/ports/vault.port.ts';

/** The length of a SHA-1 digest. */
const SECRET_BYTES = 20;
/** Too long to be guessed, so tries need no limit of their own. */
const RECOVERY_BYTES = 10;
const RECOVERY_CODES = 10;

export const freshTotpSecret = (): Secret<string> => new Secret(randomLetters(SECRET_BYTES));

/** Four letters or digits at a time, without any that look alike: `ABCD-EFGH-IJKL-MNOP`. */
export const freshRecoveryCodes = (): readonly string[] =>
  Array.from({ length: RECOVERY_CODES }, () => randomLetters(RECOVERY_BYTES).replace(/.{4}(?=.)/g, '$&-'));

/** Base 32: the form that apps take and people can type. */
const randomLetters = (bytes: number): string => new RandomBytes({ size: bytes }).base32;

export const totpPlace = (userId: string): SealedPlace => ({ orgId: userId, purpose: 'totp_secret', id: userId });

/** Of the plain code. Only this is stored. */
export const recoveryHash = (userId: string, code: string, { hashSecret }: Pick<ServiceConfig, 'hashSecret'>): string =>
  keyedHash(hashSecret, 'recovery code', userId, code).toString('hex');
