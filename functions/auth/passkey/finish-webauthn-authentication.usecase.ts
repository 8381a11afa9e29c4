import { type Entered, enter } from '#functions/auth/enter.ts';
import { decoyPasskey } from '#functions/auth/passkey/decoy-passkey.ts';
import { endCeremony } from '#functions/auth/passkey/webauthn-ceremony.ts';
import {
  type Authentication,
  type Ceremony,
  invalidPasskey,
  signedCounter,
} from '#functions/auth/passkey/webauthn-checks.ts';
import { signedIn } from '#functions/auth/signed-in.ts';
import { userHandle } from '#shared/domain/accounts/passkey-options.rules.ts';
import { inRounds } from '#shared/kernel/rounds.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'passkeys' | 'users' | 'owners' | 'organizations' | 'config' | 'clock'>;
type Input = Authentication & { readonly response: { readonly userHandle?: string | null | undefined } };

/** The device has verified the user, so no code is asked for. Of two signatures with the same counter one signs in. */
export async function finishWebauthnAuthentication(input: Input, _caller: Caller, deps: Needs) {
  const asked = await endCeremony(input.response.clientDataJSON, null, deps);
  const entered = await inRounds(
    () => enterBy(input, asked, deps),
    'Others signed in as this user at the same moment. Try again.',
  );
  return signedIn(entered, deps);
}

async function enterBy(input: Input, asked: Ceremony, deps: Needs): Promise<Entered | undefined> {
  const passkey = (await deps.passkeys.find(input.id)) ?? decoyPasskey(input.id);
  const { id, user_id } = passkey;
  const user = await deps.users.get(user_id);
  const counter = await signedCounter(input, passkey, asked);
  if (!user || input.response.userHandle !== userHandle(user)) throw invalidPasskey();
  return enter({ email: user.email, user, passkey: { id, user_id, counter } }, deps.clock.now(), deps);
}
