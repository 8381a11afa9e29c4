import type { LogOutInput } from '#functions/auth/auth.schema.ts';
import { signedOut } from '#functions/auth/signed-in.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Ends the session itself and not only the cookie, so that a stolen copy of it is worthless. */
export async function logOut({ everywhere }: LogOutInput, caller: Caller, { sessions }: Pick<Deps, 'sessions'>) {
  const { userId, sessionHash } = personOf(caller);
  await (everywhere ? sessions.endAll(userId) : sessions.end(userId, sessionHash));
  return signedOut();
}
