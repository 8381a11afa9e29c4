import * as z from 'zod';
import { ListQuery, Pagination } from '#shared/http/schema/common.schema.ts';

const POSITION = /^\d{4}-[\dT:.-]{18}Z#req_[\w=-]{1,60}$/;

export const ListFailedRequestsQuery = ListQuery({}, { isPosition: (position) => POSITION.test(position) });
export type ListFailedRequestsInput = z.output<typeof ListFailedRequestsQuery>;

const FailedRequestReply = z
  .object({
    request_id: z.string(),
    client_request_id: z.string().nullable(),
    created_at: z.string(),
    method: z.string(),
    route: z.string(),
    resource_id: z.string().nullable(),
    status: z.int(),
    code: z.string(),
    credential_id: z.string(),
    credential_kind: z.enum(['service', 'secret', 'public', 'session']),
  })
  .meta({ id: 'FailedRequest' });

export const ListFailedRequestsReply = z
  .object({ failed_requests: z.array(FailedRequestReply).readonly(), pagination: Pagination })
  .meta({ id: 'FailedRequestList' });
