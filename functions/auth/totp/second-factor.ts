import { recoveryHash, totpPlace } from '#functions/auth/totp/totp-secret.ts';
import { afterAppCode, afterRecoveryCode, isAppCode, plainCode } from '#shared/domain/accounts/totp.rules.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'rates' | 'vault' | 'config'>;

/** Uses up this code on the user; undefined for a wrong one. */
export async function useCode(user: User, typed: string, at: Date, deps: Needs): Promise<User | undefined> {
  const code = plainCode(typed);
  if (isAppCode(code)) return useAppCode(user, code, at, deps);
  const totp = user.totp && afterRecoveryCode(user.totp, recoveryHash(user.id, code, deps.config));
  return totp ? { ...user, totp } : undefined;
}

/** The same, for the authenticator app's codes only. */
export async function useAppCode(
  user: User,
  typed: string,
  at: Date,
  { rates, vault }: Needs,
): Promise<User | undefined> {
  const code = plainCode(typed);
  if (!user.totp || !isAppCode(code)) return undefined;
  await refuseGuessing(user, at, rates);
  const totp = afterAppCode(user.totp, await vault.open(user.totp.secret, totpPlace(user.id)), code, at);
  return totp && { ...user, totp };
}

/**
 * A link takes 5 wrong codes, but new links can be requested, and many be tried at once. So each try is counted for the
 * user before it is checked. Exhausting a user's tries locks nobody out: recovery codes still pass.
 */
async function refuseGuessing({ id }: User, at: Date, rates: Needs['rates']): Promise<void> {
  const { full } = await rates.countCode(id, at);
  if (full)
    throw new AppError(
      'rate_limited',
      `Too many codes were tried. Use a recovery code, or try again in ${full.retryAfter} s.`,
      full,
    );
}
