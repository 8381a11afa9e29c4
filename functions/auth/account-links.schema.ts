import * as z from 'zod';
import { Token } from '#functions/auth/auth.schema.ts';
import { RECOVERY_STATUSES, RECOVERY_WAIT } from '#shared/domain/accounts/recovery.model.ts';
import { HOUR } from '#shared/kernel/clock.ts';

const UNDO_MESSAGE = 'Must be the token of a link that undoes a change.';
export const UndoBody = z
  .strictObject({ token: z.string(UNDO_MESSAGE).max(200, UNDO_MESSAGE) })
  .meta({ id: 'UndoChange', description: 'The token of the link in the mail about the change.' });

export const UndoneReply = z
  .object({ undone: z.enum(['passkey_added', 'passkey_removed', 'totp_on', 'totp_off']) })
  .meta({ id: 'ChangeUndone', description: 'The change that was undone. All sessions of the user have ended.' });

export const RequestRecoveryBody = z.strictObject({ token: Token }).meta({
  id: 'RequestRecovery',
  description: 'The token of a sign-in link, which is used up. It shows that the mailbox is yours.',
});

const RECOVERY_MESSAGE = 'Must be the token of an email about the recovery.';
export const RecoveryTokenBody = z
  .strictObject({ token: z.string(RECOVERY_MESSAGE).max(200, RECOVERY_MESSAGE) })
  .meta({ id: 'RecoveryToken', description: 'The token of the links in the email about the request.' });

export const RecoveryReply = z
  .object({
    status: z.enum(RECOVERY_STATUSES),
    requested_at: z.string(),
    usable_from: z
      .string()
      .nullable()
      .meta({ description: 'When the waiting time ends. `null` until the recovery is approved.' }),
    expires_at: z.string(),
  })
  .meta({
    id: 'Recovery',
    description:
      'A way back for users who have lost the second factor and passkeys. Administrators of the platform approve it; ' +
      `${RECOVERY_WAIT / HOUR} hours later it can be finished.`,
  });
