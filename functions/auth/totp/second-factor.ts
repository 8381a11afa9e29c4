import { recoveryHash, totpPlace } from '#functions/auth/totp/totp-secret.ts';
import { afterAppCode, afterRecoveryCode, isAppCode, plainCode } from '#shared/domain/totp.rules.ts';
import type { User } from '#shared/domain/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'keys' | 'vault' | 'config'>;

/** The user with this code used up, so that it works once; undefined for a wrong one. */
export async function useCode(user: User, typed: string, at: Date, deps: Needs): Promise<User | undefined> {
  const code = plainCode(typed);
  if (isAppCode(code)) return useAppCode(user, code, at, deps);
  const totp = user.totp && afterRecoveryCode(user.totp, recoveryHash(user.id, code, deps.config));
  return totp ? { ...user, totp } : undefined;
}

/** The same, where only the authenticator app proves anything. */
export async function useAppCode(user: User, typed: string, at: Date, { keys, vault }: Needs): Promise<User | undefined> {
  const code = plainCode(typed);
  if (!user.totp || !isAppCode(code)) return undefined;
  await refuseGuessing(user, at, keys);
  const totp = afterAppCode(user.totp, await vault.open(user.totp.secret, totpPlace(user.id)), code, at);
  return totp && { ...user, totp };
}

/**
 * A link takes 5 wrong codes, but there is always another link, and many may be tried at once. So each try counts for the
 * user before it is looked at, whatever becomes of it. Whoever uses a user's tries up locks nobody out: recovery codes pass.
 */
async function refuseGuessing({ id }: User, at: Date, keys: Needs['keys']): Promise<void> {
  const { full } = await keys.countCode(id, at);
  if (full) throw new AppError('rate_limited', `Too many codes were tried. Use a recovery code, or try again in ${full.retryAfter} s.`, full);
}
