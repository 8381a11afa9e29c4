import { ArnFormat, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acceptFinding } from '#lib/aws/checks.ts';
import { DEAD_LETTERS } from '#lib/aws/queue-settings.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';

export type DeadLetterQueuesProps = { readonly names: ResourceNames; readonly removalPolicy: RemovalPolicy };

/**
 * The queues for work that failed for good. SQS keeps a message for its longest time, counted from when it was first
 * sent.
 */
export class DeadLetterQueues extends Construct {
  constructor(scope: Construct, id: string, { names, removalPolicy }: DeadLetterQueuesProps) {
    super(scope, id);
    for (const name of DEAD_LETTERS) {
      const queue = new Queue(this, name, {
        queueName: names.deadLetters(name),
        retentionPeriod: Duration.days(14),
        enforceSSL: true,
        removalPolicy,
      });
      if (name === 'bus') queue.addToResourcePolicy(fromRulesOf(names.bus, queue));
      for (const rule of ['AwsSolutions-SQS3', 'Serverless-SQSRedrivePolicy'])
        acceptFinding(
          queue,
          rule,
          'This is where what failed ends: nothing takes messages from here by itself, so nothing can fail again.',
        );
    }
  }
}

/** EventBridge has no role here. The queue's policy allows the rules of this bus, whatever CloudFormation calls them. */
function fromRulesOf(bus: string, queue: Queue): PolicyStatement {
  const rules = Stack.of(queue).formatArn({
    service: 'events',
    resource: 'rule',
    resourceName: `${bus}/*`,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });
  return new PolicyStatement({
    principals: [new ServicePrincipal('events.amazonaws.com')],
    actions: ['sqs:SendMessage'],
    resources: [queue.queueArn],
    conditions: { ArnLike: { 'aws:SourceArn': rules } },
  });
}
