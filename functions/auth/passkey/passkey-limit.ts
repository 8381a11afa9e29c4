import { MOST_PASSKEYS, type Passkey } from '#shared/domain/accounts/passkey.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

export function refuseOneMore(known: readonly Passkey[]): void {
  if (known.length >= MOST_PASSKEYS)
    throw new AppError('passkey_limit', `A user has at most ${MOST_PASSKEYS} passkeys. Remove one first.`);
}
