import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { FUNCTIONS, type FunctionName, namesOf } from '#lib/aws/function-table.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';

export type MailAlarmsProps = {
  readonly names: ResourceNames;
  readonly functions: Readonly<Record<FunctionName, ServiceFunction>>;
  readonly alarms: ServiceAlarms;
};

/** Receipts, invitations and notices whose sending failed, in five minutes. Single addresses may not exist. */
const MIN_FAILED = 5;
/** SES reviews an account at 5 % and 0.1 %, and stops it at twice that and more. */
const MAX_BOUNCES = 0.05;
const MAX_COMPLAINTS = 0.001;

const NOT_MAILED = FilterPattern.stringValue('$.message', '=', '*_not_mailed');

/** Only for a stage that sends mail. Bounces and complaints are those of the whole account, as SES counts them. */
export class MailAlarms extends Construct {
  constructor(scope: Construct, id: string, { names, functions, alarms }: MailAlarmsProps) {
    super(scope, id);
    const counted = { filterPattern: NOT_MAILED, metricNamespace: names.metrics, metricName: 'mails_failed' };
    for (const name of namesOf(FUNCTIONS).filter((each) => FUNCTIONS[each].mails))
      new MetricFilter(this, name, { ...counted, logGroup: functions[name].log });
    alarms.watch('mails-failing', {
      severity: 'look',
      metric: new Metric({
        namespace: names.metrics,
        metricName: counted.metricName,
        period: ALARM_PERIOD,
        statistic: 'Sum',
      }),
      above: MIN_FAILED,
      description:
        'SES does not take our mail: its daily quota is used up, the account is still in its sandbox, or it was ' +
        'stopped. The lines …_not_mailed say why. Sign-in mails that fail are failures of the API.',
    });
    this.#watchReputation(alarms);
  }

  #watchReputation(alarms: ServiceAlarms): void {
    const rate = (metricName: string) =>
      new Metric({ namespace: 'AWS/SES', metricName, period: Duration.hours(1), statistic: 'Average' });
    const description = 'SES stops an account whose mail is not wanted. Look at the bounces and complaints of the ';
    alarms.watch('mail-bounces', {
      severity: 'look',
      metric: rate('Reputation.BounceRate'),
      above: MAX_BOUNCES,
      description: `${description}account: which organization invites, or mails receipts to, addresses that do not exist?`,
    });
    alarms.watch('mail-complaints', {
      severity: 'look',
      metric: rate('Reputation.ComplaintRate'),
      above: MAX_COMPLAINTS,
      description: `${description}account: who calls which mail unwanted?`,
    });
  }
}
