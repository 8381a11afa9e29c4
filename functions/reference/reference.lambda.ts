import { referenceRoutes } from '#functions/reference/reference.routes.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { referenceContainer } from '#shared/container/reference.container.ts';
import { statelessRouter } from '#shared/http/router.ts';

export const handler = httpLambda(referenceContainer, (deps) => statelessRouter(referenceRoutes, deps));
