import { openApiRoutes } from '#functions/openapi/openapi.routes.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { statelessContainer } from '#shared/container/stateless.container.ts';
import { statelessRouter } from '#shared/http/router.ts';

export const handler = httpLambda(statelessContainer, (deps) => statelessRouter(openApiRoutes, deps));
