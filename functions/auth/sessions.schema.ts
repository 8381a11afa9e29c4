import * as z from 'zod';
import { PROOF_METHODS } from '#shared/domain/accounts/sign-in.model.ts';
import { ANY_OFFSET, CountedPagination, IdParam, ListQuery } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const SessionById = IdParam('session');

export const ListSessionsQuery = ListQuery(
  {},
  { isPosition: (position) => isId('session', position), maxOffset: ANY_OFFSET },
);
export type ListSessionsInput = z.output<typeof ListSessionsQuery>;

const UserSessionReply = z
  .object({
    id: z.string(),
    current: z.boolean(),
    created_at: z.string(),
    last_used_at: z.string(),
    expires_at: z.string(),
    proved_by: z.enum(PROOF_METHODS).nullable(),
  })
  .meta({ id: 'UserSession' });

export const ListSessionsReply = z
  .object({ sessions: z.array(UserSessionReply).readonly(), pagination: CountedPagination })
  .meta({ id: 'UserSessionList' });
