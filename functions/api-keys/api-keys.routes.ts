import {
  ById,
  CreateApiKeyBody,
  CreatedApiKeyReply,
  ListApiKeysQuery,
  ListApiKeysReply,
} from '#functions/api-keys/api-keys.schema.ts';
import { createApiKey } from '#functions/api-keys/create-api-key.usecase.ts';
import { listApiKeys } from '#functions/api-keys/list-api-keys.usecase.ts';
import { revokeApiKey } from '#functions/api-keys/revoke-api-key.usecase.ts';
import { del, get, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

export const apiKeyRoutes = [
  post('/v1/api-keys', {
    scope: 'api_keys:write',
    summary: 'Create an API key',
    body: CreateApiKeyBody,
    reply: CreatedApiKeyReply,
    status: 201,
    secretAnswer: true,
    run: createApiKey,
  }),
  get('/v1/api-keys', {
    scope: 'api_keys:read',
    summary: 'List API keys',
    query: ListApiKeysQuery,
    reply: ListApiKeysReply,
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
