import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { DeadLetters } from '#lib/aws/constructs/dead-letters.construct.ts';
import { Probe } from '#lib/aws/constructs/probe.construct.ts';
import { QueueConsumer } from '#lib/aws/constructs/queue-consumer.construct.ts';
import { ServiceSchedules } from '#lib/aws/constructs/schedules.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { StreamConsumer } from '#lib/aws/constructs/stream-consumer.construct.ts';
import { FUNCTIONS, type FunctionName, SCHEDULED } from '#lib/aws/function-table.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { StageSettings } from '#lib/aws/stages.ts';
import { QUEUES, type QueueName } from '#shared/ports/queue.port.ts';

export type ServiceTriggersProps = {
  readonly names: ResourceNames;
  readonly settings: StageSettings;
  readonly alarms: ServiceAlarms;
  readonly functions: Readonly<Record<FunctionName, ServiceFunction>>;
  readonly table: ITableV2;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly isProbing: boolean;
  /** Whether the service is open. If it is closed, all of this is there and nothing of it runs. */
  readonly enabled: boolean;
};

/** What invokes functions besides the API and callbacks: the stream, the queues and the clock. */
export class ServiceTriggers extends Construct {
  constructor(scope: Construct, id: string, props: ServiceTriggersProps) {
    super(scope, id);
    const { names, settings, alarms, functions, table, queues, isProbing, enabled } = props;
    const common = { names, alarms };
    const dead = new DeadLetters(this, 'StreamDeadLetters', { ...common, name: 'stream', of: 'A change of the table' });
    new StreamConsumer(this, 'Relay', { ...functions.relay, table, dead, enabled });
    new StreamConsumer(this, 'Projector', { ...functions.projector, table, dead, enabled, counts: true });
    for (const name of QUEUES)
      new QueueConsumer(this, name, {
        ...functions[name],
        queue: queues[name],
        settings: FUNCTIONS[name],
        concurrency: settings.queueConcurrency[name],
        enabled,
      });
    const { group } = new ServiceSchedules(this, 'Schedules', { ...functions[SCHEDULED], ...common, enabled });
    const { probeEveryMinutes: everyMinutes } = settings;
    if (isProbing) new Probe(this, 'Probe', { probe: functions.probe, everyMinutes, group, enabled, ...common });
  }
}
