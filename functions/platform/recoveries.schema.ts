import * as z from 'zod';
import { RECOVERY_STATUSES } from '#shared/domain/accounts/recovery.model.ts';
import { isCreationPosition } from '#shared/domain/reference/page.rules.ts';
import { ANY_OFFSET, CountedPagination, IdParam, ListQuery, Text } from '#shared/http/schema/common.schema.ts';

export const RecoveryById = IdParam('user');

export const ListRecoveriesQuery = ListQuery(
  {},
  { isPosition: (position) => isCreationPosition(position, 'user'), maxOffset: ANY_OFFSET },
);
export type ListRecoveriesInput = z.output<typeof ListRecoveriesQuery>;

const RequestedAt = z
  .string('Must be the requested_at of the recovery that you reviewed.')
  .max(40, 'Must be the requested_at of the recovery that you reviewed.');

export const ApproveRecoveryBody = z.strictObject({ requested_at: RequestedAt }).meta({ id: 'ApproveRecovery' });
export const RejectRecoveryBody = z
  .strictObject({
    requested_at: RequestedAt,
    reason: Text(1_000).refine((text) => text.trim() !== '', 'Must give a reason.'),
  })
  .meta({ id: 'RejectRecovery' });
export type ReviewRecoveryInput = z.output<typeof ApproveRecoveryBody> & { readonly id: string };

export const PlatformRecoveryReply = z
  .object({
    id: z.string(),
    email: z.string(),
    status: z.enum(RECOVERY_STATUSES),
    open: z.boolean(),
    requested_at: z.string(),
    approvals: z.array(z.object({ user_id: z.string(), email: z.string(), approved_at: z.string() })).readonly(),
    usable_from: z.string().nullable(),
    expires_at: z.string(),
  })
  .meta({ id: 'PlatformRecovery' });

export const ListRecoveriesReply = z
  .object({ recoveries: z.array(PlatformRecoveryReply).readonly(), pagination: CountedPagination })
  .meta({ id: 'PlatformRecoveryList' });
