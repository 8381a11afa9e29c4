// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  ConnectionAudit,
  FailedRequest,
  FailedRequestList,
  OrganizationAudit,
  WebhookAudit,
} from './schemas.ts';

export type ListFailedRequestsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type ListConnectionAuditQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type ListWebhookAuditQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type ListOrganizationAuditQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export const logs = (call: Call) => ({
  /**
   * List failed requests.
   * `GET /v1/failed-requests`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/logs#listFailedRequests`.
   * @throws {PayforkError} `missing_role`
   */
  listFailedRequests: (
    input?: ListFailedRequestsQuery,
    options?: RequestOptions,
  ): List<FailedRequest, FailedRequestList> =>
    call.list('/v1/failed-requests', 'failed_requests', input, options),

  /**
   * List a connection's changes.
   * `GET /v1/connections/{id}/audit`: Requires the scope `connections:read`.
   * With examples at `/docs/api/logs#listConnectionAudit`.
   * @throws {PayforkError} `not_found`
   */
  listConnectionAudit: (
    id: string,
    input?: ListConnectionAuditQuery,
    options?: RequestOptions,
  ): List<ConnectionAudit, readonly ConnectionAudit[]> =>
    call.list(path`/v1/connections/${id}/audit`, null, input, options),

  /**
   * List the webhook configuration's changes.
   * `GET /v1/webhooks/config/audit`: Requires the scope `webhooks:read`.
   * With examples at `/docs/api/logs#listWebhookAudit`.
   * @throws {PayforkError} `not_found`
   */
  listWebhookAudit: (
    input?: ListWebhookAuditQuery,
    options?: RequestOptions,
  ): List<WebhookAudit, readonly WebhookAudit[]> =>
    call.list('/v1/webhooks/config/audit', null, input, options),

  /**
   * List changes of the organization's keys, members and names.
   * `GET /v1/organization/audit`: Requires the scope `connections:read`.
   * With examples at `/docs/api/logs#listOrganizationAudit`.
   */
  listOrganizationAudit: (
    input?: ListOrganizationAuditQuery,
    options?: RequestOptions,
  ): List<OrganizationAudit, readonly OrganizationAudit[]> =>
    call.list('/v1/organization/audit', null, input, options),
});
