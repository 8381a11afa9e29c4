import { Duration, Stack } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Dashboard, GraphWidget, type IMetric, type IWidget, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DeadLetters } from '#lib/aws/constructs/dead-letters.construct.ts';
import type { ServiceFunction } from '#lib/aws/constructs/service-function.construct.ts';
import type { FunctionName } from '#lib/aws/function-table.ts';
import { namesOf } from '#lib/aws/function-table.ts';
import { EACH_MINUTE, loggedMetrics } from '#lib/aws/logged-metrics.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import { METRICS } from '#shared/domain/reference/metrics.catalog.ts';
import type { QueueName } from '#shared/ports/queue.port.ts';
import { tableDefinition } from '#shared/store/dynamo/dynamo-schema.ts';

export type ServiceOverviewProps = {
  readonly names: ResourceNames;
  /** Each function and provider, or only the totals. */
  readonly detailed: boolean;
  readonly api: IHttpApi;
  readonly table: ITable;
  readonly queues: Readonly<Record<QueueName, Queue>>;
  readonly functions: Readonly<Record<FunctionName, ServiceFunction>>;
};

/**
 * The stage's dashboard: what the alarms watch, and what shows before they ring. New queues, functions and providers
 * appear on it without a change.
 */
export class ServiceOverview extends Construct {
  constructor(scope: Construct, id: string, props: ServiceOverviewProps) {
    super(scope, id);
    const { stackName, region } = Stack.of(this);
    // An account has one list of dashboards for all regions, so the name includes the stage.
    const dashboardName = `${stackName}-${region}`;
    const dashboard = new Dashboard(this, 'Dashboard', {
      dashboardName,
      defaultInterval: Duration.hours(3),
      periodOverride: PeriodOverride.INHERIT,
    });
    const dead = Stack.of(this)
      .node.findAll()
      .filter((each) => each instanceof DeadLetters);
    dashboard.addWidgets(...paymentWidgets(props), ...backlogWidgets(props, dead), ...functionWidgets(props));
  }
}

/** The width of two widgets side by side. */
const chart = (title: string, left: readonly IMetric[], stacked = false): IWidget =>
  new GraphWidget({ title, left: [...left], stacked, width: 12, height: 6 });

function paymentWidgets({ names, detailed }: ServiceOverviewProps): readonly IWidget[] {
  const metrics = loggedMetrics(names.metrics);
  const { total, longest } = metrics;
  const { settled, calls, latencies, deliveries, steps } = detailed ? metrics : metrics.inTotal;
  return [
    chart('Payments a minute: outcome, provider', settled, true),
    chart('Payments for a person to decide; callbacks refused; events that were late', [
      total('review_begun'),
      total('callback_refused'),
      total('relayed_late'),
    ]),
    chart('Calls of providers a minute: verdict given or none', calls, true),
    chart('Latency of providers, 95th percentile, ms', latencies),
    chart('Events sent a minute: delivered, tried again, given up', deliveries, true),
    chart('Steps of workflows a minute', steps, true),
    chart('What is due, renewals among it: overdue for, ms', METRICS.due_found.ms.map(longest)),
    chart('Throttles of the table: of all, of hot keys', [total('table_throttled'), total('key_range_throttled')]),
  ];
}

function backlogWidgets({ queues }: ServiceOverviewProps, dead: readonly DeadLetters[]): readonly IWidget[] {
  const names = namesOf(queues);
  const most = (label: string) => ({ ...EACH_MINUTE, label, statistic: 'Maximum' });
  return [
    chart(
      'Age of the oldest message of each queue, s',
      names.map((name) => queues[name].metricApproximateAgeOfOldestMessage(most(name))),
    ),
    chart(
      'Messages waiting in each queue',
      names.map((name) => queues[name].metricApproximateNumberOfMessagesVisible(most(name))),
    ),
    chart(
      'Dead letters',
      dead.map(({ queue, label }) => queue.metricApproximateNumberOfMessagesVisible(most(label))),
      true,
    ),
  ];
}

/** Callers or money wait for these. */
const FIRST_TO_LOOK_AT: readonly FunctionName[] = ['payments', 'hosted-pages', 'psp-webhooks', 'timers'];

function functionWidgets({ names, detailed, api, table, functions }: ServiceOverviewProps): readonly IWidget[] {
  const shown = detailed ? namesOf(functions) : FIRST_TO_LOOK_AT;
  const measured = (metric: string, statistic: string, names: readonly FunctionName[] = shown) =>
    names.map((label) => functions[label].lambda.metric(metric, { ...EACH_MINUTE, label, statistic }));
  const sum = (label: string) => ({ ...EACH_MINUTE, label, statistic: 'Sum' });
  return [
    chart('Requests a minute, and those refused or failed', [
      api.metricCount(sum('all')),
      api.metricClientError(sum('4xx')),
      api.metricServerError(sum('5xx')),
    ]),
    chart('Latency of the API, ms', [
      api.metricLatency({ ...EACH_MINUTE, label: 'p50', statistic: 'p50' }),
      api.metricLatency({ ...EACH_MINUTE, label: 'p99', statistic: 'p99' }),
    ]),
    chart('Errors of functions', [...measured('Errors', 'Sum'), loggedMetrics(names.metrics).functionFailures], true),
    chart('Throttles of functions', measured('Throttles', 'Sum'), true),
    chart('Readers of the stream: behind by, ms', measured('IteratorAge', 'Maximum', ['relay', 'projector'])),
    ...(detailed ? [chart('Throttles of the table and its indexes', throttleWidgets(table), true)] : []),
    chart('Units of the table a minute', [
      table.metricConsumedWriteCapacityUnits(sum('written')),
      table.metricConsumedReadCapacityUnits(sum('read')),
    ]),
  ];
}

/** Each index has limits of its own, and a throttled index throttles the table's writes. */
function throttleWidgets(table: ITable): readonly IMetric[] {
  const indexes = tableDefinition('').GlobalSecondaryIndexes.map(({ IndexName }) => IndexName);
  return ['Read', 'Write'].flatMap((kind) =>
    [undefined, ...indexes].map((index) =>
      table.metric(`${kind}ThrottleEvents`, {
        ...EACH_MINUTE,
        statistic: 'Sum',
        label: `${kind}, ${index ?? 'table'}`,
        ...(index && { dimensionsMap: { TableName: table.tableName, GlobalSecondaryIndexName: index } }),
      }),
    ),
  );
}
