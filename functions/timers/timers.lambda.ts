import type { SQSEvent } from 'aws-lambda';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { handleDue } from '#functions/timers/handle-due.usecase.ts';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { onAws } from '#shared/container/on-aws.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** The event of a schedule: its name in the table. */
export type ScheduleEvent = { readonly schedule: string };

/** One function for the sweep and its work: the sweep each minute keeps it warm. */
export const handler = onAws((deps) => {
  const handleAll = sqsHandler(eachMessage('timers', (body) => handleDue(body, deps), deps.log));
  return async (event: SQSEvent | ScheduleEvent) => ('Records' in event ? handleAll(event) : runSchedule(event, deps));
});

async function runSchedule({ schedule }: ScheduleEvent, deps: Deps): Promise<void> {
  const line = SCHEDULES.find(({ name }) => name === schedule);
  if (!line) throw new Error(`There is no schedule ${schedule}.`);
  await line.run(deps);
}
