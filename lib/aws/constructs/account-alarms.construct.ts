import { Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { PayforkSettings } from '#lib/aws/payfork-settings.ts';

export type AccountAlarmsProps = { readonly payfork: PayforkSettings; readonly alarms: ServiceAlarms };

/** Of an account that has asked for no more. New accounts may have as few as ten. */
const DEFAULT_CONCURRENCY = 1_000;
/** In percent. Raising a quota takes AWS hours to days. */
const NEARLY_ALL = 80;

/** What an account as a whole runs out of: executions of functions, money, and the time of a certificate. */
export class AccountAlarms extends Construct {
  constructor(scope: Construct, id: string, { payfork, alarms }: AccountAlarmsProps) {
    super(scope, id);
    const { lambdaConcurrency = DEFAULT_CONCURRENCY, monthlyBudgetUsd } = payfork.alarms ?? {};
    alarms.watch('lambda-quota', {
      severity: 'look',
      metric: new Metric({
        namespace: 'AWS/Lambda',
        // Reserved concurrency included: what is left for functions that have none.
        metricName: 'ClaimedAccountConcurrency',
        period: ALARM_PERIOD,
        statistic: 'Maximum',
      }),
      above: (NEARLY_ALL / 100) * lambdaConcurrency,
      lasting: { bad: 2, of: 3 },
      description:
        `${NEARLY_ALL} % of the account's ${lambdaConcurrency} concurrent executions are in use or reserved. Request a ` +
        'larger quota of Lambda, and state it in the settings.',
    });
    if (payfork.domain) this.#watchCertificate(payfork.domain.certificateArn, alarms);
    if (monthlyBudgetUsd !== undefined) this.#budget(monthlyBudgetUsd, alarms);
  }

  /** A certificate of ACM renews itself 60 days before its end, if its domain can still be proven. */
  #watchCertificate(certificateArn: string, alarms: ServiceAlarms): void {
    alarms.onEvent('certificate-expiring', {
      severity: 'page',
      pattern: {
        source: ['aws.acm'],
        detailType: ['ACM Certificate Approaching Expiration', 'ACM Certificate Expired'],
        resources: [certificateArn],
      },
      description:
        'The certificate of the API expires soon and was not renewed: is the record of its domain still there?',
    });
  }

  /** Of the whole account: costs can be told apart by tags only once somebody has activated them. */
  #budget(amount: number, alarms: ServiceAlarms): void {
    const look = alarms.onlyTopic('look');
    // A topic of somebody else's has a policy of its own.
    look.grantPublish(
      new ServicePrincipal('budgets.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    const notice = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number) => ({
      notification: { notificationType, threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'SNS', address: look.topicArn }],
    });
    new CfnBudget(this, 'Budget', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
      notificationsWithSubscribers: [notice('ACTUAL', NEARLY_ALL), notice('FORECASTED', 100)],
    });
  }
}
