import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { MetricEvent } from '#shared/domain/reference/metrics.catalog.ts';

export type StreamAlarmsProps = {
  readonly names: ResourceNames;
  readonly projector: ServiceFunction;
  /** Its sample count is the number of payments that were created. */
  readonly paymentLatency: Metric;
  readonly alarms: ServiceAlarms;
};

const LATE_AFTER = Duration.minutes(5);
/** Stands for the age of changes that nobody reads. */
const FOREVER_MS = Duration.days(1).toMilliseconds();

/**
 * Both readers of the stream. Lambda reports the age of what a reader reads, and nothing if it reads nothing: a mapping
 * that is disabled or gone looks like a quiet stage. So the relay is watched by what it has left to the sweep, and the
 * projector beside the payments that it should have counted.
 */
export class StreamAlarms extends Construct {
  constructor(scope: Construct, id: string, { names, projector, paymentLatency, alarms }: StreamAlarmsProps) {
    super(scope, id);
    alarms.watch('events-late', {
      severity: 'page',
      metric: new Metric({
        namespace: names.metrics,
        metricName: 'relayed_late' satisfies MetricEvent,
        period: ALARM_PERIOD,
        statistic: 'Sum',
      }),
      lasting: { bad: 2, of: 3 },
      description:
        'Events go out more than five minutes late, through the sweep: the relay is behind, fails, or is not invoked. ' +
        'See its log and whether its event source mapping is enabled.',
    });
    const counted = { period: ALARM_PERIOD, statistic: 'Sum' };
    alarms.watch('projector-late', {
      severity: 'look',
      metric: new MathExpression({
        expression: `IF(FILL(paid, 0) > 0 AND FILL(runs, 0) == 0, ${FOREVER_MS}, FILL(age, 0))`,
        usingMetrics: {
          paid: paymentLatency.with({ statistic: 'SampleCount' }),
          runs: projector.lambda.metricInvocations(counted),
          age: projector.lambda.metric('IteratorAge', { period: ALARM_PERIOD, statistic: 'Maximum' }),
        },
        period: ALARM_PERIOD,
      }),
      above: LATE_AFTER.toMilliseconds(),
      lasting: { bad: 2, of: 3 },
      description:
        'Totals are late: the projector is behind the stream, or not invoked although payments are created. The ' +
        'stream keeps changes for 24 hours. See its log and whether its event source mapping is enabled.',
    });
  }
}
