import { prepareSecurityNotice, sendSecurityNotice } from '#functions/auth/auth-mails.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type Caller, signedInUserOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { signInAudit } from '#shared/services/accounts/sign-in-audit.service.ts';

export const listWebauthnCredentials = async (
  _input: unknown,
  caller: Caller,
  { passkeys }: Pick<Deps, 'passkeys'>,
) => ({
  credentials: await passkeys.listByUser(signedInUserOf(caller).userId),
});

type DeleteDeps = Pick<Deps, 'users' | 'passkeys' | 'mail' | 'config' | 'log' | 'undoLinks' | 'clock'>;

/** Needs no code beside the fresh proof. Without a passkey the user can still sign in with a mailed link. */
export async function deleteWebauthnCredential({ id }: { readonly id: string }, caller: Caller, deps: DeleteDeps) {
  const { userId } = signedInUserOf(caller);
  const passkey = (await deps.passkeys.listByUser(userId)).find((each) => each.id === id);
  if (!passkey) throw noPasskey();
  const notice = await prepareSecurityNotice({ kind: 'passkey_removed', passkey }, caller, deps);
  const audits = await signInAudit('passkey_removed', userId, caller, caller.operation, deps);
  if (!(await deps.passkeys.remove(userId, id, audits))) throw noPasskey();
  await sendSecurityNotice(notice, deps);
  return { id, deleted: true as const };
}

const noPasskey = (): AppError => new AppError('not_found', 'You have no passkey with this id.');
