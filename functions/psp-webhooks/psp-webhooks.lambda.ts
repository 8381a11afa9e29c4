import { callbackRoutes } from '#functions/psp-webhooks/psp-webhooks.routes.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import { httpLambda } from '#shared/container/http-lambda.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import {
  connections,
  disputePolls,
  disputes,
  organizations,
  paymentMethods,
  payments,
  rates,
  retryBudget,
} from '#shared/container/store-parts.ts';
import { rawRouter } from '#shared/http/router.ts';

const container = kmsContainer({
  connections,
  disputePolls,
  disputes,
  organizations,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  rates,
  retryBudget,
});

/** Behind the API and behind a function URL. */
export const handler = httpLambda(container, (deps) => rawRouter(callbackRoutes, deps));
