import * as z from 'zod';
import {
  FAILED_REQUEST_DAYS,
  MAX_ALIKE_PER_MINUTE,
  MAX_KEPT_PER_MINUTE,
} from '#shared/domain/reporting/failed-request.model.ts';
import { ListQuery, Pagination } from '#shared/http/schema/common.schema.ts';

const POSITION = /^\d{4}-[\dT:.-]{18}Z#req_[\w=-]{1,60}$/;

export const ListFailedRequestsQuery = ListQuery({}, { isPosition: (position) => POSITION.test(position) });
export type ListFailedRequestsInput = z.output<typeof ListFailedRequestsQuery>;

const FailedRequestReply = z
  .object({
    request_id: z.string().describe('As `X-Request-Id` of the response says it.'),
    created_at: z.string(),
    method: z.string(),
    route: z.string().describe('The path of the endpoint, such as `/v1/payments/{id}`.'),
    resource_id: z.string().nullable().describe('The id in the path. `null` without one, or if it is not one of ours.'),
    status: z.int(),
    code: z.string().describe('`code` of the response.'),
    credential_id: z.string().describe('The API key or the session that was used.'),
    credential_kind: z.enum(['service', 'secret', 'public', 'session']),
  })
  .meta({ id: 'FailedRequest' });

export const ListFailedRequestsReply = z
  .object({ failed_requests: z.array(FailedRequestReply).readonly(), pagination: Pagination })
  .meta({
    id: 'FailedRequestList',
    description:
      `Requests of the last ${FAILED_REQUEST_DAYS} days with a valid API key or session that got an error, newest ` +
      'first, for finding out why an integration fails. It is a sample: at most ' +
      `${MAX_KEPT_PER_MINUTE.servers} requests a minute are kept, ${MAX_KEPT_PER_MINUTE.public} more of public keys, ` +
      `and of those that are alike (same credential, endpoint and code) about ${MAX_ALIKE_PER_MINUTE}. Nothing that ` +
      'was sent is kept, neither body nor query.',
  });
