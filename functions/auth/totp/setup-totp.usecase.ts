import { saveTotp } from '#functions/auth/totp/save-totp.ts';
import { freshRecoveryCodes, freshTotpSecret, recoveryHash, totpPlace } from '#functions/auth/totp/totp-secret.ts';
import { userWhoAsks } from '#functions/auth/user-who-asks.ts';
import { otpauthUrl, plainCode } from '#shared/domain/accounts/totp.rules.ts';
import { hasTotp } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/**
 * Codes are asked for only once one has shown that the app has the secret. An earlier unconfirmed setup is replaced.
 */
export async function setUpTotp(_input: unknown, caller: Caller, deps: Pick<Deps, 'users' | 'vault' | 'config'>) {
  const user = await userWhoAsks(caller, deps);
  if (hasTotp(user))
    throw new AppError('totp_enabled', 'Two-factor authentication is on. Turn it off before setting it up anew.');
  const [secret, codes] = [freshTotpSecret(), freshRecoveryCodes()];
  const sealed = await deps.vault.seal(secret, totpPlace(user.id));
  const recovery_hashes = codes.map((code) => recoveryHash(user.id, plainCode(code), deps.config));
  await saveTotp(user, { secret: sealed, enabled_at: null, last_step: 0, recovery_hashes }, deps);
  return {
    secret: secret.reveal(),
    otpauth_url: otpauthUrl(secret, user.email, deps.config.stage),
    recovery_codes: codes,
  };
}
