import { relayChanges } from '#functions/relay/relay-changes.usecase.ts';
import { streamHandler } from '#shared/adapters/aws/stream-consumer.adapter.ts';
import { awsContainer } from '#shared/container/aws.container.ts';
import { bus } from '#shared/container/aws-parts.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import {
  billing,
  disputes,
  events,
  invoices,
  organizations,
  paymentLinks,
  paymentMails,
  payments,
  retryPolicies,
  subscriptions,
  workflows,
} from '#shared/container/store-parts.ts';

const container = awsContainer({
  billing,
  bus,
  disputes,
  events,
  invoices,
  organizations,
  paymentLinks,
  paymentMails,
  payments,
  retryPolicies,
  subscriptions,
  workflows,
});

export const handler = lambdaHandler(container, (deps, { changesSince }) =>
  streamHandler((changes) => relayChanges(changes, deps), changesSince),
);
