import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { SCHEDULES } from '#functions/schedule-table.ts';
import { metricNamespace } from '#shared/domain/metrics.catalog.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

export function watchContract(stack: () => Synthesized): void {
  const alarms = (): Properties[] => Object.values(stack().of('AWS::CloudWatch::Alarm')).map(({ Properties: p }) => p);
  const watched = (metric: string) => alarms().filter(({ MetricName }) => MetricName === metric);
  const functionsOf = (found: readonly Properties[]) => found.map(({ Dimensions }) => functionNames(stack()).get(idOf(Dimensions[0].Value))).sort();

  describe('the alarms', () => {
    it.each(['Errors', 'Throttles'])('ring at the %s of every function', (metric) => {
      expect(functionsOf(watched(metric))).toEqual([...functionNames(stack()).values()].sort());
    });

    it('ring when a reader of the stream is five minutes behind', () => {
      expect(functionsOf(watched('IteratorAge'))).toEqual(['projector', 'relay']);
      for (const alarm of watched('IteratorAge')) expect(alarm).toMatchObject({ Threshold: 300_000, Statistic: 'Maximum' });
    });

    it('ring when the API fails, and when nothing runs by the clock', () => {
      expect(watched('5xx')).toHaveLength(1);
      expect(watched('Invocations')).toMatchObject([{ ComparisonOperator: 'LessThanThreshold', Threshold: 1, TreatMissingData: 'breaching' }]);
    });

    it.each([
      ['a person must decide about a payment', 'review_begun', 'Sum', 0],
      ['a payment has been due for a quarter of an hour', 'payments_overdue_ms', 'Maximum', 900_000],
      ['an event has been due for a quarter of an hour', 'events_overdue_ms', 'Maximum', 900_000],
      ['a renewal has been due for an hour', 'renewals_overdue_ms', 'Maximum', 3_600_000],
      ['an execution has been due for a quarter of an hour', 'workflows_overdue_ms', 'Maximum', 900_000],
    ])('ring when %s', (_, metric, Statistic, Threshold) => {
      const Namespace = metricNamespace(stack().stage);
      expect(watched(metric)).toMatchObject([{ Namespace, Statistic, Threshold, ComparisonOperator: 'GreaterThanThreshold' }]);
      expect(watched(metric)[0]).not.toHaveProperty('Dimensions');
    });

    it('take silence for good news, but for what must happen all the time', () => {
      const silenceRings = alarms().filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
      expect(silenceRings.map(({ MetricName, TreatMissingData }) => [MetricName, TreatMissingData])).toEqual([['Invocations', 'breaching']]);
    });

    it('hear of metrics: no function logs less than the lines that are some', () => {
      for (const { Properties: p } of Object.values(stack().of('AWS::Lambda::Function'))) {
        expect(p.LoggingConfig).not.toHaveProperty('ApplicationLogLevel');
        expect(Object.keys(p.Environment.Variables).filter((name) => /LOG_LEVEL/.test(name))).toEqual([]);
      }
    });

    it('may ring at their topic', () => {
      stack().template.hasResourceProperties('AWS::SNS::TopicPolicy', {
        PolicyDocument: {
          Statement: Match.arrayWith([Match.objectLike({ Effect: 'Allow', Action: 'sns:Publish', Principal: { Service: 'cloudwatch.amazonaws.com' } })]),
        },
      });
    });

    it('say what they mean, at one place', () => {
      const [topic] = Object.keys(stack().of('AWS::SNS::Topic'));
      expect(alarms().filter(({ AlarmActions }) => AlarmActions?.length !== 1 || idOf(AlarmActions[0]) !== topic)).toEqual([]);
      expect(alarms().filter(({ AlarmDescription }) => !(AlarmDescription?.length > 20))).toEqual([]);
    });
  });

  describe('the schedules', () => {
    it('are those of the table, each calling for itself', () => {
      const found = Object.values(stack().of('AWS::Scheduler::Schedule')).map(({ Properties: p }) => p);
      const named = found.map(({ ScheduleExpression, Target }) => [
        JSON.parse(Target.Input).schedule,
        Number(/^rate\((\d+) minutes?\)$/.exec(ScheduleExpression)?.[1]),
      ]);
      expect(named.sort()).toEqual(SCHEDULES.map(({ name, everyMinutes }) => [name, everyMinutes]).sort());
      expect(new Set(found.map(({ Target }) => functionNames(stack()).get(idOf(Target.Arn))))).toEqual(new Set(['timers']));
    });
  });
}
