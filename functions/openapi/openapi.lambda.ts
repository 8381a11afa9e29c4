import { openApiRoutes } from '#functions/openapi/openapi.routes.ts';
import { psp } from '#shared/container/aws-psp-parts.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { rates } from '#shared/container/store-parts.ts';
import { rawRouter } from '#shared/http/router.ts';

export const handler = lambdaHandler(kmsContainer({ psp, rates }), (deps) => rawRouter(openApiRoutes, deps));
