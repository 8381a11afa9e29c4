import { sendSecurityNotice } from '#functions/auth/auth-mails.ts';
import {
  consumeAppCode,
  consumeCode,
  invalidCode,
  newRecoveryCodes,
  newTotpSecret,
  recoveryHash,
  saveTotp,
  totpSealContext,
} from '#functions/auth/second-factor.ts';
import { normalizeCode, otpauthUrl } from '#shared/domain/accounts/totp.rules.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Creates the secret and the recovery codes. They count only after a code has proved that the authenticator app has the
 * secret. An earlier setup without that proof is replaced.
 */
export async function setUpTotp(_input: unknown, caller: Caller, deps: Pick<Deps, 'users' | 'vault' | 'config'>) {
  const user = await currentUser(caller, deps);
  if (hasTotp(user))
    throw new AppError('totp_enabled', 'Two-factor authentication is on. Turn it off before you set it up again.');
  const [secret, codes] = [newTotpSecret(), newRecoveryCodes()];
  const sealed = await deps.vault.seal(secret, totpSealContext(user.id));
  const recovery_hashes = codes.map((code) => recoveryHash(user.id, normalizeCode(code), deps.config));
  await saveTotp(user, { secret: sealed, enabled_at: null, last_step: 0, recovery_hashes }, deps);
  return {
    secret: secret.reveal(),
    otpauth_url: otpauthUrl(secret, user.email, deps.config.stage),
    recovery_codes: codes,
  };
}

type EnableDeps = Pick<Deps, 'users' | 'rates' | 'sessions' | 'vault' | 'config' | 'clock' | 'mail' | 'log'>;

/**
 * Accepts only a code of the app: a recovery code would not prove that the app has the secret. The user's other
 * sessions end first, so that none outlives a crash in between. After a concurrent sign-in this fails, as the user has
 * changed.
 */
export async function enableTotp({ code }: { readonly code: string }, caller: Caller, deps: EnableDeps) {
  const [user, at] = [await currentUser(caller, deps), deps.clock.now()];
  if (hasTotp(user)) throw new AppError('totp_enabled', 'Two-factor authentication is already on.');
  if (!user.totp) throw new AppError('totp_not_set_up', 'Set up two-factor authentication first.');
  const totp = (await consumeAppCode(user, code, at, deps))?.totp;
  if (!totp) throw invalidCode();
  const { userId, sessionHash } = signedInUserOf(caller);
  await deps.sessions.endAll(userId, sessionHash);
  await saveTotp(user, { ...totp, enabled_at: at.toISOString() }, deps);
  await sendSecurityNotice('totp_on', caller, deps);
  return { totp_enabled: true };
}

type DisableDeps = Pick<Deps, 'users' | 'rates' | 'vault' | 'config' | 'clock' | 'mail' | 'log'>;

/**
 * Needs a code: a stolen session alone must not remove the second factor. Deletes the secret and the recovery codes.
 */
export async function disableTotp({ code }: { readonly code: string }, caller: Caller, deps: DisableDeps) {
  const user = await currentUser(caller, deps);
  if (!hasTotp(user)) throw new AppError('totp_not_enabled', 'Two-factor authentication is off.');
  if (!(await consumeCode(user, code, deps.clock.now(), deps))) throw invalidCode();
  await saveTotp(user, null, deps);
  await sendSecurityNotice('totp_off', caller, deps);
  return { totp_enabled: false };
}

export const currentUser = async (caller: Caller, { users }: Pick<Deps, 'users'>): Promise<User> =>
  orNotFound(await users.get(signedInUserOf(caller).userId), 'This user does not exist.');
