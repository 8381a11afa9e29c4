import { EventBus, type EventPattern, Match, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { EVENT_QUEUES, SKIPPED_BY } from '#functions/event-table.ts';
import type { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { DeadLetters } from '#lib/aws/constructs/dead-letters.construct.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import { BUS_EVENT } from '#shared/adapters/aws/eventbridge-bus.adapter.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';

export type ServiceBusProps = {
  readonly names: ResourceNames;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly alarms: ServiceAlarms;
};

/** Carries events from the relay to the queues that subscribe to them. */
export class ServiceBus extends Construct {
  readonly bus: EventBus;

  constructor(scope: Construct, id: string, { names, queues, alarms }: ServiceBusProps) {
    super(scope, id);
    this.bus = new EventBus(this, 'Bus', { eventBusName: names.bus });
    const dead = new DeadLetters(this, 'DeadLetters', {
      names,
      alarms,
      name: 'bus',
      of: 'An event that the bus could not put into a queue',
    });
    for (const [name, patterns] of patternsByQueue()) {
      const rule = new Rule(this, name, { eventBus: this.bus, eventPattern: patternOf(patterns, skippedBy[name]) });
      rule.addTarget(
        new SqsQueue(queues[name], {
          message: RuleTargetInput.fromEventPath(BUS_EVENT.messagePath),
          messageGroupId: BUS_EVENT.groupPath,
          deadLetterQueue: dead.queue,
        }),
      );
    }
  }
}

const skippedBy: Readonly<Partial<Record<QueueName, string>>> = SKIPPED_BY;

/** One rule per queue: an event that matches several of its patterns arrives once, as on the local host. */
function patternsByQueue(): ReadonlyMap<QueueName, readonly string[]> {
  const pairs = Object.entries(EVENT_QUEUES).flatMap(([pattern, queues]) =>
    queues.map((queue) => ({ queue, pattern })),
  );
  const byQueue = Map.groupBy(pairs, ({ queue }) => queue);
  return new Map([...byQueue].map(([queue, own]) => [queue, own.map(({ pattern }) => pattern)]));
}

/** `skippedBy`: a field of the events that are left out. */
export function patternOf(patterns: readonly string[], skippedBy?: string): EventPattern {
  const source = [BUS_EVENT.source];
  const detail = skippedBy && { detail: { [skippedBy]: Match.doesNotExist() } };
  if (patterns.includes('*')) return { source, ...detail };
  return {
    source,
    ...detail,
    detailType: patterns.flatMap((pattern) => (pattern.endsWith('*') ? Match.prefix(pattern.slice(0, -1)) : [pattern])),
  };
}
