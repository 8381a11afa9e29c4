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
} from '#functions/connections/connections.schema.ts';
import { deleteConnection } from '#functions/connections/delete-connection.usecase.ts';
import { getConnection } from '#functions/connections/get-connection.usecase.ts';
import { listAudit } from '#functions/connections/list-audit.usecase.ts';
import { listConnections } from '#functions/connections/list-connections.usecase.ts';
import { saveConnection } from '#functions/connections/save-connection.usecase.ts';
import { setLabels } from '#functions/connections/set-labels.usecase.ts';
import { setStatus } from '#functions/connections/set-status.usecase.ts';
import { testConnection } from '#functions/connections/test-connection.usecase.ts';
import { validateConnection } from '#functions/connections/validate-connection.usecase.ts';
import { del, get, patch, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

export const connectionRoutes = [
  post('/v1/connections', {
    scope: 'connections:write',
    summary: 'Create or update a connection',
    idempotency: 'optional',
    body: SaveConnectionBody,
    reply: ConnectionReply,
    status: 201,
    run: saveConnection,
  }),
  post('/v1/connections/test', {
    scope: 'connections:write',
    summary: 'Test credentials',
    idempotency: 'optional',
    body: SaveConnectionBody,
    reply: TestConnectionReply,
    prefetch: true,
    run: testConnection,
  }),
  get('/v1/connections', {
    scope: 'connections:read',
    summary: 'List connections',
    query: ListConnectionsQuery,
    reply: ListConnectionsReply,
    prefetch: true,
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
    reply: ConnectionReply,
    run: validateConnection,
  }),
  patch('/v1/connections/{id}/labels', {
    scope: 'connections:write',
    summary: "Set a connection's labels",
    params: ById,
    body: SetLabelsBody,
    reply: ConnectionReply,
    run: setLabels,
  }),
  patch('/v1/connections/{id}/status', {
    scope: 'connections:write',
    summary: 'Activate or deactivate a connection',
    params: ById,
    body: SetStatusBody,
    reply: ConnectionReply,
    run: setStatus,
  }),
  del('/v1/connections/{id}', {
    scope: 'connections:write',
    summary: 'Delete a connection',
    params: ById,
    reply: DeletedReply,
    run: deleteConnection,
  }),
  get('/v1/connections/{id}/audit', {
    scope: 'connections:read',
    summary: "List a connection's changes",
    params: ById,
    query: ListAuditQuery,
    reply: ListAuditReply,
    run: listAudit,
  }),
];
