import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { FUNCTION_FAILURES } from '#lib/aws/logged-metrics.ts';
import { metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';

export type FunctionFailuresProps = {
  readonly stage: Stage;
  readonly functions: Readonly<Record<string, ServiceFunction>>;
  readonly alarms: ServiceAlarms;
};

/**
 * What Lambda writes about an invocation that failed or timed out, at the level WARN. UNVERIFIED: the names of its
 * fields, which are those of Lambda's telemetry.
 */
const FAILED = FilterPattern.all(
  FilterPattern.stringValue('$.type', '=', 'platform.report'),
  FilterPattern.stringValue('$.record.status', '!=', 'success'),
);

/**
 * One metric and one alarm for single failures of all functions, as an alarm is paid for each metric that it watches.
 * They can wait for the day: callers were told, and background work is retried.
 */
export class FunctionFailures extends Construct {
  readonly metric: Metric;

  constructor(scope: Construct, id: string, { stage, functions, alarms }: FunctionFailuresProps) {
    super(scope, id);
    const counted = { filterPattern: FAILED, metricNamespace: metricNamespace(stage), metricName: FUNCTION_FAILURES };
    const filters = Object.entries(functions).map(
      ([name, { log }]) => new MetricFilter(this, name, { ...counted, logGroup: log }),
    );
    const [first] = filters;
    if (!first) throw new Error('A stage has functions.');
    this.metric = first.metric({ period: ALARM_PERIOD, statistic: 'Sum' });
    alarms.watch('functions-failed', {
      severity: 'look',
      metric: this.metric,
      description: 'A function failed or timed out. The dashboard shows which; see its log.',
    });
  }
}
