import {
  ById,
  CreateApiKeyBody,
  CreatedApiKeyReply,
  ListApiKeysQuery,
  ListApiKeysReply,
} from '#functions/api-keys/api-keys.schema.ts';
import { createApiKey, listApiKeys, revokeApiKey } from '#functions/api-keys/api-keys.usecase.ts';
import { del, list, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

export const apiKeyRoutes = [
  post('/v1/api-keys', {
    scope: 'api_keys:write',
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
  del('/v1/api-keys/{id}', {
    scope: 'api_keys:write',
    summary: 'Revoke an API key',
    params: ById,
    reply: DeletedReply,
    run: revokeApiKey,
  }),
];
