import { deleteConnection, setLabels, setStatus } from '#functions/connections/change-connection.usecase.ts';
import {
  ById,
  ConnectionReply,
  ListAuditQuery,
  ListAuditReply,
  ListConnectionsQuery,
  ListConnectionsReply,
  SaveConnectionBody,
  SetLabelsBody,
  SetStatusBody,
  TestConnectionReply,
  ValidateConnectionReply,
} from '#functions/connections/connections.schema.ts';
import { getConnection, listAudit, listConnections } from '#functions/connections/get-connections.usecase.ts';
import { saveConnection } from '#functions/connections/save-connection.usecase.ts';
import { testConnection, validateConnection } from '#functions/connections/test-connection.usecase.ts';
import { del, get, list, patch, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

export const connectionRoutes = [
  post('/v1/connections', {
    scope: 'connections:write',
    summary: 'Create or update a connection',
    idempotency: 'optional',
    body: SaveConnectionBody,
    reply: ConnectionReply,
    status: 201,
    location: '/v1/connections/{id}',
    errors: [
      'provider_immutable',
      'mode_immutable',
      'mode_not_allowed',
      'plan_limit_reached',
      'setup_limit_reached',
      'write_conflict',
    ],
    run: saveConnection,
  }),
  post('/v1/connections/test', {
    scope: 'connections:write',
    summary: 'Test credentials',
    idempotency: 'optional',
    body: SaveConnectionBody,
    reply: TestConnectionReply,
    prefetch: true,
    errors: ['mode_not_allowed'],
    run: testConnection,
  }),
  list('/v1/connections', {
    scope: 'connections:read',
    summary: 'List connections',
    query: ListConnectionsQuery,
    reply: ListConnectionsReply,
    items: 'connections',
    run: listConnections,
  }),
  get('/v1/connections/{id}', {
    scope: 'connections:read',
    summary: 'Get a connection',
    params: ById,
    reply: ConnectionReply,
    run: getConnection,
  }),
  post('/v1/connections/{id}/validate', {
    scope: 'connections:write',
    summary: "Validate a connection's credentials",
    params: ById,
    reply: ValidateConnectionReply,
    errors: ['write_conflict'],
    run: validateConnection,
  }),
  patch('/v1/connections/{id}/labels', {
    scope: 'connections:write',
    summary: "Set a connection's labels",
    params: ById,
    body: SetLabelsBody,
    reply: ConnectionReply,
    errors: ['setup_limit_reached', 'write_conflict'],
    run: setLabels,
  }),
  patch('/v1/connections/{id}/status', {
    scope: 'connections:write',
    summary: 'Activate or deactivate a connection',
    params: ById,
    body: SetStatusBody,
    reply: ConnectionReply,
    errors: ['write_conflict'],
    run: setStatus,
  }),
  del('/v1/connections/{id}', {
    scope: 'connections:write',
    summary: 'Delete a connection',
    params: ById,
    reply: DeletedReply,
    errors: ['connection_in_use', 'write_conflict'],
    run: deleteConnection,
  }),
  list('/v1/connections/{id}/audit', {
    scope: 'connections:read',
    summary: "List a connection's changes",
    params: ById,
    query: ListAuditQuery,
    reply: ListAuditReply,
    run: listAudit,
  }),
];
