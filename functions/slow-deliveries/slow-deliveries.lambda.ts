import { sesMail } from '#shared/adapters/aws/ses-mailer.adapter.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';

const LANE = 'slow-deliveries';

const deliver = (deps: Deps) =>
  eachMessage(LANE, (body, receiveCount) => deliverEvent(body, deps, receiveCount, LANE), deps.log);

export const handler = lambdaHandler((deps) => sqsHandler(deliver(deps)), { makeMail: sesMail });
