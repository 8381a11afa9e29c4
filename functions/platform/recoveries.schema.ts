import * as z from 'zod';
import { MAX_APPROVALS, RECOVERY_STATUSES, RECOVERY_WAIT } from '#shared/domain/accounts/recovery.model.ts';
import { isCreationPosition } from '#shared/domain/reference/page.rules.ts';
import { ANY_OFFSET, CountedPagination, IdParam, ListQuery, Text } from '#shared/http/schema/common.schema.ts';
import { HOUR } from '#shared/kernel/clock.ts';

export const RecoveryById = IdParam('user');

export const ListRecoveriesQuery = ListQuery(
  {},
  { isPosition: (position) => isCreationPosition(position, 'user'), maxOffset: ANY_OFFSET },
);
export type ListRecoveriesInput = z.output<typeof ListRecoveriesQuery>;

const RequestedAt = z
  .string('Must be the requested_at of the recovery that you reviewed.')
  .max(40, 'Must be the requested_at of the recovery that you reviewed.')
  .meta({ description: 'Of the request that you reviewed. Returns 409 if there is a newer one.' });

export const ApproveRecoveryBody = z.strictObject({ requested_at: RequestedAt }).meta({
  id: 'ApproveRecovery',
  description:
    `A recovery needs the approval of ${MAX_APPROVALS} administrators, or of the only one beside its user. ` +
    `After the last one, ${RECOVERY_WAIT / HOUR} hours pass before the user can finish it. ` +
    'First make sure, in another way than by email, that it is the user who asks.',
});
export const RejectRecoveryBody = z
  .strictObject({
    requested_at: RequestedAt,
    reason: Text(1_000).refine((text) => text.trim() !== '', 'Must give a reason.'),
  })
  .meta({ id: 'RejectRecovery', description: 'Also withdraws an approval. The audit log keeps `reason`.' });
export type ReviewRecoveryInput = z.output<typeof ApproveRecoveryBody> & { readonly id: string };

export const PlatformRecoveryReply = z
  .object({
    id: z.string().meta({ description: 'The id of the user.' }),
    email: z.string(),
    status: z.enum(RECOVERY_STATUSES),
    open: z.boolean().meta({ description: 'False once it is decided or finished, or has expired.' }),
    requested_at: z.string(),
    approvals: z.array(z.object({ user_id: z.string(), email: z.string(), approved_at: z.string() })).readonly(),
    usable_from: z.string().nullable(),
    expires_at: z.string(),
  })
  .meta({ id: 'PlatformRecovery', description: 'A request of a user who has lost the second factor and passkeys.' });

export const ListRecoveriesReply = z
  .object({ recoveries: z.array(PlatformRecoveryReply).readonly(), pagination: CountedPagination })
  .meta({ id: 'PlatformRecoveryList' });
