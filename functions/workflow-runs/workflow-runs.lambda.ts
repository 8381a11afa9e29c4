import { handleRun } from '#functions/workflow-runs/handle-run.usecase.ts';
import { sesMail } from '#shared/adapters/aws/ses-mailer.adapter.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';

export const handler = lambdaHandler(
  (deps) =>
    sqsHandler(eachMessage('workflow-runs', (body, receiveCount) => handleRun(body, deps, receiveCount), deps.log)),
  {
    makeMail: sesMail,
  },
);
