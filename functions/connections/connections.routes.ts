import { ById, ConnectionReply, ListConnectionsQuery, ListConnectionsReply, SaveConnectionBody } from '#functions/connections/connections.schema.ts';
import { getConnection } from '#functions/connections/get-connection.usecase.ts';
import { listConnections } from '#functions/connections/list-connections.usecase.ts';
import { saveConnection } from '#functions/connections/save-connection.usecase.ts';
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
  get('/v1/connections', {
    scope: 'connections:read',
    summary: 'List connections',
    query: ListConnectionsQuery,
    reply: ListConnectionsReply,
    prefetch: true,
    run: listConnections,
  }),
  get('/v1/connections/{id}', { scope: 'connections:read', summary: 'Get a connection', params: ById, reply: ConnectionReply, run: getConnection }),
];
