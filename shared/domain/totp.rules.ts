import { Secret as Base32, TOTP } from 'otpauth';
import type { Stage } from '#shared/domain/api-key.model.ts';
import type { Totp } from '#shared/domain/user.model.ts';
import type { Secret } from '#shared/kernel/secret.ts';

/** What every authenticator app takes; some take nothing else. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** So many steps before and after, as clocks differ. */
const DRIFT = 1;

/** A code as it was meant, however it was typed: with spaces and dashes, in small letters. */
export const plainCode = (typed: string): string => typed.replace(/[\s\p{Dash}]/gu, '').toUpperCase();

/** Of an authenticator app. All others are recovery codes. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Its step is used up then, and those before it; undefined for a code that is wrong, or was used. */
export function afterAppCode(totp: Totp, secret: Secret<string>, code: string, at: Date): Totp | undefined {
  const step = stepOf(code, secret, at);
  return step !== undefined && step > totp.last_step ? { ...totp, last_step: step } : undefined;
}

/** The others are left; undefined for one that was never among them, or was used. */
export function afterRecoveryCode(totp: Totp, hash: string): Totp | undefined {
  if (!totp.recovery_hashes.includes(hash)) return undefined;
  return { ...totp, recovery_hashes: totp.recovery_hashes.filter((each) => each !== hash) };
}

function stepOf(code: string, secret: Secret<string>, at: Date): number | undefined {
  const time = { ...FORM, timestamp: at.getTime() };
  const drift = TOTP.validate({ ...time, secret: Base32.fromBase32(secret.reveal()), token: code, window: DRIFT });
  return drift === null ? undefined : TOTP.counter(time) + drift;
}

/** What an authenticator app reads from a picture. The stage is named, as a person may have an account on each. */
export function otpauthUrl(secret: Secret<string>, email: string, stage: Stage): string {
  const issuer = stage === 'live' ? 'Payfork' : `Payfork (${stage})`;
  return new TOTP({ ...FORM, issuer, label: email, secret: secret.reveal() }).toString();
}
