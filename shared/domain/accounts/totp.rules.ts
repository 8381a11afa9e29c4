import { Secret as Base32, TOTP } from 'otpauth';
import type { Totp } from '#shared/domain/accounts/user.model.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import { toAsciiDigits } from '#shared/kernel/text.ts';

/** The settings that every authenticator app supports. Some support nothing else. */
const TOTP_SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Codes of this many steps before and after the current one are accepted, as clocks differ. */
const MAX_DRIFT_STEPS = 1;

/**
 * Ignores spaces, dashes, invisible characters and case in a typed code. Digits of other scripts and full-width letters
 * are the same ones: people type what their keyboard has.
 */
export const normalizeCode = (typed: string): string =>
  toAsciiDigits(typed.normalize('NFKC'))
    .replace(/[\s\p{Dash}\p{Cf}]/gu, '')
    .toUpperCase();

/** A code of the app has six digits. Any other is a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code);

/** Uses up the code's time step and all earlier ones. Undefined for a wrong or used code. */
export function acceptAppCode(totp: Totp, secret: Secret<string>, code: string, at: Date): Totp | undefined {
  const step = stepOf(code, secret, at);
  return step !== undefined && step > totp.last_step ? { ...totp, last_step: step } : undefined;
}

/** Uses up a recovery code. `isCode` knows it by its stored hash. Undefined for an unknown or used one. */
export function acceptRecoveryCode(totp: Totp, isCode: (stored: string) => boolean): Totp | undefined {
  const left = totp.recovery_hashes.filter((stored) => !isCode(stored));
  return left.length === totp.recovery_hashes.length ? undefined : { ...totp, recovery_hashes: left };
}

function stepOf(code: string, secret: Secret<string>, at: Date): number | undefined {
  const time = { ...TOTP_SETTINGS, timestamp: at.getTime() };
  const drift = TOTP.validate({
    ...time,
    secret: Base32.fromBase32(secret.reveal()),
    token: code,
    window: MAX_DRIFT_STEPS,
  });
  return drift === null ? undefined : TOTP.counter(time) + drift;
}

/** The content of the QR code. It names the stage, as a person may use both stages. */
export function otpauthUrl(secret: Secret<string>, email: string, stage: Stage): string {
  const issuer = stage === 'live' ? 'Payfork' : `Payfork (${stage})`;
  return new TOTP({ ...TOTP_SETTINGS, issuer, label: email, secret: secret.reveal() }).toString();
}
