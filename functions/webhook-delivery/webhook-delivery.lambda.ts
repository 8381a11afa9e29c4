import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';

export const handler = lambdaHandler((deps) =>
  sqsHandler(eachMessage('webhook-delivery', (body, receiveCount) => deliverEvent(body, deps, receiveCount), deps.log)),
);
