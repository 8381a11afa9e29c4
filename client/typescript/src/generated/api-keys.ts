// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  ApiKeyList,
  CreateApiKey,
  CreatedApiKey,
  CurrentApiKey,
  ListedApiKey,
  RevokedApiKey,
} from './schemas.ts';

export type ListApiKeysQuery = {
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

export type RevokeApiKeyQuery = {
  /**
   * `true` also revokes the keys that this key created, those that they created, and so on: also if the key itself
   * was revoked before. Keys of which it was not recorded who created them stay.
   */
  descendants?: 'true' | 'false';
};

export const apiKeys = (call: Call) => ({
  /**
   * List API keys.
   * `GET /v1/api-keys`: Requires the scope `api_keys:read`.
   * With examples at `/docs/api/api-keys#listApiKeys`.
   */
  list: (input?: ListApiKeysQuery, options?: RequestOptions): List<ListedApiKey, ApiKeyList> =>
    call.list('/v1/api-keys', 'api_keys', input, options),

  /**
   * Create an API key.
   * `POST /v1/api-keys`: Requires the scope `api_keys:write`. The response holds a secret: it is replayed only to
   * the credential that made the request. With a session it needs a proof of identity that is less than 10 minutes
   * old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/api-keys#createApiKey`.
   * @throws {PayforkError} `fresh_proof_required`, `plan_limit_reached`, `scope_escalation`
   */
  create: (input: CreateApiKey, options?: RequestOptions): ApiPromise<CreatedApiKey> =>
    call.change('POST', '/v1/api-keys', input, options),

  /**
   * Get the API key of this request.
   * `GET /v1/api-keys/current`: For members of the organization with the role `viewer` or higher, and for every key
   * of the organization except public ones.
   * With examples at `/docs/api/api-keys#getCurrentKey`.
   * @throws {PayforkError} `missing_role`
   */
  getCurrentKey: (input?: NoInput, options?: RequestOptions): ApiPromise<CurrentApiKey> =>
    call.get('/v1/api-keys/current', input, options),

  /**
   * Revoke an API key.
   * `DELETE /v1/api-keys/{id}`: Requires the scope `api_keys:write`. With a session it needs a proof of identity
   * that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/api-keys#revokeApiKey`.
   * @throws {PayforkError} `fresh_proof_required`, `not_found`, `write_conflict`
   */
  revoke: (id: string, input?: RevokeApiKeyQuery, options?: RequestOptions): ApiPromise<RevokedApiKey> =>
    call.change('DELETE', path`/v1/api-keys/${id}`, input, options),
});
