import type { SQSEvent } from 'aws-lambda';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { processDue } from '#functions/timers/process-due.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { bus, queue } from '#shared/container/aws-parts.ts';
import { psp, pspDeadline } from '#shared/container/aws-psp-parts.ts';
import { kmsContainer } from '#shared/container/kms.container.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import {
  abTests,
  billing,
  connections,
  disputePolls,
  disputes,
  due,
  erasures,
  events,
  invoices,
  organizations,
  paymentLinks,
  paymentMails,
  paymentMethods,
  payments,
  retryBudget,
  retryPolicies,
  subscriptions,
  sweeps,
  totals,
  velocity,
  workflows,
} from '#shared/container/store-parts.ts';

/** `schedule` is a name in the schedule table. */
export type ScheduleEvent = { readonly schedule: string };

const container = kmsContainer({
  abTests,
  billing,
  bus,
  connections,
  disputePolls,
  disputes,
  due,
  erasures,
  events,
  invoices,
  organizations,
  paymentLinks,
  paymentMails,
  paymentMethods,
  payments,
  psp,
  pspDeadline,
  queue,
  retryBudget,
  retryPolicies,
  subscriptions,
  sweeps,
  totals,
  velocity,
  workflows,
});

/** Sweeps and processes what they find, in one function that the sweep each minute keeps warm. */
export const handler = lambdaHandler(container, (deps) => {
  const handleAll = sqsHandler(eachMessage('timers', (body) => processDue(body, deps), deps.log));
  return async (event: SQSEvent | ScheduleEvent) =>
    'Records' in event ? handleAll(event) : scheduleNamed(event).run(deps);
});

function scheduleNamed({ schedule }: ScheduleEvent) {
  const job = SCHEDULES.find(({ name }) => name === schedule);
  if (!job) throw new Error(`There is no schedule ${schedule}.`);
  return job;
}
