import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { STAGES } from '#lib/aws/stages.ts';
import { metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';
import { functionNames, invokedName } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized, textOf } from '#test/cdk/synthesized.support.ts';

export function alarmsContract(stack: () => Synthesized): void {
  const alarms = (): Properties[] => Object.values(stack().of('AWS::CloudWatch::Alarm')).map(({ Properties: p }) => p);
  const watched = (metric: string) => alarms().filter(({ MetricName }) => MetricName === metric);
  const functionsOf = (found: readonly Properties[]) =>
    found.map(({ Dimensions }) => functionNames(stack()).get(idOf(Dimensions[0].Value))).sort();

  const topicOf = (output: string) => idOf(stack().template.toJSON().Outputs[output].Value);
  const pages = () => alarms().filter(({ AlarmActions }) => idOf(AlarmActions[0]) === topicOf('PageTopicArn'));

  describe('the alarms', () => {
    /** Alarms on an expression. */
    const computed = (expression: RegExp) =>
      alarms().filter(({ Metrics = [] }) =>
        Metrics.some(({ Expression }: Properties) => expression.test(JSON.stringify(Expression ?? ''))),
      );
    const namesIn = ({ Metrics }: Properties): string[] =>
      Metrics.flatMap(({ MetricStat }: Properties) => (MetricStat ? [MetricStat.Metric.MetricName] : []));

    it('page for repeated errors of the functions that no other alarm watches: timers and the probe', () => {
      const urgent = Object.entries(FUNCTIONS).flatMap(([name, { urgent }]) => (urgent ? [name] : []));
      expect(urgent).toEqual(['timers']);
      const errors = watched('Errors');
      expect(functionsOf(errors)).toEqual([...urgent, 'probe'].sort());
      expect(errors.every((alarm) => pages().includes(alarm))).toBe(true);
      expect(errors.map(({ Threshold }) => Threshold).sort()).toEqual(stack().stage === 'live' ? [2, 2] : [0, 2]);
    });

    it('report any failure of any function and any error that one logs, by one metric over all of their logs', () => {
      const common = { MetricName: 'function_failures', MetricNamespace: metricNamespace(stack().stage) };
      const filters = Object.values(stack().of('AWS::Logs::MetricFilter')).map(({ Properties: p }) => p);
      const counting = filters.filter(({ MetricTransformations: [made] }) => made.MetricName === common.MetricName);
      const logs = Object.values(stack().of('AWS::Lambda::Function')).map(
        ({ Properties: p }) => p.LoggingConfig.LogGroup,
      );
      expect(counting.map(({ LogGroupName }) => LogGroupName).sort()).toEqual(logs.sort());
      for (const { FilterPattern, MetricTransformations } of counting) {
        expect(FilterPattern).toBe(
          '{ ($.level = "ERROR") || (($.type = "platform.report") && ($.record.status != "success")) }',
        );
        expect(MetricTransformations).toMatchObject([{ ...common, MetricValue: '1' }]);
      }
      expect(watched(common.MetricName)).toMatchObject([{ Threshold: 0, Namespace: common.MetricNamespace }]);
    });

    it('go off when the projector is five minutes behind, or is not invoked although payments are created', () => {
      const [alarm, ...others] = computed(
        /IF\(FILL\(paid, 0\) > 0 AND FILL\(runs, 0\) == 0, 86400000, FILL\(age, 0\)\)/,
      );
      expect(others).toEqual([]);
      expect(alarm).toMatchObject({ Threshold: 300_000, EvaluationPeriods: 3, DatapointsToAlarm: 2 });
      expect(namesIn(alarm)).toEqual(['payment_ms', 'Invocations', 'IteratorAge']);
    });

    it('page when callbacks fail at the function URL, but not for what their provider did not answer', () => {
      const [alarm, ...others] = computed(/failed - FILL\(unanswered, 0\)/);
      expect(others).toEqual([]);
      expect(alarm).toMatchObject({ Threshold: 2, ComparisonOperator: 'GreaterThanThreshold' });
      expect(namesIn(alarm)).toEqual(['Url5xxCount', 'callbacks_without_provider']);
      expect(pages()).toContain(alarm);
    });

    it('go off when the scheduled function has not been invoked in ten minutes', () => {
      const common = { Namespace: 'AWS/Lambda', Statistic: 'Sum', Period: 300 };
      expect(functionsOf(watched('Invocations'))).toEqual(['timers']);
      expect(watched('Invocations')).toMatchObject([
        {
          ...common,
          EvaluationPeriods: 2,
          DatapointsToAlarm: 2,
          ComparisonOperator: 'LessThanThreshold',
          Threshold: 1,
        },
      ]);
    });

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
      stack().template.hasResourceProperties('AWS::Logs::MetricFilter', {
        LogGroupName: /log-group:(.+?)(:\*)?$/.exec(textOf(api?.Properties.AccessLogSettings.DestinationArn))?.[1],
        FilterPattern: '{ ($.status = "5*") && ($.status != "502") }',
        MetricTransformations: [
          { MetricName: 'api_failures', MetricNamespace: metricNamespace(stack().stage), MetricValue: '1' },
        ],
      });
    });

    it.each(['table_throttled', 'key_range_throttled'])('page for %s, which the service logs', (metric) => {
      const Namespace = metricNamespace(stack().stage);
      expect(watched(metric)).toMatchObject([
        { Namespace, Statistic: 'Sum', Threshold: 10, EvaluationPeriods: 3, DatapointsToAlarm: 2 },
      ]);
      expect(pages()).toContain(watched(metric)[0]);
    });

    it.each([
      ['a person must decide about a payment', 'review_begun', 'Sum', 0],
      ['a payment has been due for a quarter of an hour', 'payments_overdue_ms', 'Maximum', 900_000],
      ['a renewal has been due for an hour', 'renewals_overdue_ms', 'Maximum', 3_600_000],
      ['an event or an execution has been due for a quarter of an hour', 'background_overdue_ms', 'Maximum', 900_000],
    ])('go off when %s', (_, metric, Statistic, Threshold) => {
      const Namespace = metricNamespace(stack().stage);
      expect(watched(metric)).toMatchObject([
        { Namespace, Statistic, Threshold, ComparisonOperator: 'GreaterThanThreshold' },
      ]);
      expect(watched(metric)[0]).not.toHaveProperty('Dimensions');
    });

    it('treat missing data as good, except for the schedule and the probe, which must always run', () => {
      const goOffWithoutData = alarms().filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
      expect(goOffWithoutData.map(({ MetricName, TreatMissingData }) => [MetricName, TreatMissingData]).sort()).toEqual(
        [
          ['Errors', 'breaching'],
          ['Invocations', 'breaching'],
        ],
      );
      expect(functionsOf(goOffWithoutData)).toEqual(['probe', 'timers']);
    });

    it('receive their metrics, because no function drops our lines, nor those of Lambda about a failure', () => {
      for (const { Properties: p } of Object.values(stack().of('AWS::Lambda::Function'))) {
        expect(p.LoggingConfig).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
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
          ...['ApproximateAgeOfOldestMessage', 'Count', 'Errors', 'Invocations', 'Url5xxCount'],
          ...[
            'api_failures',
            'callbacks_without_provider',
            'payments_overdue_ms',
            'relayed_late',
            'renewals_overdue_ms',
          ],
          ...['table_throttled', 'key_range_throttled'],
        ].sort(),
      );
    });
  });

  describe('the schedules', () => {
    it('are those of the table, and each names itself', () => {
      const found = Object.values(stack().of('AWS::Scheduler::Schedule')).map(({ Properties: p }) => p);
      const named = found.map(({ ScheduleExpression, Target }) => [
        JSON.parse(Target.Input).schedule,
        Number(/^rate\((\d+) minutes?\)$/.exec(ScheduleExpression)?.[1]),
      ]);
      const jobs = SCHEDULES.map(({ name, everyMinutes }) => [name, everyMinutes]);
      expect(named.sort()).toEqual([...jobs, ['probe', STAGES[stack().stage].probeEveryMinutes]].sort());
      expect(new Set(found.map(({ Target }) => invokedName(stack(), Target.Arn)))).toEqual(
        new Set(['timers', 'probe']),
      );
    });
  });
}
