import { describe, expect, it } from 'vitest';
import { EVENT_QUEUES } from '#functions/event-table.ts';
import { STAGES } from '#lib/aws/stages.ts';
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
      const minutes: Readonly<Record<string, number>> = {
        'webhook-delivery': 20,
        'slow-deliveries': 60,
        timers: 10,
        renewals: 30,
        'workflow-runs': 20,
      };
      const found = watched.map(({ Dimensions, Threshold, Statistic, Period, Unit }) => ({
        of: names.get(idOf(Dimensions[0].Value)),
        Threshold,
        Statistic,
        Period,
        Unit,
      }));
      expect(new Set(found)).toEqual(
        new Set(
          QUEUES.map((of) => ({
            of,
            Threshold: minutes[of]! * 60,
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

    it('have the concurrency of their stage; in live, few processes wait for dead endpoints', () => {
      const most = consumers(stack()).map(({ ScalingConfig, FunctionName }) => [
        functionNames(stack()).get(idOf(FunctionName)),
        ScalingConfig.MaximumConcurrency,
      ]);
      expect(Object.fromEntries(most)).toEqual(STAGES[stack().stage].queueConcurrency);
      const live = { 'webhook-delivery': 200, 'slow-deliveries': 20, timers: 50, renewals: 50, 'workflow-runs': 50 };
      if (stack().stage === 'live') expect(Object.fromEntries(most)).toEqual(live);
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
