import { beginCeremony } from '#functions/auth/passkey/webauthn-ceremony.ts';
import { requestOptions } from '#shared/domain/accounts/passkey-options.rules.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** No user is named: the passkey tells who it is. */
export const beginWebauthnAuthentication = async (
  _input: unknown,
  _caller: Caller,
  deps: Pick<Deps, 'passkeys' | 'config' | 'clock'>,
) => requestOptions(await beginCeremony(null, deps));
