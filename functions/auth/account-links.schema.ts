import * as z from 'zod';
import { Token } from '#functions/auth/auth.schema.ts';
import { RECOVERY_STATUSES } from '#shared/domain/accounts/recovery.model.ts';

const UNDO_MESSAGE = 'Must be the token of a link that undoes a change.';
export const UndoBody = z
  .strictObject({ token: z.string(UNDO_MESSAGE).max(200, UNDO_MESSAGE) })
  .meta({ id: 'UndoChange' });

export const UndoneReply = z
  .object({ undone: z.enum(['passkey_added', 'passkey_removed', 'totp_on', 'totp_off']) })
  .meta({ id: 'ChangeUndone' });

export const RequestRecoveryBody = z.strictObject({ token: Token }).meta({ id: 'RequestRecovery' });

const RECOVERY_MESSAGE = 'Must be the token of an email about the recovery.';
export const RecoveryTokenBody = z
  .strictObject({ token: z.string(RECOVERY_MESSAGE).max(200, RECOVERY_MESSAGE) })
  .meta({ id: 'RecoveryToken' });

export const RecoveryReply = z
  .object({
    status: z.enum(RECOVERY_STATUSES),
    requested_at: z.string(),
    usable_from: z.string().nullable(),
    expires_at: z.string(),
  })
  .meta({ id: 'Recovery' });
