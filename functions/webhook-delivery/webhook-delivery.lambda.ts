import { deliverEvent } from '#functions/webhook-delivery/deliver-event.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/aws/sqs-consumer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';

export const handler = onAws((deps) => sqsHandler(eachMessage('webhook-delivery', (body, receiveCount) => deliverEvent(body, deps, receiveCount), deps.log)));
