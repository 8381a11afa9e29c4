import { deliverEvent } from '#functions/webhook-delivery/deliver-event.usecase.ts';
import { sesMail } from '#shared/aws/ses-mailer.adapter.ts';
import { eachMessage, sqsHandler } from '#shared/aws/sqs-consumer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';
import type { Deps } from '#shared/ports/deps.ts';

const LANE = 'slow-deliveries';

const deliver = (deps: Deps) => eachMessage(LANE, (body, receiveCount) => deliverEvent(body, deps, receiveCount, LANE), deps.log);

export const handler = onAws((deps) => sqsHandler(deliver(deps)), { makeMail: sesMail });
