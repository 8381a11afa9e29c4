import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';

export type ReplicaAlarmsProps = {
  readonly alarms: ServiceAlarms;
  readonly table: string;
  readonly regions: readonly string[];
};

/** Replication takes about a second. */
const LATE_AFTER = Duration.minutes(1);

/**
 * What a replica lacks is lost if its region takes over, so nobody may first see then that it is behind. DynamoDB reports
 * nothing while nothing is written.
 */
export class ReplicaAlarms extends Construct {
  constructor(scope: Construct, id: string, { alarms, table, regions }: ReplicaAlarmsProps) {
    super(scope, id);
    for (const region of regions)
      alarms.watch(`replica-late-${region}`, {
        severity: 'look',
        metric: new Metric({
          namespace: 'AWS/DynamoDB',
          metricName: 'ReplicationLatency',
          dimensionsMap: { TableName: table, ReceivingRegion: region },
          period: ALARM_PERIOD,
          statistic: 'Average',
        }),
        above: LATE_AFTER.toMilliseconds(),
        lasting: { bad: 3, of: 3 },
        description:
          `The replica of the table in ${region} is more than a minute behind. If that region took over now, it would ` +
          'lack as much. See the health dashboard of AWS, and whether the replica is still there.',
      });
  }
}
