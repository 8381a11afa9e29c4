import { deliverEvent } from '#functions/webhook-delivery/deliver-event.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/aws/sqs-consumer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';

const LANE = 'slow-deliveries';

export const handler = onAws((deps) => sqsHandler(eachMessage(LANE, (body) => deliverEvent(body, deps, LANE), deps.log)));
