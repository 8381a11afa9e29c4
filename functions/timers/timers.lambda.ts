import type { SQSEvent } from 'aws-lambda';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { processDue } from '#functions/timers/process-due.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** `schedule` is a name in the schedule table. */
export type ScheduleEvent = { readonly schedule: string };

/** Sweeps and processes what they find, in one function that the sweep each minute keeps warm. */
export const handler = lambdaHandler((deps) => {
  const handleAll = sqsHandler(eachMessage('timers', (body) => processDue(body, deps), deps.log));
  return async (event: SQSEvent | ScheduleEvent) => ('Records' in event ? handleAll(event) : runSchedule(event, deps));
});

async function runSchedule({ schedule }: ScheduleEvent, deps: Deps): Promise<void> {
  const job = SCHEDULES.find(({ name }) => name === schedule);
  if (!job) throw new Error(`There is no schedule ${schedule}.`);
  await job.run(deps);
}
