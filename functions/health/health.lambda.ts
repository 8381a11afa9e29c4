import { healthRoutes } from '#functions/health/health.routes.ts';
import { ownApi } from '#shared/container/aws-parts.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { selfCheck } from '#shared/container/store-parts.ts';
import { statelessRouter } from '#shared/http/router.ts';

export const handler = httpLambda(kmsContainer({ ownApi, selfCheck }), (deps) => statelessRouter(healthRoutes, deps));
