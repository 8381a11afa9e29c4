import { processRenewal } from '#functions/renewals/process-renewal.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { bus, queue } from '#shared/container/aws-parts.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import {
  billing,
  connections,
  events,
  invoices,
  organizations,
  paymentLinks,
  paymentMethods,
  payments,
  retryBudget,
  retryPolicies,
  subscriptions,
  velocity,
  workflows,
} from '#shared/container/store-parts.ts';

const container = kmsContainer({
  billing,
  bus,
  connections,
  events,
  invoices,
  organizations,
  paymentLinks,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  queue,
  retryBudget,
  retryPolicies,
  subscriptions,
  velocity,
  workflows,
});

export const handler = lambdaHandler(container, (deps) =>
  sqsHandler(eachMessage('renewals', (body) => processRenewal(body, deps), deps.log)),
);
