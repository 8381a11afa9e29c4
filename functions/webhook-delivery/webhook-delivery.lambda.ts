import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { noMail, queue, webhookHttp } from '#shared/container/aws-parts.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { events, members, webhookConfigs } from '#shared/container/store-parts.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';

const container = kmsContainer({ events, mail: noMail, members, queue, webhookConfigs, webhookHttp });

export const handler = lambdaHandler(container, (deps) =>
  sqsHandler(eachMessage('webhook-delivery', (body, receiveCount) => deliverEvent(body, deps, receiveCount), deps.log)),
);
