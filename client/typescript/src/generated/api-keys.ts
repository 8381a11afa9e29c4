// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  ApiKeyList,
  CreateApiKey,
  CreatedApiKey,
  FailedRequest,
  FailedRequestList,
  ListedApiKey,
  RevokedApiKey,
} from './schemas.ts';

export type ListApiKeysQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export type RevokeApiKeyQuery = {
  /**
   * `true` also revokes the keys that this key created, those that they created, and so on: also if the key itself
   * was revoked before. Keys of which it was not recorded who created them stay.
   */
  descendants?: 'true' | 'false';
};

export type ListFailedRequestsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export const apiKeys = (call: Call) => ({
  /**
   * List API keys.
   * `GET /v1/api-keys`: Requires the scope `api_keys:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListApiKeysQuery, options?: RequestOptions): List<ListedApiKey, ApiKeyList> =>
    call.list('/v1/api-keys', 'api_keys', input, options),

  /**
   * Create an API key.
   * `POST /v1/api-keys`: Requires the scope `api_keys:write`. Counts among the 100 other writes a minute. The
   * response holds a secret: it is replayed only to the credential that made the request. With a session it needs a
   * proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  create: (input: CreateApiKey, options?: RequestOptions): Promise<CreatedApiKey> =>
    call.change('POST', '/v1/api-keys', input, options),

  /**
   * Revoke an API key.
   * `DELETE /v1/api-keys/{id}`: Requires the scope `api_keys:write`. Counts among the 100 other writes a minute.
   * With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   */
  revoke: (id: string, input?: RevokeApiKeyQuery, options?: RequestOptions): Promise<RevokedApiKey> =>
    call.change('DELETE', path`/v1/api-keys/${id}`, input, options),

  /**
   * List failed requests.
   * `GET /v1/failed-requests`: For members of the organization with the role `viewer` or higher. Counts among the
   * 500 reads a minute.
   */
  listFailedRequests: (
    input?: ListFailedRequestsQuery,
    options?: RequestOptions,
  ): List<FailedRequest, FailedRequestList> =>
    call.list('/v1/failed-requests', 'failed_requests', input, options),
});
