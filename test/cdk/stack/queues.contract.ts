import { describe, expect, it } from 'vitest';
import { EVENT_QUEUES } from '#functions/event-table.ts';
import { stageSettings } from '#lib/aws/stages.ts';
import { MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { invokedName } from '#test/cdk/stack/function-names.support.ts';
import {
  idOf,
  type Properties,
  type Synthesized,
  type SynthesizedStack,
  textOf,
} from '#test/cdk/synthesized.support.ts';

const valuesOf = (stack: SynthesizedStack, type: string): Properties[] =>
  Object.values(stack.of(type)).map(({ Properties: p }) => p);

/** The name at the end of a queue's ARN. */
const named = (arn: Properties): string => textOf(arn).split(':').at(-1) ?? '';

/** Other rules are on the account's own bus, and notify people. */
const rulesOfBus = (stack: SynthesizedStack): Properties[] =>
  valuesOf(stack, 'AWS::Events::Rule').filter(({ EventBusName }) => EventBusName);

/** Names of the queues that take what failed: of another queue, of the stream, of the bus. */
function deadLetters(stack: Synthesized): ReadonlySet<string> {
  const ofQueues = valuesOf(stack, 'AWS::SQS::Queue').map(({ RedrivePolicy }) => RedrivePolicy?.deadLetterTargetArn);
  const ofStreams = valuesOf(stack, 'AWS::Lambda::EventSourceMapping').map(
    ({ DestinationConfig }) => DestinationConfig?.OnFailure.Destination,
  );
  const ofRules = rulesOfBus(stack).flatMap(({ Targets }) =>
    Targets.map((target: Properties) => target.DeadLetterConfig?.Arn),
  );
  return new Set([...ofQueues, ...ofStreams, ...ofRules].flatMap((arn) => (arn ? [named(arn)] : [])));
}

const consumers = (stack: Synthesized): Properties[] =>
  valuesOf(stack, 'AWS::Lambda::EventSourceMapping').filter(
    ({ EventSourceArn }) => stack.of('AWS::SQS::Queue')[idOf(EventSourceArn)],
  );

export function queuesContract(stack: () => Synthesized): void {
  describe('the queues', () => {
    it('move messages that fail too often to a dead-letter queue of the state stack', () => {
      const queues = valuesOf(stack(), 'AWS::SQS::Queue');
      expect(queues).toHaveLength(QUEUES.length);
      for (const { RedrivePolicy } of queues) expect(RedrivePolicy.maxReceiveCount).toBe(MAX_RECEIVES);
      const made = valuesOf(stack().state, 'AWS::SQS::Queue').map(({ QueueName }) => QueueName);
      expect(made.sort()).toEqual([...deadLetters(stack())].sort());
    });

    it('share dead letters if they are handled alike: both lanes of deliveries, all due work, both readers of the stream', () => {
      const names = new Map(
        consumers(stack()).map(({ EventSourceArn, FunctionName }) => [idOf(EventSourceArn), FunctionName]),
      );
      const users = Object.entries(stack().of('AWS::SQS::Queue')).flatMap(([id, { Properties: p }]) =>
        p.RedrivePolicy
          ? [[named(p.RedrivePolicy.deadLetterTargetArn), invokedName(stack(), names.get(id))] as const]
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
      const names = watched.map(({ Dimensions }) => Dimensions[0].Value);
      expect([...names].sort()).toEqual([...deadLetters(stack())].sort());
      expect(
        watched.filter(
          ({ Threshold, ComparisonOperator }) => Threshold !== 0 || ComparisonOperator !== 'GreaterThanThreshold',
        ),
      ).toEqual([]);
    });

    it('keep dead letters 14 days and messages 4, because a dead letter keeps its age', () => {
      for (const p of valuesOf(stack(), 'AWS::SQS::Queue')) expect(p.MessageRetentionPeriod).toBe(4 * 86_400);
      for (const p of valuesOf(stack().state, 'AWS::SQS::Queue')) expect(p.MessageRetentionPeriod).toBe(14 * 86_400);
    });

    it('have an alarm for a message that is older than the work of its queue explains', () => {
      const watched = valuesOf(stack(), 'AWS::CloudWatch::Alarm').filter(
        ({ MetricName }) => MetricName === 'ApproximateAgeOfOldestMessage',
      );
      const names = new Map(
        consumers(stack()).map(({ EventSourceArn, FunctionName }) => [
          idOf(EventSourceArn),
          invokedName(stack(), FunctionName),
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
      for (const each of [stack(), stack().state]) {
        const refusals = valuesOf(each, 'AWS::SQS::QueuePolicy').filter(({ PolicyDocument }) =>
          PolicyDocument.Statement.some(
            ({ Effect, Condition }: Properties) =>
              Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false',
          ),
        );
        expect(refusals).toHaveLength(Object.keys(each.of('AWS::SQS::Queue')).length);
      }
    });

    it('have one consumer each', () => {
      const names = consumers(stack()).map(({ FunctionName }) => invokedName(stack(), FunctionName));
      expect([...names].sort()).toEqual([...QUEUES].sort());
    });

    it('have a visibility timeout of six times the timeout of their function', () => {
      for (const { EventSourceArn, FunctionName } of consumers(stack())) {
        const { Timeout = Infinity } =
          valuesOf(stack(), 'AWS::Lambda::Function').find(
            ({ Description }) => Description === `payfork ${invokedName(stack(), FunctionName)}`,
          ) ?? {};
        expect(
          stack().of('AWS::SQS::Queue')[idOf(EventSourceArn)]?.Properties.VisibilityTimeout,
        ).toBeGreaterThanOrEqual(6 * Timeout);
      }
    });

    it('deliver batches of the size that this test lists, or ten', () => {
      const sizes = consumers(stack()).map(({ BatchSize, FunctionName }) => [
        invokedName(stack(), FunctionName),
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
        invokedName(stack(), FunctionName),
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
      const targets = rulesOfBus(stack()).map(({ Targets }) => idOf(Targets[0].Arn));
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
      const targets = rulesOfBus(stack()).flatMap(({ Targets }) => Targets);
      const name = `${stack().name}-bus-dead-letters`;
      expect(new Set(targets.map(({ DeadLetterConfig }) => named(DeadLetterConfig.Arn)))).toEqual(new Set([name]));
    });

    it('alone may put what it could not deliver into that queue, by the name that both stacks know', () => {
      const [bus] = valuesOf(stack(), 'AWS::Events::EventBus');
      const allowed = valuesOf(stack().state, 'AWS::SQS::QueuePolicy')
        .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
        .filter(({ Effect }: Properties) => Effect === 'Allow');
      expect(allowed).toMatchObject([{ Action: 'sqs:SendMessage', Principal: { Service: 'events.amazonaws.com' } }]);
      expect(textOf(allowed[0].Condition.ArnLike['aws:SourceArn'])).toMatch(new RegExp(`:rule/${bus.Name}/\\*$`));
    });
  });
}
