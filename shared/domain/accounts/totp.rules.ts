import { Secret as Base32, TOTP } from 'otpauth';
import type { Totp } from '#shared/domain/accounts/user.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Secret } from '#shared/kernel/secret.ts';

/** Settings that every authenticator app supports; some support nothing else. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps accepted before and after the present one, as clocks differ. */
const DRIFT = 1;

/** Normalizes a typed code: spaces, dashes, lower case. */
export const plainCode = (typed: string): string => typed.replace(/[\s\p{Dash}]/gu, '').toUpperCase();

/** Whether it is an app's code; any other is a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Uses up its time step and all before it; undefined for a wrong or used code. */
export function afterAppCode(totp: Totp, secret: Secret<string>, code: string, at: Date): Totp | undefined {
  const step = stepOf(code, secret, at);
  return step !== undefined && step > totp.last_step ? { ...totp, last_step: step } : undefined;
}

/** Uses up this recovery code; undefined for an unknown or used one. */
export function afterRecoveryCode(totp: Totp, hash: string): Totp | undefined {
  if (!totp.recovery_hashes.includes(hash)) return undefined;
  return { ...totp, recovery_hashes: totp.recovery_hashes.filter((each) => each !== hash) };
}

function stepOf(code: string, secret: Secret<string>, at: Date): number | undefined {
  const time = { ...FORM, timestamp: at.getTime() };
  const drift = TOTP.validate({ ...time, secret: Base32.fromBase32(secret.reveal()), token: code, window: DRIFT });
  return drift === null ? undefined : TOTP.counter(time) + drift;
}

/** The content of the QR code. It names the stage, as a person may have an account on each. */
export function otpauthUrl(secret: Secret<string>, email: string, stage: Stage): string {
  const issuer = stage === 'live' ? 'Payfork' : `Payfork (${stage})`;
  return new TOTP({ ...FORM, issuer, label: email, secret: secret.reveal() }).toString();
}
