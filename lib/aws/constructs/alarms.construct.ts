import { Aws, Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { recordOf } from '#lib/aws/function-table.ts';

export const ALARM_PERIOD = Duration.minutes(5);

/** `page` wakes somebody: money or customers are waiting. `look` can wait until the next working day. */
export const SEVERITIES = ['page', 'look'] as const;
export type Severity = (typeof SEVERITIES)[number];

export type AlarmProps = {
  readonly severity: Severity;
  readonly metric: IMetric;
  /** What the alarm means, and what to look at first. */
  readonly description: string;
  readonly above?: number;
  /** Alarms when the metric is missing, for what must happen all the time. */
  readonly alarmsIfMissing?: boolean;
  /**
   * Alarms when this many of the last periods were bad, so that a short disturbance wakes nobody. Default: one of one.
   */
  readonly lasting?: { readonly bad: number; readonly of: number };
};

const FIRST_OCCURRENCE = { bad: 1, of: 1 };

/** Each alarm notifies the topic of its severity, also when it is over. People on duty subscribe to the topics. */
export class ServiceAlarms extends Construct {
  readonly topics: Readonly<Record<Severity, Topic>>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.topics = recordOf(SEVERITIES, (severity) => this.#topic(severity));
  }

  watch(
    id: string,
    {
      severity,
      metric,
      description: says,
      above = 0,
      alarmsIfMissing: silent = false,
      lasting = FIRST_OCCURRENCE,
    }: AlarmProps,
  ): void {
    const alarm = new Alarm(this, id, {
      metric,
      alarmDescription: says,
      evaluationPeriods: lasting.of,
      datapointsToAlarm: lasting.bad,
      threshold: silent ? 1 : above,
      comparisonOperator: silent ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: silent ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(this.topics[severity]);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }

  #topic(severity: Severity): Topic {
    const topic = new Topic(this, severity, { enforceSSL: true });
    // A topic policy replaces the default one, which lets every principal of the account publish.
    topic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    return topic;
  }
}
