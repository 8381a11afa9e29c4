import type { User } from '#shared/domain/accounts/user.model.ts';
import { need } from '#shared/kernel/errors.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const userWhoAsks = async (caller: Caller, { users }: Pick<Deps, 'users'>): Promise<User> =>
  need(await users.get(personOf(caller).userId), 'There is no such user.');
