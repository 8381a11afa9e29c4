import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { FAILED_REQUEST_DAYS, type FailedRequest } from '#shared/domain/reporting/failed-request.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import type { FailedRequestsPort } from '#shared/ports/failed-requests.port.ts';
import { listAuditEntries } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import { failedRequestKeys } from '#shared/store/repos/reporting/failure-log.repo.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** Requests that the release before recorded have no id of their callers. */
const NAMED_BY_NOBODY = { client_request_id: null };

export class FailedRequestRepo implements FailedRequestsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  /** DynamoDB deletes an expired item within some days: until then it is left out here. */
  async list(...[orgId, query, at]: Parameters<FailedRequestsPort['list']>): Promise<ListPage<FailedRequest>> {
    const { pk } = failedRequestKeys.failedRequest(orgId, '', '');
    const page = await listAuditEntries<FailedRequest & { readonly ttl: number }>(this.#table, pk, query);
    const oldest = plus(at, -FAILED_REQUEST_DAYS * DAY).toISOString();
    const kept = page.items.filter(({ created_at }) => created_at > oldest);
    const items = kept.map(({ ttl: _, ...failed }) => ({ ...NAMED_BY_NOBODY, ...failed }));
    return { items, next: items.length < page.items.length ? undefined : page.next };
  }
}
