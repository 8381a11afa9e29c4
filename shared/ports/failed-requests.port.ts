import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { FailedRequest } from '#shared/domain/reporting/failed-request.model.ts';

export interface FailureLogPort {
  /** Keeps the request, unless enough of this minute are kept. */
  record(orgId: string, failed: FailedRequest): Promise<void>;
}

type FailedRequestsQuery = { readonly limit: number; readonly offset: number; readonly cursor?: string | undefined };

export interface FailedRequestsPort {
  /** Newest first. */
  list(orgId: string, query: FailedRequestsQuery, at: Date): Promise<ListPage<FailedRequest>>;
}
