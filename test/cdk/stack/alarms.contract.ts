import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

export function alarmsContract(stack: () => Synthesized): void {
  const alarms = (): Properties[] => Object.values(stack().of('AWS::CloudWatch::Alarm')).map(({ Properties: p }) => p);
  const watched = (metric: string) => alarms().filter(({ MetricName }) => MetricName === metric);
  const functionsOf = (found: readonly Properties[]) =>
    found.map(({ Dimensions }) => functionNames(stack()).get(idOf(Dimensions[0].Value))).sort();

  const topicOf = (output: string) => idOf(stack().template.toJSON().Outputs[output].Value);
  const pages = () => alarms().filter(({ AlarmActions }) => idOf(AlarmActions[0]) === topicOf('PageTopicArn'));

  describe('the alarms', () => {
    it.each(['Errors', 'Throttles'])('watch the %s of every function', (metric) => {
      expect(functionsOf(watched(metric).filter(({ Threshold }) => Threshold === 0))).toEqual(
        [...functionNames(stack()).values()].sort(),
      );
    });

    it('page for repeated errors and for throttles of functions that money or customers wait for', () => {
      const urgent = Object.entries(FUNCTIONS).flatMap(([name, { urgent }]) => (urgent ? [name] : []));
      expect(urgent.sort()).toEqual(['hosted-pages', 'payments', 'psp-webhooks', 'timers']);
      expect(functionsOf(watched('Errors').filter(({ Threshold }) => Threshold === 2))).toEqual(urgent);
      expect(
        functionsOf(pages().filter(({ MetricName }) => MetricName === 'Errors' || MetricName === 'Throttles')),
      ).toEqual([...urgent, ...urgent].sort());
    });

    it('go off when a consumer of the stream is five minutes behind', () => {
      expect(functionsOf(watched('IteratorAge'))).toEqual(['projector', 'relay']);
      for (const alarm of watched('IteratorAge'))
        expect(alarm).toMatchObject({ Threshold: 300_000, Statistic: 'Maximum' });
    });

    it('go off when the schedule starts nothing, or its calls are dropped, by the metrics of the Scheduler', () => {
      const [group] = Object.keys(stack().of('AWS::Scheduler::ScheduleGroup'));
      const [{ Properties } = { Properties: undefined }] = Object.values(stack().of('AWS::Scheduler::ScheduleGroup'));
      expect([group, Properties?.Name]).toEqual([expect.any(String), expect.any(String)]);
      const Dimensions = [{ Name: 'ScheduleGroup', Value: Properties.Name }];
      const common = {
        Namespace: 'AWS/Scheduler',
        Dimensions,
        Statistic: 'Sum',
        Period: 300,
        EvaluationPeriods: 2,
        DatapointsToAlarm: 2,
      };
      expect(watched('InvocationAttemptCount')).toMatchObject([
        { ...common, ComparisonOperator: 'LessThanThreshold', Threshold: 1 },
      ]);
      expect(watched('InvocationDroppedCount')).toMatchObject([
        { ...common, ComparisonOperator: 'GreaterThanThreshold', Threshold: 1 },
      ]);
    });

    /** Alarms on an expression. */
    const computed = (expression: RegExp) =>
      alarms().filter(({ Metrics = [] }) =>
        Metrics.some(({ Expression }: Properties) => expression.test(JSON.stringify(Expression ?? ''))),
      );
    const namesIn = ({ Metrics }: Properties): string[] =>
      Metrics.flatMap(({ MetricStat }: Properties) => (MetricStat ? [MetricStat.Metric.MetricName] : []));

    it('page when more than 1 in 100 requests, and more than two a minute, fail by our fault in 3 of 5 minutes', () => {
      const [alarm, ...others] = computed(/failed > 2, 100 \* failed \/ requests, 0/);
      expect(others).toEqual([]);
      expect(alarm).toMatchObject({
        Threshold: 1,
        EvaluationPeriods: 5,
        DatapointsToAlarm: 3,
        ComparisonOperator: 'GreaterThanThreshold',
      });
      expect(namesIn(alarm)).toEqual(['api_failures', 'Count']);
      const [api] = Object.values(stack().of('AWS::ApiGatewayV2::Stage'));
      stack().template.allResourcesProperties('AWS::Logs::MetricFilter', {
        LogGroupName: { Ref: idOf(api?.Properties.AccessLogSettings.DestinationArn) },
        FilterPattern: '{ ($.status = "5*") && ($.status != "502") }',
        MetricTransformations: [
          { MetricName: 'api_failures', MetricNamespace: metricNamespace(stack().stage), MetricValue: '1' },
        ],
      });
    });

    it('report when more than 1 in 20 requests get a 5xx for 15 minutes, including trouble of providers', () => {
      const [alarm, ...others] = computed(/failed > 0, 100 \* failed \/ requests, 0/);
      expect(others).toEqual([]);
      expect(alarm).toMatchObject({
        Threshold: 5,
        EvaluationPeriods: 3,
        DatapointsToAlarm: 3,
        ComparisonOperator: 'GreaterThanThreshold',
      });
      expect(namesIn(alarm)).toEqual(['5xx', 'Count']);
    });

    it.each(['ThrottledRequests', 'SystemErrors'])('watch the %s of the table over all operations', (metric) => {
      const [alarm, ...others] = computed(new RegExp(metric));
      const [table = ''] = Object.keys(stack().of('AWS::DynamoDB::Table'));
      const [{ Expression, Period }] = alarm.Metrics;
      expect([others, alarm.Metrics.length, Period, alarm.Threshold]).toEqual([[], 1, 300, 10]);
      expect(Expression['Fn::Join'][1]).toEqual([
        `SELECT SUM(${metric}) FROM SCHEMA("AWS/DynamoDB", Operation, TableName) WHERE TableName = '`,
        { Ref: table },
        "'",
      ]);
    });

    it.each([
      ['a person must decide about a payment', 'review_begun', 'Sum', 0],
      ['a payment has been due for a quarter of an hour', 'payments_overdue_ms', 'Maximum', 900_000],
      ['an event has been due for a quarter of an hour', 'events_overdue_ms', 'Maximum', 900_000],
      ['a renewal has been due for an hour', 'renewals_overdue_ms', 'Maximum', 3_600_000],
      ['an execution has been due for a quarter of an hour', 'workflows_overdue_ms', 'Maximum', 900_000],
    ])('go off when %s', (_, metric, Statistic, Threshold) => {
      const Namespace = metricNamespace(stack().stage);
      expect(watched(metric)).toMatchObject([
        { Namespace, Statistic, Threshold, ComparisonOperator: 'GreaterThanThreshold' },
      ]);
      expect(watched(metric)[0]).not.toHaveProperty('Dimensions');
    });

    it('treat missing data as good, except for the schedule, which must always run', () => {
      const goOffWithoutData = alarms().filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
      expect(goOffWithoutData.map(({ MetricName, TreatMissingData }) => [MetricName, TreatMissingData])).toEqual([
        ['InvocationAttemptCount', 'breaching'],
      ]);
    });

    it('receive their metrics, because no function has a log level that drops the lines', () => {
      for (const { Properties: p } of Object.values(stack().of('AWS::Lambda::Function'))) {
        expect(p.LoggingConfig).not.toHaveProperty('ApplicationLogLevel');
        expect(Object.keys(p.Environment.Variables).filter((name) => /LOG_LEVEL/.test(name))).toEqual([]);
      }
    });

    it('may publish to their topics', () => {
      const Statement = Match.arrayWith([
        Match.objectLike({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
        }),
      ]);
      stack().template.allResourcesProperties('AWS::SNS::TopicPolicy', {
        PolicyDocument: Match.objectLike({ Statement }),
      });
      stack().template.resourceCountIs('AWS::SNS::TopicPolicy', 2);
    });

    it('have a description, and notify one of two topics when they go off and when it is over', () => {
      const topics = [topicOf('PageTopicArn'), topicOf('LookTopicArn')];
      expect(new Set(topics)).toEqual(new Set(Object.keys(stack().of('AWS::SNS::Topic'))));
      for (const { AlarmActions, OKActions, AlarmDescription } of alarms()) {
        expect(topics).toContain(idOf(AlarmActions[0]));
        expect([AlarmActions.length, OKActions]).toEqual([1, AlarmActions]);
        expect(AlarmDescription.length).toBeGreaterThan(20);
      }
    });

    it('page only for the metrics that this test lists', () => {
      const metrics = new Set(pages().flatMap(({ MetricName, Metrics = [] }) => MetricName ?? namesIn({ Metrics })));
      expect([...metrics].sort()).toEqual(
        [
          ...[
            'ApproximateAgeOfOldestMessage',
            'Count',
            'Errors',
            'InvocationAttemptCount',
            'InvocationDroppedCount',
            'IteratorAge',
            'Throttles',
          ],
          ...['api_failures', 'payments_overdue_ms', 'renewals_overdue_ms'],
        ].sort(),
      );
      expect(functionsOf(pages().filter(({ MetricName }) => MetricName === 'IteratorAge'))).toEqual(['relay']);
    });
  });

  describe('the schedules', () => {
    it('are those of the table, and each names itself', () => {
      const found = Object.values(stack().of('AWS::Scheduler::Schedule')).map(({ Properties: p }) => p);
      const named = found.map(({ ScheduleExpression, Target }) => [
        JSON.parse(Target.Input).schedule,
        Number(/^rate\((\d+) minutes?\)$/.exec(ScheduleExpression)?.[1]),
      ]);
      expect(named.sort()).toEqual(SCHEDULES.map(({ name, everyMinutes }) => [name, everyMinutes]).sort());
      expect(new Set(found.map(({ Target }) => functionNames(stack()).get(idOf(Target.Arn))))).toEqual(
        new Set(['timers']),
      );
    });
  });
}
