import { createSession, type NewSession } from '#functions/auth/create-session.ts';
import { sessionResponse } from '#functions/auth/session-response.ts';
import {
  type Authentication,
  type Ceremony,
  consumeChallenge,
  invalidPasskey,
  issueChallenge,
  verifySignature,
} from '#functions/auth/verify-passkey.ts';
import type { Passkey, PasskeyUse } from '#shared/domain/accounts/passkey.model.ts';
import { requestOptions, userHandle } from '#shared/domain/accounts/passkey.rules.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The request names no user: the passkey identifies the user. */
export const beginWebauthnAuthentication = async (
  _input: unknown,
  _caller: Caller,
  deps: Pick<Deps, 'passkeys' | 'config' | 'clock'>,
) => requestOptions(await issueChallenge(null, deps));

type FinishDeps = Pick<Deps, 'passkeys' | 'users' | 'owners' | 'organizations' | 'config' | 'clock'>;
export type FinishInput = Authentication & { readonly response: { readonly userHandle?: string | null | undefined } };

/** Needs no code, as the device has verified the user. Of two signatures with the same counter one signs in. */
export async function finishWebauthnAuthentication(input: FinishInput, caller: Caller, deps: FinishDeps) {
  const ceremony = await consumeChallenge(input.response.clientDataJSON, null, deps);
  const session = await retryOnConflict(
    () => signInWithPasskey(input, ceremony, deps),
    'Another sign-in of this user is in progress. Try again.',
  );
  return sessionResponse(session, caller, deps);
}

async function signInWithPasskey(
  input: FinishInput,
  ceremony: Ceremony,
  deps: FinishDeps,
): Promise<NewSession | undefined> {
  const { user, passkey } = await verifyPasskey(input, ceremony, deps);
  return createSession({ email: user.email, method: 'passkey', user, passkey }, deps.clock.now(), deps);
}

/** Whose passkey has signed, and the use of it, to be written by the caller. */
export async function verifyPasskey(
  input: FinishInput,
  ceremony: Ceremony,
  { passkeys, users }: Pick<Deps, 'passkeys' | 'users'>,
): Promise<{ readonly user: User; readonly passkey: PasskeyUse }> {
  const passkey = (await passkeys.find(input.id)) ?? decoyPasskey(input.id);
  const { id, user_id } = passkey;
  const user = await users.get(user_id);
  const counter = await verifySignature(input, passkey, ceremony);
  if (!user || input.response.userHandle !== userHandle(user)) throw invalidPasskey();
  return { user, passkey: { id, user_id, counter } };
}

/** A well-formed id that no user has. */
const UNKNOWN_USER = 'usr_00000000000000000000000000';

/** A point on P-256 whose private key was discarded. Even a signature with it would sign in no user. */
const DECOY_PUBLIC_KEY =
  'pQECAyYgASFYIEP2tqmflRx41sC77t1AbWuXLneZDUtE63oZqTWbTR2ZIlggyzTQFXNIxz-A6wI2u6qwXCKBuorKaxGJ2XHuhei0BTY';

/** Verified in place of a passkey that does not exist. Otherwise the response time would reveal which ones do. */
const decoyPasskey = (id: string): Passkey => ({
  id,
  user_id: UNKNOWN_USER,
  name: null,
  public_key: DECOY_PUBLIC_KEY,
  counter: 0,
  transports: [],
  created_at: '1970-01-01T00:00:00.000Z',
  created_by: null,
  last_used_at: null,
});
