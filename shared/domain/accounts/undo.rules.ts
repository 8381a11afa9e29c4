import { MAX_PASSKEYS, type Passkey } from '#shared/domain/accounts/passkey.model.ts';
import type { SecurityChange } from '#shared/domain/accounts/sign-in.model.ts';
import { hasTotp, type Totp, type User } from '#shared/domain/accounts/user.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** What undoing a change changes; nothing where somebody undid it already. */
export type Undoing = {
  readonly totp: Totp | null;
  readonly addedPasskey?: Passkey;
  readonly removedPasskeyId?: string;
};

/** How to undo this change of how the user signs in. */
export function undoing(change: SecurityChange, user: User, passkeys: readonly Passkey[]): Undoing {
  const { totp } = user;
  switch (change.kind) {
    case 'passkey_added':
      return { totp, removedPasskeyId: change.passkey_id };
    case 'passkey_removed':
      return { totp, ...passkeyToRestore(change.passkey, passkeys) };
    case 'totp_on':
      return { totp: isSetUpSince(totp, change.enabled_at) ? null : totp };
    case 'totp_off':
      return { totp: totpToRestore(change.totp, user) };
  }
}

/** A later setup is undone as well: a thief may have turned it off and on again. An earlier one was restored. */
const isSetUpSince = (totp: Totp | null, enabledAt: string): boolean => (totp?.enabled_at ?? '') >= enabledAt;

function totpToRestore(totp: Totp, user: User): Totp {
  if (!hasTotp(user)) return totp;
  throw new AppError(
    'totp_enabled',
    'Two-factor authentication was turned on again since. Undo that first, with the link in the email about it.',
  );
}

function passkeyToRestore(passkey: Passkey, existing: readonly Passkey[]): Pick<Undoing, 'addedPasskey'> {
  if (existing.some(({ id }) => id === passkey.id)) return {};
  if (existing.length < MAX_PASSKEYS) return { addedPasskey: passkey };
  throw new AppError('passkey_limit', `A user can have at most ${MAX_PASSKEYS} passkeys. Delete one first.`);
}
