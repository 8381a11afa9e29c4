import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

export const ALARM_PERIOD = Duration.minutes(5);

export type Watch = {
  readonly metric: IMetric;
  /** What it means, and what to look at first. */
  readonly says: string;
  readonly above?: number;
  /** Rings at nothing instead of at too much: for what must happen all the time. */
  readonly silent?: boolean;
};

/** All alarms ring at one topic, which whoever is on duty subscribes to. */
export class ServiceAlarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A policy of its own takes the place of the one that lets in whatever is of the account.
    this.topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } } }));
  }

  watch(id: string, { metric, says, above = 0, silent = false }: Watch): void {
    const alarm = new Alarm(this, id, {
      metric,
      alarmDescription: says,
      evaluationPeriods: 1,
      threshold: silent ? 1 : above,
      comparisonOperator: silent ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: silent ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }
}
