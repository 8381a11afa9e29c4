import {
  ById,
  CreateApiKeyBody,
  CreatedApiKeyReply,
  CurrentApiKeyReply,
  ListApiKeysQuery,
  ListApiKeysReply,
  RevokeApiKeyQuery,
  RevokedApiKeyReply,
} from '#functions/api-keys/api-keys.schema.ts';
import { createApiKey, getCurrentApiKey, listApiKeys, revokeApiKey } from '#functions/api-keys/api-keys.usecase.ts';
import { ListFailedRequestsQuery, ListFailedRequestsReply } from '#functions/api-keys/failed-requests.schema.ts';
import { listFailedRequests } from '#functions/api-keys/failed-requests.usecase.ts';
import { del, get, list, post } from '#shared/http/route.ts';

export const apiKeyRoutes = [
  post('/v1/api-keys', {
    scope: 'api_keys:write',
    proof: 'fresh',
    summary: 'Create an API key',
    body: CreateApiKeyBody,
    reply: CreatedApiKeyReply,
    status: 201,
    secretResponse: true,
    errors: ['scope_escalation', 'plan_limit_reached'],
    run: createApiKey,
  }),
  list('/v1/api-keys', {
    scope: 'api_keys:read',
    summary: 'List API keys',
    query: ListApiKeysQuery,
    reply: ListApiKeysReply,
    items: 'api_keys',
    run: listApiKeys,
  }),
  get('/v1/api-keys/current', {
    access: 'member',
    role: 'viewer',
    keys: true,
    summary: 'Get the API key of this request',
    reply: CurrentApiKeyReply,
    operationId: 'getCurrentKey',
    run: getCurrentApiKey,
  }),
  del('/v1/api-keys/{id}', {
    scope: 'api_keys:write',
    proof: 'fresh',
    whileStopped: true,
    summary: 'Revoke an API key',
    params: ById,
    query: RevokeApiKeyQuery,
    reply: RevokedApiKeyReply,
    errors: ['write_conflict'],
    run: revokeApiKey,
  }),
  list('/v1/failed-requests', {
    access: 'member',
    role: 'viewer',
    summary: 'List failed requests',
    query: ListFailedRequestsQuery,
    reply: ListFailedRequestsReply,
    items: 'failed_requests',
    run: listFailedRequests,
  }),
];
