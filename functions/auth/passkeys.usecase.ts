import { sendSecurityNotice } from '#functions/auth/auth-mails.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const listWebauthnCredentials = async (
  _input: unknown,
  caller: Caller,
  { passkeys }: Pick<Deps, 'passkeys'>,
) => ({
  credentials: await passkeys.listByUser(signedInUserOf(caller).userId),
});

type DeleteDeps = Pick<Deps, 'passkeys' | 'mail' | 'config' | 'log'>;

/**
 * Needs no code, even with a second factor on: deleting a passkey gives nobody access. Without a passkey the user can
 * still sign in with a mailed link.
 */
export async function deleteWebauthnCredential({ id }: { readonly id: string }, caller: Caller, deps: DeleteDeps) {
  if (!(await deps.passkeys.remove(signedInUserOf(caller).userId, id)))
    throw new AppError('not_found', 'You have no passkey with this id.');
  await sendSecurityNotice('passkey_removed', caller, deps);
  return { id, deleted: true as const };
}
