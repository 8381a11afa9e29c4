import { hostedPageRoutes } from '#functions/hosted-pages/hosted-pages.routes.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import {
  connections,
  organizations,
  paymentLinks,
  paymentMethods,
  payments,
  rates,
  retryBudget,
  signInLinks,
  velocity,
} from '#shared/container/store-parts.ts';
import { rawRouter } from '#shared/http/router.ts';

const container = kmsContainer({
  connections,
  organizations,
  paymentLinks,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  rates,
  retryBudget,
  signInLinks,
  velocity,
});

export const handler = httpLambda(container, (deps) => rawRouter(hostedPageRoutes, deps));
