import type { Totp, User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Fails if the user has changed since it was read: of two requests with the same code one succeeds. */
export async function saveTotp(user: User, totp: Totp | null, { users }: Pick<Deps, 'users'>): Promise<void> {
  if (await users.save({ ...user, totp, version: user.version + 1 })) return;
  throw new AppError('write_conflict', 'Something else changed this user at the same moment. Try again.');
}
