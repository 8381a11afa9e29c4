import { tellOfChange } from '#functions/auth/notice-mail.ts';
import { wrongCode } from '#functions/auth/totp/code-refusals.ts';
import { saveTotp } from '#functions/auth/totp/save-totp.ts';
import { useAppCode } from '#functions/auth/totp/second-factor.ts';
import { userWhoAsks } from '#functions/auth/user-who-asks.ts';
import { hasTotp } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'users' | 'rates' | 'sessions' | 'vault' | 'config' | 'clock' | 'mail' | 'log'>;

/**
 * Takes an app code only, as a recovery code would not show that the app has the secret; the code is used up. Sessions
 * without a second factor end before it is switched on, so that none outlives a crash in between. A concurrent sign-in
 * changes the user, and this is refused.
 */
export async function enableTotp({ code }: { readonly code: string }, caller: Caller, deps: Needs) {
  const [user, at] = [await userWhoAsks(caller, deps), deps.clock.now()];
  if (hasTotp(user)) throw new AppError('totp_enabled', 'Two-factor authentication is on already.');
  if (!user.totp) throw new AppError('totp_not_set_up', 'Set two-factor authentication up first.');
  const totp = (await useAppCode(user, code, at, deps))?.totp;
  if (!totp) throw wrongCode();
  const { userId, sessionHash } = personOf(caller);
  await deps.sessions.endAll(userId, sessionHash);
  await saveTotp(user, { ...totp, enabled_at: at.toISOString() }, deps);
  await tellOfChange('totp_on', caller, deps);
  return { totp_enabled: true };
}
