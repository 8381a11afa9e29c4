import { prepareSecurityNotice, sendSecurityNotice } from '#functions/auth/auth-mails.ts';
import { newSession } from '#functions/auth/create-session.ts';
import {
  consumeAppCode,
  consumeCode,
  invalidCode,
  newRecoveryCodes,
  newTotpSecret,
  recoveryHash,
  saveTotp,
  totpSealContext,
  userChanged,
} from '#functions/auth/second-factor.ts';
import { creatorOf } from '#shared/domain/accounts/organization-audit.rules.ts';
import { normalizeCode, otpauthUrl } from '#shared/domain/accounts/totp.rules.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { signInAudit } from '#shared/services/accounts/sign-in-audit.service.ts';

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
  const totp = { secret: sealed, created_by: creatorOf(caller), enabled_at: null, last_step: 0, recovery_hashes };
  await saveTotp(user, totp, deps);
  return {
    secret: secret.reveal(),
    otpauth_url: otpauthUrl(secret, user.email, deps.config.stage),
    recovery_codes: codes,
  };
}

type NoticeDeps = Pick<Deps, 'mail' | 'log' | 'undoLinks'>;
type EnableDeps = NoticeDeps & Pick<Deps, 'users' | 'rates' | 'sessions' | 'vault' | 'config' | 'clock'>;

/**
 * Accepts only a code of the app: a recovery code would not prove that the app has the secret. The user's other
 * sessions end first, so that none outlives a crash in between. This one gets a new cookie with the change: a copy of
 * the old one, which needed no second factor, opens nothing any more. After a concurrent sign-in this fails, as the
 * user has changed.
 */
export async function enableTotp({ code }: { readonly code: string }, caller: Caller, deps: EnableDeps) {
  const [user, at] = [await currentUser(caller, deps), deps.clock.now()];
  if (hasTotp(user)) throw new AppError('totp_enabled', 'Two-factor authentication is already on.');
  if (!user.totp) throw new AppError('totp_not_set_up', 'Set up two-factor authentication first.');
  const totp = (await consumeAppCode(user, code, at, deps))?.totp;
  if (!totp) throw invalidCode();
  const { userId, sessionHash, endsAt } = signedInUserOf(caller);
  const enabled_at = at.toISOString();
  const notice = await prepareSecurityNotice({ kind: 'totp_on', enabled_at }, caller, deps);
  await deps.sessions.endAll(userId, sessionHash);
  const { session, cookie } = newSession(user, 'totp', at, deps.config.hashSecret, endsAt);
  const changed = { ...user, totp: { ...totp, enabled_at }, version: user.version + 1 };
  const audits = await signInAudit('second_factor_enabled', userId, caller, caller.operation, deps);
  const isSaved = await deps.sessions.renew(changed, { ...session, hash: sha256Hex(cookie) }, sessionHash, audits);
  if (!isSaved) throw userChanged();
  await sendSecurityNotice(notice, deps);
  return { totp_enabled: true, cookie };
}

type DisableDeps = NoticeDeps & Pick<Deps, 'users' | 'rates' | 'vault' | 'config' | 'clock'>;

/**
 * Needs a code: a stolen session alone must not remove the second factor. The secret and the unused recovery codes
 * remain, sealed and hashed, in the record of the link that undoes this, and are deleted with it.
 */
export async function disableTotp({ code }: { readonly code: string }, caller: Caller, deps: DisableDeps) {
  const user = await currentUser(caller, deps);
  if (!hasTotp(user)) throw new AppError('totp_not_enabled', 'Two-factor authentication is off.');
  const totp = (await consumeCode(user, code, deps.clock.now(), deps))?.totp;
  if (!totp) throw invalidCode();
  const notice = await prepareSecurityNotice({ kind: 'totp_off', totp }, caller, deps);
  const audits = await signInAudit('second_factor_disabled', user.id, caller, caller.operation, deps);
  await saveTotp(user, null, deps, audits);
  await sendSecurityNotice(notice, deps);
  return { totp_enabled: false };
}

export const currentUser = async (caller: Caller, { users }: Pick<Deps, 'users'>): Promise<User> =>
  orNotFound(await users.get(signedInUserOf(caller).userId), 'This user does not exist.');
