import { handleRun } from '#functions/workflow-runs/handle-run.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { mail, queue, webhookHttp } from '#shared/container/aws-parts.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import {
  connections,
  events,
  executions,
  invoices,
  members,
  organizations,
  paymentMethods,
  payments,
  retryBudget,
  subscriptions,
  workflows,
} from '#shared/container/store-parts.ts';

const container = kmsContainer({
  connections,
  events,
  executions,
  invoices,
  mail,
  members,
  organizations,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  queue,
  retryBudget,
  subscriptions,
  webhookHttp,
  workflows,
});

export const handler = lambdaHandler(container, (deps) =>
  sqsHandler(eachMessage('workflow-runs', (body, receiveCount) => handleRun(body, deps, receiveCount), deps.log)),
);
