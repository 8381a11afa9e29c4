import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { ALARM_PERIOD, type ServiceAlarms } from '#lib/aws/constructs/alarms.construct.ts';
import type { ResourceNames } from '#lib/aws/stack-names.ts';
import type { MetricEvent } from '#shared/domain/reference/metrics.catalog.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

export type BusinessAlarmsProps = {
  readonly names: ResourceNames;
  /** Those whose success is watched. */
  readonly providers: readonly Provider[];
  readonly alarms: ServiceAlarms;
};

const LASTING = { bad: 3, of: 3 };

/**
 * What no error shows: customers who stop paying, or a provider that declines more than it used to. CloudWatch compares
 * with what is usual on this weekday at this hour, which it learns from two weeks. Such an alarm costs as much as three
 * or four others, so they are a setting.
 */
export class BusinessAlarms extends Construct {
  constructor(scope: Construct, id: string, { names, providers, alarms }: BusinessAlarmsProps) {
    super(scope, id);
    const settled = (dimensionsMap?: Readonly<Record<'provider' | 'outcome', string>>) =>
      new Metric({
        namespace: names.metrics,
        metricName: 'payment_settled' satisfies MetricEvent,
        period: ALARM_PERIOD,
        statistic: 'Sum',
        ...(dimensionsMap && { dimensionsMap }),
      });
    const math = (expression: string, usingMetrics: Record<string, Metric>) =>
      new MathExpression({ expression, usingMetrics, period: ALARM_PERIOD });
    alarms.watchUsual('payments-missing', {
      severity: 'page',
      metric: math('FILL(settled, 0)', { settled: settled() }),
      lasting: LASTING,
      description:
        'Fewer payments end than usual at this time of the week. Does the API get requests, and what do clients see?',
    });
    for (const provider of providers)
      alarms.watchUsual(`${provider}-declining`, {
        severity: 'look',
        // By what failed: where nothing succeeds any more, there is no metric of what did.
        metric: math('100 - 100 * failed / (failed + FILL(succeeded, 0))', {
          succeeded: settled({ provider, outcome: 'succeeded' }),
          failed: settled({ provider, outcome: 'failed' }),
        }),
        lasting: LASTING,
        description:
          `Of the payments at ${provider} fewer succeed than usual at this time of the week. Are its credentials ` +
          'still valid, and what do its declines say?',
      });
  }
}
