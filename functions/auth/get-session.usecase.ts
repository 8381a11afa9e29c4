import { showSession } from '#functions/auth/signed-in.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** For a dashboard that is reloaded: its script cannot read the cookie. */
export const getSession = (_input: unknown, caller: Caller, deps: Pick<Deps, 'users' | 'organizations'>) => {
  const { userId, endsAt } = personOf(caller);
  return showSession({ user_id: userId, ends_at: endsAt }, deps);
};
