import { policyRoutes } from '#functions/policies/policies.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { fraudPolicies, retryPolicies } from '#shared/container/store-parts.ts';

export const handler = apiLambda(policyRoutes, { fraudPolicies, retryPolicies });
