import type { User } from '#shared/domain/accounts/user.model.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const currentUser = async (caller: Caller, { users }: Pick<Deps, 'users'>): Promise<User> =>
  orNotFound(await users.get(signedInUserOf(caller).userId), 'This user does not exist.');
