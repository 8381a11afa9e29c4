import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import { FUNCTION_FAILURES } from '#lib/aws/logged-metrics.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';

export type FunctionFailuresProps = {
  readonly names: ResourceNames;
  readonly functions: Readonly<Record<string, ServiceFunction>>;
  readonly alarms: ServiceAlarms;
};

/**
 * An error that the service logs, or what Lambda writes about an invocation that failed or timed out, at the level WARN.
 * UNVERIFIED: the names of Lambda's fields, which are those of its telemetry.
 */
const FAILED = FilterPattern.any(
  FilterPattern.stringValue('$.level', '=', 'ERROR'),
  FilterPattern.all(
    FilterPattern.stringValue('$.type', '=', 'platform.report'),
    FilterPattern.stringValue('$.record.status', '!=', 'success'),
  ),
);

/**
 * One metric and one alarm for single failures of all functions, as an alarm is paid for each metric that it watches.
 * They can wait for the day: callers were told, and background work is retried. Whatever nobody foresaw is an error in
 * the log, so this is the alarm for all that has none of its own.
 */
export class FunctionFailures extends Construct {
  constructor(scope: Construct, id: string, { names, functions, alarms }: FunctionFailuresProps) {
    super(scope, id);
    const counted = { filterPattern: FAILED, metricNamespace: names.metrics, metricName: FUNCTION_FAILURES };
    const filters = Object.entries(functions).map(
      ([name, { log }]) => new MetricFilter(this, name, { ...counted, logGroup: log }),
    );
    const [first] = filters;
    if (!first) throw new Error('A stage has functions.');
    alarms.watch('functions-failed', {
      severity: 'look',
      metric: first.metric({ period: ALARM_PERIOD, statistic: 'Sum' }),
      description:
        'A function failed, timed out, or logged an error that nobody foresaw. The dashboard shows which; see its log.',
    });
  }
}
