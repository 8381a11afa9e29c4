import { tellOfChange } from '#functions/auth/notice-mail.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'passkeys' | 'mail' | 'config' | 'log'>;

/**
 * The passkey no longer signs in. A session is enough, also with a second factor on: deleting opens no way in, and
 * after the last passkey the mailed link remains.
 */
export async function deleteWebauthnCredential({ id }: { readonly id: string }, caller: Caller, deps: Needs) {
  if (!(await deps.passkeys.remove(personOf(caller).userId, id)))
    throw new AppError('not_found', 'You have no such passkey.');
  await tellOfChange('passkey_removed', caller, deps);
  return { id, deleted: true as const };
}
