import type { LogOutInput } from '#functions/auth/auth.schema.ts';
import { type ViewDeps, viewSession } from '#functions/auth/session-response.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Ends the session, not only the cookie, so that a stolen copy of the cookie is worthless. */
export async function logOut({ everywhere }: LogOutInput, caller: Caller, { sessions }: Pick<Deps, 'sessions'>) {
  const { userId, sessionHash } = signedInUserOf(caller);
  await (everywhere ? sessions.endAll(userId) : sessions.end(userId, sessionHash));
  return { signed_out: true as const };
}

/** Lets a reloaded dashboard find out who is signed in: its script cannot read the cookie. */
export const getSession = (_input: unknown, caller: Caller, deps: ViewDeps) => {
  const { userId, endsAt } = signedInUserOf(caller);
  return viewSession({ user_id: userId, ends_at: endsAt }, deps);
};
