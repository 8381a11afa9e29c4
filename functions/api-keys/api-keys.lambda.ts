import { apiKeyRoutes } from '#functions/api-keys/api-keys.routes.ts';
import { onAws } from '#shared/container/on-aws.ts';
import { apiGroup } from '#shared/http/api-group.ts';

export const handler = onAws((deps) => apiGroup(apiKeyRoutes, deps));
