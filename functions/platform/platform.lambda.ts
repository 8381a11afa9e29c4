import { platformRoutes } from '#functions/platform/platform.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { mail } from '#shared/container/aws-parts.ts';
import { recoveries } from '#shared/container/store-parts.ts';

export const handler = apiLambda(platformRoutes, { mail, recoveries });
