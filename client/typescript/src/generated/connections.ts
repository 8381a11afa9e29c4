// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Connection,
  ConnectionList,
  ConnectionTest,
  Deleted,
  Mode,
  SaveConnection,
  SetLabels,
  SetStatus,
  ValidatedConnection,
} from './schemas.ts';

export type ListConnectionsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only connections with this label. */
  label?: string;
  /** Only connections at this provider. */
  provider?: string;
  /** Only connections with this status. */
  status?: 'active' | 'inactive';
  /** Only connections of this mode. */
  mode?: Mode;
};

export const connections = (call: Call) => ({
  /**
   * List connections.
   * `GET /v1/connections`: Requires the scope `connections:read`.
   * With examples at `/docs/api/connections#listConnections`.
   */
  list: (input?: ListConnectionsQuery, options?: RequestOptions): List<Connection, ConnectionList> =>
    call.list('/v1/connections', 'connections', input, options),

  /**
   * Create or update a connection.
   * `POST /v1/connections`: Requires the scope `connections:write`.
   * With examples at `/docs/api/connections#saveConnection`.
   * @throws {PayforkError} `provider_immutable`, `mode_immutable`, `mode_not_allowed`, `plan_limit_reached`,
   * `setup_limit_reached`, `write_conflict`
   */
  save: (input: SaveConnection, options?: RequestOptions): ApiPromise<Connection> =>
    call.change('POST', '/v1/connections', input, options),

  /**
   * Test credentials.
   * `POST /v1/connections/test`: Requires the scope `connections:write`.
   * With examples at `/docs/api/connections#testConnection`.
   * @throws {PayforkError} `mode_not_allowed`
   */
  test: (input: SaveConnection, options?: RequestOptions): ApiPromise<ConnectionTest> =>
    call.change('POST', '/v1/connections/test', input, options),

  /**
   * Get a connection.
   * `GET /v1/connections/{id}`: Requires the scope `connections:read`.
   * With examples at `/docs/api/connections#getConnection`.
   * @throws {PayforkError} `not_found`
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Connection> =>
    call.get(path`/v1/connections/${id}`, input, options),

  /**
   * Delete a connection.
   * `DELETE /v1/connections/{id}`: Requires the scope `connections:write`.
   * With examples at `/docs/api/connections#deleteConnection`.
   * @throws {PayforkError} `not_found`, `connection_in_use`, `write_conflict`
   */
  delete: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/connections/${id}`, input, options),

  /**
   * Validate a connection's credentials.
   * `POST /v1/connections/{id}/validate`: Requires the scope `connections:write`.
   * With examples at `/docs/api/connections#validateConnection`.
   * @throws {PayforkError} `not_found`, `write_conflict`
   */
  validate: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<ValidatedConnection> =>
    call.change('POST', path`/v1/connections/${id}/validate`, input, options),

  /**
   * Set a connection's labels.
   * `PATCH /v1/connections/{id}/labels`: Requires the scope `connections:write`.
   * With examples at `/docs/api/connections#setConnectionLabels`.
   * @throws {PayforkError} `not_found`, `setup_limit_reached`, `write_conflict`
   */
  setLabels: (id: string, input: SetLabels, options?: RequestOptions): ApiPromise<Connection> =>
    call.change('PATCH', path`/v1/connections/${id}/labels`, input, options),

  /**
   * Activate or deactivate a connection.
   * `PATCH /v1/connections/{id}/status`: Requires the scope `connections:write`.
   * With examples at `/docs/api/connections#setConnectionStatus`.
   * @throws {PayforkError} `not_found`, `write_conflict`
   */
  setStatus: (id: string, input: SetStatus, options?: RequestOptions): ApiPromise<Connection> =>
    call.change('PATCH', path`/v1/connections/${id}/status`, input, options),
});
