import { healthRoutes } from '#functions/health/health.routes.ts';
import { ownApi } from '#shared/container/aws-parts.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { rates, selfCheck } from '#shared/container/store-parts.ts';
import { statelessRouter } from '#shared/http/router.ts';

/** The default route, too. Its 404 shows the caller's rate window. */
export const handler = httpLambda(kmsContainer({ ownApi, rates, selfCheck }), (deps) =>
  statelessRouter(healthRoutes, deps),
);
