import type { ListFailedRequestsInput } from '#functions/api-keys/failed-requests.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** What succeeded is read from the records. */
export const listFailedRequests = (
  query: ListFailedRequestsInput,
  { orgId }: Caller,
  { failedRequests, clock }: Pick<Deps, 'failedRequests' | 'clock'>,
) => failedRequests.list(orgId, query, clock.now());
