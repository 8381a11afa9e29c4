import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { mail, queue, webhookHttp } from '#shared/container/aws-parts.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { events, members, webhookConfigs } from '#shared/container/store-parts.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';

const LANE = 'slow-deliveries';

const container = kmsContainer({ events, mail, members, queue, webhookConfigs, webhookHttp });

export const handler = lambdaHandler(container, (deps) =>
  sqsHandler(eachMessage(LANE, (body, receiveCount) => deliverEvent(body, deps, receiveCount, LANE), deps.log)),
);
