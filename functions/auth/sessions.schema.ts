import * as z from 'zod';
import { PROOF_METHODS, SESSION_IDLE_LIMIT } from '#shared/domain/accounts/sign-in.model.ts';
import { ANY_OFFSET, CountedPagination, IdParam, ListQuery } from '#shared/http/schema/common.schema.ts';
import { HOUR } from '#shared/kernel/clock.ts';
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
    current: z.boolean().describe('Whether it is the session of this request.'),
    created_at: z.string(),
    last_used_at: z.string(),
    expires_at: z
      .string()
      .describe(`It ends then at the latest, and earlier after ${SESSION_IDLE_LIMIT / HOUR} hours without a request.`),
    proved_by: z
      .enum(PROOF_METHODS)
      .nullable()
      .describe('How its user proved last who they are. `null` if that was not recorded.'),
  })
  .meta({ id: 'UserSession' });

export const ListSessionsReply = z
  .object({ sessions: z.array(UserSessionReply).readonly(), pagination: CountedPagination })
  .meta({
    id: 'UserSessionList',
    description: 'Where the user is signed in, newest first. Sessions that have ended are left out.',
  });
