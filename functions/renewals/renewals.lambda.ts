import { processRenewal } from '#functions/renewals/process-renewal.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';

export const handler = lambdaHandler((deps) =>
  sqsHandler(eachMessage('renewals', (body) => processRenewal(body, deps), deps.log)),
);
