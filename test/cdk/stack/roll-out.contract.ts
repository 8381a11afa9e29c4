import { describe, expect, it } from 'vitest';
import { buildVersion } from '#lib/aws/build-version.ts';
import { functionNames, invokedName } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties, type Synthesized } from '#test/cdk/synthesized.support.ts';

/** Whatever may charge a customer or pay back. */
const MOVE_MONEY = [
  'hosted-pages',
  'invoices',
  'payment-actions',
  'payments',
  'psp-webhooks',
  'renewals',
  'subscriptions',
  'timers',
  'workflow-runs',
];

export function rollOutContract(stack: () => Synthesized): void {
  const groups = () => stack().of('AWS::CodeDeploy::DeploymentGroup');
  const aliases = () => Object.values(stack().of('AWS::Lambda::Alias'));
  const alarm = (id: string) =>
    Object.entries(stack().of('AWS::CloudWatch::Alarm')).find(([each]) => each.startsWith(`Alarms${id}`));

  describe('a roll-out', () => {
    it('tries the functions that move money on a tenth of the invocations in live, and none in the sandbox', () => {
      const tried = aliases().flatMap(({ UpdatePolicy: policy, Properties: p }: Properties) => {
        const { CodeDeployLambdaAliasUpdate: update } = policy ?? {};
        return update ? [[functionNames(stack()).get(idOf(p.FunctionName)), idOf(update.DeploymentGroupName)]] : [];
      });
      expect(tried.map(([name]) => name).sort()).toEqual(stack().stage === 'live' ? MOVE_MONEY : []);
      expect(tried.map(([, group]) => group).sort()).toEqual(Object.keys(groups()).sort());
      for (const { Properties: p } of Object.values(groups()))
        expect(p.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
    });

    it('is taken back by the alarms that page for failures, of which CodeDeploy takes ten', () => {
      for (const { Properties: p } of Object.values(groups())) {
        const watched = p.AlarmConfiguration.Alarms.map(({ Name }: Properties) => idOf(Name));
        const urgent = ['apifailures', 'callbacksfailing', 'timersfailing', 'probefailing'];
        expect(watched).toEqual(expect.arrayContaining(urgent.map((id) => alarm(id)?.[0])));
        expect(watched.length).toBeLessThanOrEqual(10);
        expect(p.AlarmConfiguration.Enabled).toBe(true);
        expect(p.AutoRollbackConfiguration).toEqual({
          Enabled: true,
          Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
        });
      }
    });

    it('leaves no version behind: each alias names the only one that its function has', () => {
      const versions = Object.entries(stack().of('AWS::Lambda::Version'));
      expect(
        aliases()
          .map(({ Properties: p }) => idOf(p.FunctionVersion))
          .sort(),
      ).toEqual(versions.map(([id]) => id).sort());
      expect(versions.filter(([, { DeletionPolicy = 'Delete' }]) => DeletionPolicy !== 'Delete')).toEqual([]);
    });

    it('changes the version of a function only if its code or settings changed: one alone is told the build', () => {
      const told = Object.values(stack().of('AWS::Lambda::Function')).filter(
        ({ Properties: p }) => p.Environment.Variables.VERSION !== undefined,
      );
      expect(told.map(({ Properties: p }) => [p.Description, p.Environment.Variables.VERSION])).toEqual([
        ['payfork health', buildVersion()],
      ]);
      expect(buildVersion()).toMatch(/^\d+\.\d+\.\d+\+[0-9a-f]{12}$/);
    });
  });

  describe('the probe', () => {
    const isLive = () => stack().stage === 'live';

    it('runs each minute on live and every five in the sandbox, by a schedule that is made after its group', () => {
      const schedules = Object.values(stack().of('AWS::Scheduler::Schedule'));
      const [group] = Object.keys(stack().of('AWS::Scheduler::ScheduleGroup'));
      const runs = schedules.filter(({ Properties: p }) => invokedName(stack(), p.Target.Arn) === 'probe');
      const [expression] = runs.map(({ Properties: p }) => p.ScheduleExpression);
      expect([runs.length, expression]).toEqual([1, isLive() ? 'rate(1 minute)' : 'rate(5 minutes)']);
      for (const { DependsOn = [] } of schedules) expect(DependsOn).toContain(group);
    });

    it('pages somebody if three of five runs fail on live, or two of three in the sandbox, and if it does not run', () => {
      const [, found] = alarm('probefailing') ?? [];
      const { MetricName, Statistic, Period, ComparisonOperator, TreatMissingData, Dimensions, ...limits } =
        found?.Properties ?? {};
      expect([MetricName, Statistic, Period]).toEqual(['Errors', 'Sum', 300]);
      expect([ComparisonOperator, TreatMissingData]).toEqual(['GreaterThanThreshold', 'breaching']);
      expect(limits).toMatchObject(
        isLive()
          ? { Threshold: 2, EvaluationPeriods: 1 }
          : { Threshold: 0, EvaluationPeriods: 3, DatapointsToAlarm: 2 },
      );
      expect(functionNames(stack()).get(idOf(Dimensions[0].Value))).toBe('probe');
    });
  });
}
