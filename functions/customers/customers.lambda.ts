import { customerRoutes } from '#functions/customers/customers.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { erasures, paymentMethods, subscriptions } from '#shared/container/store-parts.ts';

export const handler = apiLambda(customerRoutes, { erasures, paymentMethods, subscriptions });
