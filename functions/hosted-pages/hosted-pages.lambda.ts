import { hostedPageRoutes } from '#functions/hosted-pages/hosted-pages.routes.ts';
import { onAws } from '#shared/container/on-aws.ts';
import { apiGroup } from '#shared/http/api-group.ts';

export const handler = onAws((deps) => apiGroup(hostedPageRoutes, deps));
