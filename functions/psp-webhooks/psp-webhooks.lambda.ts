import { callbackRoutes } from '#functions/psp-webhooks/psp-webhooks.routes.ts';
import { onAws } from '#shared/container/on-aws.ts';
import { apiGroup } from '#shared/http/api-group.ts';

/** Behind the API and behind a function URL. */
export const handler = onAws((deps) => apiGroup(callbackRoutes, deps));
