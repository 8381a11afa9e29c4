// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  Connection,
  ConnectionAudit,
  ConnectionList,
  ConnectionTest,
  Deleted,
  SaveConnection,
  SetLabels,
  SetStatus,
  ValidatedConnection,
} from './schemas.ts';

export type ListConnectionsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  label?: string;
  provider?: string;
  status?: 'active' | 'inactive';
  mode?: 'sandbox' | 'live';
};

export type ListAuditQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export const connections = (call: Call) => ({
  /**
   * List connections.
   * `GET /v1/connections`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  list: (input?: ListConnectionsQuery, options?: RequestOptions): List<Connection, ConnectionList> =>
    call.list('/v1/connections', 'connections', input, options),

  /**
   * Create or update a connection.
   * `POST /v1/connections`: Requires the scope `connections:write`. Counts among the 100 other writes a minute.
   */
  save: (input: SaveConnection, options?: RequestOptions): Promise<Connection> =>
    call.change('POST', '/v1/connections', input, options),

  /**
   * Test credentials.
   * `POST /v1/connections/test`: Requires the scope `connections:write`. Counts among the 100 other writes a
   * minute.
   */
  test: (input: SaveConnection, options?: RequestOptions): Promise<ConnectionTest> =>
    call.change('POST', '/v1/connections/test', input, options),

  /**
   * Get a connection.
   * `GET /v1/connections/{id}`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  get: (id: string, input?: NoInput, options?: RequestOptions): Promise<Connection> =>
    call.get(path`/v1/connections/${id}`, input, options),

  /**
   * Delete a connection.
   * `DELETE /v1/connections/{id}`: Requires the scope `connections:write`. Counts among the 100 other writes a
   * minute.
   */
  delete: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.change('DELETE', path`/v1/connections/${id}`, input, options),

  /**
   * Validate a connection's credentials.
   * `POST /v1/connections/{id}/validate`: Requires the scope `connections:write`. Counts among the 100 other writes
   * a minute.
   */
  validate: (id: string, input?: NoInput, options?: RequestOptions): Promise<ValidatedConnection> =>
    call.change('POST', path`/v1/connections/${id}/validate`, input, options),

  /**
   * Set a connection's labels.
   * `PATCH /v1/connections/{id}/labels`: Requires the scope `connections:write`. Counts among the 100 other writes
   * a minute.
   */
  setLabels: (id: string, input: SetLabels, options?: RequestOptions): Promise<Connection> =>
    call.change('PATCH', path`/v1/connections/${id}/labels`, input, options),

  /**
   * Activate or deactivate a connection.
   * `PATCH /v1/connections/{id}/status`: Requires the scope `connections:write`. Counts among the 100 other writes
   * a minute.
   */
  setStatus: (id: string, input: SetStatus, options?: RequestOptions): Promise<Connection> =>
    call.change('PATCH', path`/v1/connections/${id}/status`, input, options),

  /**
   * List a connection's changes.
   * `GET /v1/connections/{id}/audit`: Requires the scope `connections:read`. Counts among the 500 reads a minute.
   */
  listAudit: (
    id: string,
    input?: ListAuditQuery,
    options?: RequestOptions,
  ): List<ConnectionAudit, readonly ConnectionAudit[]> =>
    call.list(path`/v1/connections/${id}/audit`, null, input, options),
});
