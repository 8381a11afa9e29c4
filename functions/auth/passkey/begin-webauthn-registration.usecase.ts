import { refuseOneMore } from '#functions/auth/passkey/passkey-limit.ts';
import { beginCeremony } from '#functions/auth/passkey/webauthn-ceremony.ts';
import { codeMissing, wrongCode } from '#functions/auth/totp/code-refusals.ts';
import { saveTotp } from '#functions/auth/totp/save-totp.ts';
import { useCode } from '#functions/auth/totp/second-factor.ts';
import { userWhoAsks } from '#functions/auth/user-who-asks.ts';
import { creationOptions } from '#shared/domain/accounts/passkey-options.rules.ts';
import { hasTotp, type User } from '#shared/domain/accounts/user.model.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'users' | 'passkeys' | 'rates' | 'vault' | 'config' | 'clock'>;
type Input = { readonly code?: string | undefined };

/** A device that has a passkey of this user already makes no second one. */
export async function beginWebauthnRegistration({ code }: Input, caller: Caller, deps: Needs) {
  const user = await userWhoAsks(caller, deps);
  const known = await deps.passkeys.listOf(user.id);
  refuseOneMore(known);
  if (hasTotp(user)) await useUp(code, user, deps);
  return creationOptions(await beginCeremony(user.id, deps), user, known, deps.config.stage);
}

/**
 * A passkey signs in without a code. If a session sufficed to add one, a stolen session would get past the second
 * factor for good.
 */
async function useUp(code: string | undefined, user: User, deps: Needs): Promise<void> {
  if (code === undefined) throw codeMissing();
  const used = await useCode(user, code, deps.clock.now(), deps);
  if (!used) throw wrongCode();
  await saveTotp(user, used.totp, deps);
}
