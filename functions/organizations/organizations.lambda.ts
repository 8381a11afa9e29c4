import { organizationRoutes } from '#functions/organizations/organizations.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { mail } from '#shared/container/aws-parts.ts';
import { members, signInLinks } from '#shared/container/store-parts.ts';

export const handler = apiLambda(organizationRoutes, { mail, members, signInLinks });
