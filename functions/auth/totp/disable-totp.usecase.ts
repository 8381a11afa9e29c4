import { tellOfChange } from '#functions/auth/notice-mail.ts';
import { wrongCode } from '#functions/auth/totp/code-refusals.ts';
import { saveTotp } from '#functions/auth/totp/save-totp.ts';
import { useCode } from '#functions/auth/totp/second-factor.ts';
import { userWhoAsks } from '#functions/auth/user-who-asks.ts';
import { hasTotp } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'users' | 'rates' | 'vault' | 'config' | 'clock' | 'mail' | 'log'>;

/**
 * Needs a code as well: a stolen session alone must not remove the second factor. Secret and recovery codes are deleted
 * with it.
 */
export async function disableTotp({ code }: { readonly code: string }, caller: Caller, deps: Needs) {
  const user = await userWhoAsks(caller, deps);
  if (!hasTotp(user)) throw new AppError('totp_not_enabled', 'Two-factor authentication is not on.');
  if (!(await useCode(user, code, deps.clock.now(), deps))) throw wrongCode();
  await saveTotp(user, null, deps);
  await tellOfChange('totp_off', caller, deps);
  return { totp_enabled: false };
}
