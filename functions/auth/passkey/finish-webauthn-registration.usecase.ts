import { tellOfChange } from '#functions/auth/notice-mail.ts';
import { refuseOneMore } from '#functions/auth/passkey/passkey-limit.ts';
import { endCeremony } from '#functions/auth/passkey/webauthn-ceremony.ts';
import { invalidPasskey, newCredential, type Registration } from '#functions/auth/passkey/webauthn-checks.ts';
import { userWhoAsks } from '#functions/auth/user-who-asks.ts';
import type { Passkey } from '#shared/domain/accounts/passkey.model.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'users' | 'passkeys' | 'config' | 'clock' | 'mail' | 'log'>;
type Input = Registration & {
  readonly name?: string | null | undefined;
  readonly response: { readonly transports?: readonly string[] | null | undefined };
};

export async function finishWebauthnRegistration(input: Input, caller: Caller, deps: Needs): Promise<Passkey> {
  const { userId: user_id } = personOf(caller);
  const asked = await endCeremony(input.response.clientDataJSON, user_id, deps);
  const passkey: Passkey = {
    ...(await newCredential(input, asked)),
    user_id,
    name: input.name ?? null,
    transports: input.response.transports ?? [],
    created_at: deps.clock.now().toISOString(),
    last_used_at: null,
  };
  await add(passkey, caller, deps);
  await tellOfChange('passkey_added', caller, deps);
  return passkey;
}

/** Of two concurrent registrations the second sees the first in its count. */
const add = (passkey: Passkey, caller: Caller, deps: Needs): Promise<'done'> =>
  inRounds(async () => {
    const user = await userWhoAsks(caller, deps);
    refuseOneMore(await deps.passkeys.listOf(user.id));
    const added = await deps.passkeys.add(passkey, user);
    if (added === 'taken') throw invalidPasskey();
    return added === 'done' ? added : undefined;
  }, 'Something else changed this user at the same moment. Try again.');
