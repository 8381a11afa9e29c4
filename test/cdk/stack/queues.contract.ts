import { describe, expect, it } from 'vitest';
import { EVENT_QUEUES } from '#functions/event-table.ts';
import { stageSettings } from '#lib/aws/stages.ts';
import { MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

const valuesOf = (stack: Synthesized, type: string): Properties[] =>
  Object.values(stack.of(type)).map(({ Properties: p }) => p);

/** Queues that take what failed: of another queue, of the stream, of the bus. */
function deadLetters(stack: Synthesized): ReadonlySet<string> {
  const ofQueues = valuesOf(stack, 'AWS::SQS::Queue').map(({ RedrivePolicy }) => RedrivePolicy?.deadLetterTargetArn);
  const ofStreams = valuesOf(stack, 'AWS::Lambda::EventSourceMapping').map(
    ({ DestinationConfig }) => DestinationConfig?.OnFailure.Destination,
  );
  const ofRules = valuesOf(stack, 'AWS::Events::Rule').flatMap(({ Targets }) =>
    Targets.map((target: Properties) => target.DeadLetterConfig?.Arn),
  );
  return new Set([...ofQueues, ...ofStreams, ...ofRules].flatMap((arn) => (arn ? [idOf(arn)] : [])));
}

const consumers = (stack: Synthesized): Properties[] =>
  valuesOf(stack, 'AWS::Lambda::EventSourceMapping').filter(
    ({ EventSourceArn }) => stack.of('AWS::SQS::Queue')[idOf(EventSourceArn)],
  );

export function queuesContract(stack: () => Synthesized): void {
  describe('the queues', () => {
    it('move messages that fail too often to a dead-letter queue, or are one', () => {
      const dead = deadLetters(stack());
      const others = Object.entries(stack().of('AWS::SQS::Queue')).filter(([id]) => !dead.has(id));
      expect(others).toHaveLength(QUEUES.length);
      for (const [, { Properties: p }] of others) expect(p.RedrivePolicy.maxReceiveCount).toBe(MAX_RECEIVES);
    });

    it('share dead letters if they are handled alike: both lanes of deliveries, all due work, both readers of the stream', () => {
      const names = new Map(
        consumers(stack()).map(({ EventSourceArn, FunctionName }) => [idOf(EventSourceArn), FunctionName]),
      );
      const users = Object.entries(stack().of('AWS::SQS::Queue')).flatMap(([id, { Properties: p }]) =>
        p.RedrivePolicy
          ? [[idOf(p.RedrivePolicy.deadLetterTargetArn), functionNames(stack()).get(idOf(names.get(id)))] as const]
          : [],
      );
      const sharing = [...Map.groupBy(users, ([dead]) => dead).values()].filter(({ length }) => length > 1);
      expect(sharing.map((pairs) => pairs.map(([, name]) => name).sort())).toEqual([
        ['slow-deliveries', 'webhook-delivery'],
        ['renewals', 'timers', 'workflow-runs'],
      ]);
      expect(deadLetters(stack()).size).toBe(4);
    });

    it('have an alarm for the first message in a dead-letter queue', () => {
      const watched = valuesOf(stack(), 'AWS::CloudWatch::Alarm').filter(
        ({ MetricName }) => MetricName === 'ApproximateNumberOfMessagesVisible',
      );
      const names = watched.map(({ Dimensions }) => idOf(Dimensions[0].Value));
      expect([...names].sort()).toEqual([...deadLetters(stack())].sort());
      expect(
        watched.filter(
          ({ Threshold, ComparisonOperator }) => Threshold !== 0 || ComparisonOperator !== 'GreaterThanThreshold',
        ),
      ).toEqual([]);
    });

    it('keep dead letters 14 days and messages 4, because a dead letter keeps its age', () => {
      const dead = deadLetters(stack());
      for (const [id, { Properties: p }] of Object.entries(stack().of('AWS::SQS::Queue')))
        expect(p.MessageRetentionPeriod).toBe((dead.has(id) ? 14 : 4) * 86_400);
    });

    it('have an alarm for a message that is older than the work of its queue explains', () => {
      const watched = valuesOf(stack(), 'AWS::CloudWatch::Alarm').filter(
        ({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage',
      );
      const names = new Map(
        consumers(stack()).map(({ EventSourceArn, FunctionName }) => [
          idOf(EventSourceArn),
          functionNames(stack()).get(idOf(FunctionName)),
        ]),
      );
      // The work of all others is in the due index too, whose alarms notice.
      const minutes: Readonly<Record<string, number>> = { 'webhook-delivery': 20 };
      const found = watched.map(({ Dimensions, Threshold, Statistic, Period, Unit }) => ({
        of: names.get(idOf(Dimensions[0].Value)),
        Threshold,
        Statistic,
        Period,
        Unit,
      }));
      expect(new Set(found)).toEqual(
        new Set(
          Object.entries(minutes).map(([of, late]) => ({
            of,
            Threshold: late * 60,
            Statistic: 'Maximum',
            Period: 300,
            Unit: undefined,
          })),
        ),
      );
    });

    it('accept TLS only', () => {
      const refusals = valuesOf(stack(), 'AWS::SQS::QueuePolicy').filter(({ PolicyDocument }) =>
        PolicyDocument.Statement.some(
          ({ Effect, Condition }: Properties) =>
            Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false',
        ),
      );
      expect(refusals).toHaveLength(Object.keys(stack().of('AWS::SQS::Queue')).length);
    });

    it('have one consumer each', () => {
      const names = consumers(stack()).map(({ FunctionName }) => functionNames(stack()).get(idOf(FunctionName)));
      expect([...names].sort()).toEqual([...QUEUES].sort());
    });

    it('have a visibility timeout of six times the timeout of their function', () => {
      for (const { EventSourceArn, FunctionName } of consumers(stack())) {
        const { Timeout } = stack().of('AWS::Lambda::Function')[idOf(FunctionName)]?.Properties ?? {};
        expect(
          stack().of('AWS::SQS::Queue')[idOf(EventSourceArn)]?.Properties.VisibilityTimeout,
        ).toBeGreaterThanOrEqual(6 * Timeout);
      }
    });

    it('deliver batches of the size that this test lists, or ten', () => {
      const sizes = consumers(stack()).map(({ BatchSize, FunctionName }) => [
        functionNames(stack()).get(idOf(FunctionName)),
        BatchSize,
      ]);
      const sizeOf: Readonly<Record<string, number>> = { renewals: 5, 'workflow-runs': 5, 'slow-deliveries': 50 };
      expect(sizes.sort()).toEqual([...QUEUES].sort().map((name) => [name, sizeOf[name] ?? 10]));
    });

    it('have a batching window where a batch is larger than ten, as SQS requires', () => {
      const large = consumers(stack()).filter(
        ({ BatchSize, MaximumBatchingWindowInSeconds = 0 }) => BatchSize > 10 || MaximumBatchingWindowInSeconds > 0,
      );
      expect(large).toMatchObject([{ BatchSize: 50, MaximumBatchingWindowInSeconds: 2 }]);
    });

    it('have the concurrency of the capacity of their stage', () => {
      const most = consumers(stack()).map(({ ScalingConfig, FunctionName }) => [
        functionNames(stack()).get(idOf(FunctionName)),
        ScalingConfig.MaximumConcurrency,
      ]);
      expect(Object.fromEntries(most)).toEqual(stageSettings(stack().stage).queueConcurrency);
    });

    it('repeat only the messages of a batch that failed', () => {
      for (const mapping of consumers(stack()))
        expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
    });
  });

  describe('the bus', () => {
    it('has a rule for each subscribed queue', () => {
      const targets = valuesOf(stack(), 'AWS::Events::Rule').map(({ Targets }) => idOf(Targets[0].Arn));
      const subscribed = new Set(Object.values(EVENT_QUEUES).flat());
      expect(targets).toHaveLength(subscribed.size);
      expect(consumers(stack()).filter(({ EventSourceArn }) => targets.includes(idOf(EventSourceArn)))).toHaveLength(
        subscribed.size,
      );
    });

    it('delivers the event alone, with its organization as message group', () => {
      stack().template.hasResourceProperties('AWS::Events::Rule', {
        EventPattern: { source: ['payfork'] },
        Targets: [{ InputPath: '$.detail', SqsParameters: { MessageGroupId: '$.detail.org_id' } }],
      });
    });

    it('has a dead-letter queue for every rule', () => {
      const targets = valuesOf(stack(), 'AWS::Events::Rule').flatMap(({ Targets }) => Targets);
      expect(targets.filter(({ DeadLetterConfig }) => !DeadLetterConfig)).toEqual([]);
    });
  });
}
