import { workflowRoutes } from '#functions/workflows/workflows.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { queue, webhookHttp } from '#shared/container/aws-parts.ts';
import { events, executions, members, workflows } from '#shared/container/store-parts.ts';

export const handler = apiLambda(workflowRoutes, { events, executions, members, queue, webhookHttp, workflows });
