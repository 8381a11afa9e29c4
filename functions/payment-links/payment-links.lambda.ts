import { paymentLinkRoutes } from '#functions/payment-links/payment-links.routes.ts';
import { apiLambda } from '#shared/container/api-lambda.ts';
import { psp } from '#shared/container/aws-psp-parts.ts';
import { paymentLinks, paymentMethods } from '#shared/container/store-parts.ts';

export const handler = apiLambda(paymentLinkRoutes, { paymentLinks, paymentMethods, psp });
