import { authRoutes } from '#functions/auth/auth.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { mail } from '#shared/container/aws-parts.ts';
import { owners, recoveries, signInLinks, undoLinks, userSessions } from '#shared/container/store-parts.ts';

export const handler = apiLambda(authRoutes, { mail, owners, recoveries, signInLinks, undoLinks, userSessions });
