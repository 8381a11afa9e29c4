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
    it('put what fails too often into another one, or are such another one', () => {
      const dead = deadLetters(stack());
      const others = Object.entries(stack().of('AWS::SQS::Queue')).filter(([id]) => !dead.has(id));
      expect(others).toHaveLength(QUEUES.length);
      for (const [, { Properties: p }] of others) expect(p.RedrivePolicy.maxReceiveCount).toBe(MAX_RECEIVES);
    });

    it('ring as soon as something lies in a dead-letter queue', () => {
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

    it('keep dead letters as long as can be, and messages ten days less: they take their age along', () => {
      const dead = deadLetters(stack());
      for (const [id, { Properties: p }] of Object.entries(stack().of('AWS::SQS::Queue')))
        expect(p.MessageRetentionPeriod).toBe((dead.has(id) ? 14 : 4) * 86_400);
    });

    it('ring when a message is older than its queue’s work explains', () => {
      const watched = valuesOf(stack(), 'AWS::CloudWatch::Alarm').filter(
        ({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage',
      );
      const names = new Map(
        consumers(stack()).map(({ EventSourceArn, FunctionName }) => [
          idOf(EventSourceArn),
          functionNames(stack()).get(idOf(FunctionName)),
        ]),
      );
      const told: Readonly<Record<string, number>> = {
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
          QUEUES.map((of) => ({ of, Threshold: told[of]! * 60, Statistic: 'Maximum', Period: 300, Unit: undefined })),
        ),
      );
    });

    it('take nothing but over TLS', () => {
      const refusals = valuesOf(stack(), 'AWS::SQS::QueuePolicy').filter(({ PolicyDocument }) =>
        PolicyDocument.Statement.some(
          ({ Effect, Condition }: Properties) =>
            Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false',
        ),
      );
      expect(refusals).toHaveLength(Object.keys(stack().of('AWS::SQS::Queue')).length);
    });

    it('have a function each', () => {
      const names = consumers(stack()).map(({ FunctionName }) => functionNames(stack()).get(idOf(FunctionName)));
      expect([...names].sort()).toEqual([...QUEUES].sort());
    });

    it('hide a message for six times as long as its function may run', () => {
      for (const { EventSourceArn, FunctionName } of consumers(stack())) {
        const { Timeout } = stack().of('AWS::Lambda::Function')[idOf(FunctionName)]?.Properties ?? {};
        expect(
          stack().of('AWS::SQS::Queue')[idOf(EventSourceArn)]?.Properties.VisibilityTimeout,
        ).toBeGreaterThanOrEqual(6 * Timeout);
      }
    });

    it('hand over as many messages at once as their function’s line says, or ten', () => {
      const sizes = consumers(stack()).map(({ BatchSize, FunctionName }) => [
        functionNames(stack()).get(idOf(FunctionName)),
        BatchSize,
      ]);
      const told: Readonly<Record<string, number>> = { renewals: 5, 'workflow-runs': 5, 'slow-deliveries': 50 };
      expect(sizes.sort()).toEqual([...QUEUES].sort().map((name) => [name, told[name] ?? 10]));
    });

    it('gather messages where more than ten are handed over, as SQS asks', () => {
      const large = consumers(stack()).filter(
        ({ BatchSize, MaximumBatchingWindowInSeconds = 0 }) => BatchSize > 10 || MaximumBatchingWindowInSeconds > 0,
      );
      expect(large).toMatchObject([{ BatchSize: 50, MaximumBatchingWindowInSeconds: 2 }]);
    });

    it('are worked off by so many at once: in live, the dead receivers’ by few, the others’ by more than those can ever hold', () => {
      const most = consumers(stack()).map(({ ScalingConfig, FunctionName }) => [
        functionNames(stack()).get(idOf(FunctionName)),
        ScalingConfig.MaximumConcurrency,
      ]);
      expect(Object.fromEntries(most)).toEqual(STAGES[stack().stage].queueConcurrency);
      const live = { 'webhook-delivery': 200, 'slow-deliveries': 20, timers: 50, renewals: 50, 'workflow-runs': 50 };
      if (stack().stage === 'live') expect(Object.fromEntries(most)).toEqual(live);
    });

    it('bring again only those messages of a batch that failed', () => {
      for (const mapping of consumers(stack()))
        expect(mapping).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
    });
  });

  describe('the bus', () => {
    it('has a rule for each queue that subscribed', () => {
      const targets = valuesOf(stack(), 'AWS::Events::Rule').map(({ Targets }) => idOf(Targets[0].Arn));
      const subscribed = new Set(Object.values(EVENT_QUEUES).flat());
      expect(targets).toHaveLength(subscribed.size);
      expect(consumers(stack()).filter(({ EventSourceArn }) => targets.includes(idOf(EventSourceArn)))).toHaveLength(
        subscribed.size,
      );
    });

    it('hands over the event alone, as one of its organization', () => {
      stack().template.hasResourceProperties('AWS::Events::Rule', {
        EventPattern: { source: ['payfork'] },
        Targets: [{ InputPath: '$.detail', SqsParameters: { MessageGroupId: '$.detail.org_id' } }],
      });
    });

    it('puts aside what it can’t hand over', () => {
      const targets = valuesOf(stack(), 'AWS::Events::Rule').flatMap(({ Targets }) => Targets);
      expect(targets.filter(({ DeadLetterConfig }) => !DeadLetterConfig)).toEqual([]);
    });
  });
}
