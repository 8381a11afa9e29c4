import {
  ById,
  ConnectionReply,
  ListConnectionsQuery,
  ListConnectionsReply,
  SaveConnectionBody,
  TestConnectionReply,
} from '#functions/connections/connections.schema.ts';
import { getConnection } from '#functions/connections/get-connection.usecase.ts';
import { listConnections } from '#functions/connections/list-connections.usecase.ts';
import { saveConnection } from '#functions/connections/save-connection.usecase.ts';
import { testConnection } from '#functions/connections/test-connection.usecase.ts';
import { validateConnection } from '#functions/connections/validate-connection.usecase.ts';
import { get, post } from '#shared/http/route.ts';

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
  get('/v1/connections/{id}', { scope: 'connections:read', summary: 'Get a connection', params: ById, reply: ConnectionReply, run: getConnection }),
  post('/v1/connections/{id}/validate', {
    scope: 'connections:write',
    summary: "Validate a connection's credentials",
    params: ById,
    reply: ConnectionReply,
    run: validateConnection,
  }),
];
