import { dashboardRoutes } from '#functions/dashboard/dashboard.routes.ts';
import { dashboardContainer } from '#shared/container/dashboard.container.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { statelessRouter } from '#shared/http/router.ts';

export const handler = httpLambda(dashboardContainer, (deps) => statelessRouter(dashboardRoutes, deps));
