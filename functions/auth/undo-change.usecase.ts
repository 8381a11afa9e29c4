import { sendUndoneNotice } from '#functions/auth/auth-mails.ts';
import { isSignInToken, type UndoLink } from '#shared/domain/accounts/sign-in.model.ts';
import { undoing } from '#shared/domain/accounts/undo.rules.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { type Operation, unkeyedOperation } from '#shared/kernel/operation.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { signInAudit } from '#shared/services/accounts/sign-in-audit.service.ts';

type UndoDeps = Pick<Deps, 'undoLinks' | 'users' | 'passkeys' | 'sessions' | 'mail' | 'config' | 'log' | 'clock'>;

/** Undoes a change of how a user signs in, with the link of the mail about it, and signs everyone out. */
export async function undoChange({ token }: { readonly token: string }, _caller: Caller, deps: UndoDeps) {
  const at = deps.clock.now();
  const link = isSignInToken(token) ? await deps.undoLinks.get(sha256Hex(token), at) : undefined;
  if (!link) throw new AppError('invalid_link', 'This link has expired or was already used.');
  const email = await retryOnConflict(
    () => undo(link, at, deps),
    'This user is being changed by other requests. Try again.',
  );
  await sendUndoneNotice(link.change.kind, email, deps);
  return { undone: link.change.kind };
}

/**
 * The sessions end first: if the process crashes in between, the link still works. A sign-in after that changes the
 * user, and then all of this begins again, so that no session outlives the undo. Undefined after a lost race.
 */
async function undo(link: UndoLink, at: Date, deps: UndoDeps): Promise<string | undefined> {
  const [found, passkeys] = await Promise.all([deps.users.get(link.user_id), deps.passkeys.listByUser(link.user_id)]);
  const user = orNotFound(found, 'This user does not exist.');
  const { totp, ...passkeyChanges } = undoing(link.change, user, passkeys);
  await deps.sessions.endAll(user.id);
  const changed = { ...user, totp, version: user.version + 1 };
  const audits = await undoAudit(link, unkeyedOperation(at), deps);
  if (await deps.undoLinks.use({ link, user: changed, ...passkeyChanges }, at, audits)) return user.email;
  if (await deps.undoLinks.get(link.hash, at)) return undefined;
  throw new AppError('invalid_link', 'This link has expired or was already used.');
}

const UNDONE_AS = {
  passkey_added: 'passkey_removed',
  passkey_removed: 'passkey_added',
  totp_on: 'second_factor_disabled',
  totp_off: 'second_factor_enabled',
} as const satisfies Record<UndoLink['change']['kind'], string>;

/** The link was mailed to the user, so they act; there is no session. */
const undoAudit = ({ user_id, change }: UndoLink, operation: Operation, deps: Pick<Deps, 'users'>) =>
  signInAudit(UNDONE_AS[change.kind], user_id, { credentialId: user_id, actorId: null }, operation, deps);
