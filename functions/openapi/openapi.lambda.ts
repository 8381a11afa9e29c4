import { methodsAt } from '#functions/openapi/documented-endpoints.ts';
import { openApiRoutes } from '#functions/openapi/openapi.routes.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { statelessContainer } from '#shared/container/stateless.container.ts';
import { statelessRouter } from '#shared/http/router.ts';

/** The default route, too: the document knows which addresses there are, and by which methods. */
export const handler = httpLambda(statelessContainer, (deps) => statelessRouter(openApiRoutes, deps, methodsAt));
