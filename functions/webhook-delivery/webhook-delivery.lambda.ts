import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';

export const handler = onAws((deps) =>
  sqsHandler(eachMessage('webhook-delivery', (body, receiveCount) => deliverEvent(body, deps, receiveCount), deps.log)),
);
