import { connectionRoutes } from '#functions/connections/connections.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import { connections, storedTotals, workflows } from '#shared/container/store-parts.ts';

export const handler = apiLambda(connectionRoutes, {
  connections,
  psp,
  pspDeadline,
  storedTotals,
  workflows,
});
