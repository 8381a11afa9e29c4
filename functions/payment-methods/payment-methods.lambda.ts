import { paymentMethodRoutes } from '#functions/payment-methods/payment-methods.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { psp } from '#shared/container/aws-psp-parts.ts';
import { paymentMethods, subscriptions } from '#shared/container/store-parts.ts';

export const handler = apiLambda(paymentMethodRoutes, { paymentMethods, psp, subscriptions });
