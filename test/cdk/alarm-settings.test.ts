import { runInNewContext } from 'node:vm';
import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import { checkSettings, type PayforkSettings } from '#lib/aws/payfork-settings.ts';
import { bareApp, deployed } from '#test/cdk/deployed.support.ts';
import { functionNames } from '#test/cdk/stack/function-names.support.ts';
import { idOf, type Properties } from '#test/cdk/synthesized.support.ts';

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:on-call';
const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b';

const given = {
  alarms: {
    page: ['https://events.example.com/0a1b', TOPIC],
    look: ['ops@example.com'],
    providers: ['stripe', 'mollie'],
    monthlyBudgetUsd: 250,
    lambdaConcurrency: 5_000,
  },
  traces: 'sampled',
  mail: { from: 'payments@example.com' },
  domain: { name: 'api.example.com', certificateArn: CERTIFICATE },
} as const satisfies Partial<PayforkSettings>;

const stack = deployed(given);
const alarms = (): readonly (readonly [string, Properties])[] =>
  Object.entries(stack.of('AWS::CloudWatch::Alarm')).map(([id, { Properties: p }]) => [
    /^Alarms(.+)[0-9A-F]{8}$/.exec(id)?.[1] ?? id,
    p,
  ]);
const alarm = (name: string): Properties => alarms().find(([id]) => id === name)?.[1];

/** What a metric math expression says in a period in which only these metrics have data. `NaN`: nothing. */
const saidBy = (expression: string, data: Readonly<Record<string, number>>): number =>
  runInNewContext(expression, {
    succeeded: undefined,
    failed: undefined,
    ...data,
    FILL: (value: number | undefined, other: number) => value ?? other,
  });

describe('a stage whose alarms notify', () => {
  const warnings = (subscribers: PayforkSettings['alarms']) => {
    const stack = new Stack(bareApp(), 'Stack');
    new ServiceAlarms(stack, 'Alarms', subscribers);
    const found = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('Nobody is notified'));
    return found.map(({ entry: { data } }) => /severity (\w+)/.exec(String(data))?.[1]).sort();
  };

  it.each([
    ['nobody is warned of at synth, for each severity', undefined, ['look', 'page']],
    ['an address only on working days is warned of', { look: ['ops@example.com'] }, ['page']],
    ['a topic and an address is not warned of', { page: [TOPIC], look: ['ops@example.com'] }, []],
  ])('%s', (_, subscribers, warned) => expect(warnings(subscribers)).toEqual(warned));
});

describe('the subscribers that the settings name', () => {
  it('are subscribed to the topic of their severity, each in its own way', () => {
    const made = Object.values(stack.of('AWS::SNS::Subscription')).map(({ Properties: p }) => [
      idOf(p.TopicArn).replace(/[0-9A-F]{8}$/, ''),
      p.Protocol,
      p.Endpoint,
    ]);
    expect(made.sort()).toEqual([
      ['Alarmslook', 'email', 'ops@example.com'],
      ['Alarmspage', 'https', 'https://events.example.com/0a1b'],
    ]);
  });

  it('are notified directly of every alarm of their severity, if they are a topic themselves', () => {
    for (const [, { AlarmActions, OKActions }] of alarms()) {
      const isPage = idOf(AlarmActions[0]).startsWith('Alarmspage');
      expect(AlarmActions.slice(1)).toEqual(isPage ? [TOPIC] : []);
      expect(OKActions).toEqual(AlarmActions);
    }
  });

  it.each([
    ['page', ['nobody'], 'alarms.page.0 must be an e-mail address, an https address, or the ARN of an SNS topic.'],
    ['look', ['http://events.example.com'], 'alarms.look.0 must be an e-mail address'],
    ['providers', ['acme'], 'alarms.providers.0 must be one of: '],
    ['providers', [], 'alarms.providers must name at least one provider.'],
    ['monthlyBudgetUsd', 0, 'alarms.monthlyBudgetUsd must be an amount in USD.'],
    ['lambdaConcurrency', 2, 'alarms.lambdaConcurrency must be the quota of concurrent executions, at least 10.'],
    ['pages', [], 'alarms.pages is no setting.'],
  ])('and the rest of the alarms are refused with what to write: %s', (name, value, message) => {
    const settings = { name: 'ServiceLive', stage: 'live', alarms: { [name]: value } } as PayforkSettings;
    expect(() => checkSettings(settings)).toThrow(message);
  });
});

describe('the alarms that a setting adds', () => {
  it('compare a provider with what is usual at it on this weekday at this hour', () => {
    expect(alarm('stripedeclining')).toMatchObject({
      ComparisonOperator: 'LessThanLowerThreshold',
      EvaluationPeriods: 3,
      TreatMissingData: 'notBreaching',
    });
    const { Metrics, ThresholdMetricId } = alarm('stripedeclining');
    const band = Metrics.find(({ Id }: Properties) => Id === ThresholdMetricId);
    const compared = Metrics.find(({ Id }: Properties) => band.Expression === `ANOMALY_DETECTION_BAND(${Id}, 3)`);
    expect(saidBy(compared.Expression, { succeeded: 3, failed: 1 })).toBe(75);
    expect(saidBy(compared.Expression, { failed: 4 })).toBe(0);
    expect(saidBy(compared.Expression, {})).toBeNaN();
    const outcomes = Metrics.flatMap(({ MetricStat }: Properties) => MetricStat?.Metric.Dimensions ?? []);
    expect(outcomes).toContainEqual({ Name: 'provider', Value: 'stripe' });
    expect(alarm('molliedeclining')).toBeDefined();
    expect(alarm('paypaldeclining')).toBeUndefined();
  });

  it('page somebody if fewer payments end than usual, also if there is none', () => {
    const { Metrics, AlarmActions } = alarm('paymentsmissing');
    expect(JSON.stringify(Metrics)).toContain('FILL(settled, 0)');
    expect(idOf(AlarmActions[0])).toMatch(/^Alarmspage/);
  });

  it('know the quota of the account', () => expect(alarm('lambdaquota')).toMatchObject({ Threshold: 4_000 }));

  it('watch bounces and complaints only of a stage that sends mail, and its failures in each log', () => {
    expect(alarm('mailbounces')).toMatchObject({ Namespace: 'AWS/SES', Threshold: 0.05 });
    expect(alarm('mailcomplaints')).toMatchObject({ Namespace: 'AWS/SES', Threshold: 0.001 });
    const read = Object.values(stack.of('AWS::Logs::MetricFilter')).filter(
      ({ Properties: p }) => p.MetricTransformations[0].MetricName === 'mails_failed',
    );
    expect(read.map(({ Properties: p }) => p.LogGroupName.split('/').at(-1)).sort()).toEqual([
      'auth',
      'organizations',
      'platform',
      'slow-deliveries',
      'workflow-runs',
    ]);
  });

  it('tell of a certificate that was not renewed, and of a budget that is nearly used', () => {
    stack.template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['aws.acm'], resources: [CERTIFICATE] },
    });
    const [budget] = Object.values(stack.of('AWS::Budgets::Budget'));
    expect(budget?.Properties.Budget).toMatchObject({ BudgetLimit: { Amount: 250, Unit: 'USD' }, TimeUnit: 'MONTHLY' });
    const policies = JSON.stringify(stack.of('AWS::SNS::TopicPolicy'));
    for (const service of ['budgets', 'events', 'cloudwatch']) expect(policies).toContain(`${service}.amazonaws.com`);
  });

  it.each([
    ['a topic alone', [TOPIC], TOPIC],
    ['an address beside it', [TOPIC, 'ops@example.com'], expect.objectContaining({ Ref: expect.any(String) })],
  ])('tell of the budget where somebody hears of it: %s', (_, look, address) => {
    const alarms = { page: ['ops@example.com'], look, monthlyBudgetUsd: 250 };
    const [budget] = Object.values(deployed({ alarms }).of('AWS::Budgets::Budget'));
    const told = budget?.Properties.NotificationsWithSubscribers.flatMap(({ Subscribers }: Properties) => Subscribers);
    expect(told).toEqual([1, 2].map(() => ({ SubscriptionType: 'SNS', Address: address })));
  });
});

describe('a second stage in the same account', () => {
  it('has metrics of its own, which its functions write and its alarms and its dashboard read', () => {
    const cell = deployed({ name: 'CellTwo' });
    expect(cell.text).not.toContain('payfork/live');
    const [variables] = Object.values(cell.of('AWS::Lambda::Function')).map(
      ({ Properties: p }) => p.Environment.Variables,
    );
    expect(variables).toMatchObject({ METRICS: 'payfork/CellTwo', TRACES: 'slow' });
    expect(functionNames(stack).size).toBeGreaterThan(20);
    for (const { Properties: p } of Object.values(stack.of('AWS::Lambda::Function'))) {
      expect(p.Environment.Variables.TRACES).toBe('sampled');
      expect(p.Environment.Variables).not.toHaveProperty('METRICS');
    }
  });
});
