import { handleRenewal } from '#functions/renewals/handle-renewal.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';

export const handler = onAws((deps) =>
  sqsHandler(eachMessage('renewals', (body) => handleRenewal(body, deps), deps.log)),
);
