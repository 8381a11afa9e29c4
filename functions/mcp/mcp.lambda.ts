import { mcpRoutes } from '#functions/mcp/mcp.routes.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { mcpContainer } from '#shared/container/mcp.container.ts';
import { statelessRouter } from '#shared/http/router.ts';

export const handler = httpLambda(mcpContainer, (deps) => statelessRouter(mcpRoutes, deps));
