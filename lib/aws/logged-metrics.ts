import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { DurationName, MetricEvent } from '#shared/domain/reference/metrics.catalog.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

/** The provider label of payments that reached no provider. */
const NO_PROVIDER = 'none';

/** Counted in the logs of functions, from what Lambda itself writes there. */
export const FUNCTION_FAILURES = 'function_failures';

export const EACH_MINUTE = { period: Duration.minutes(1) };

/**
 * Metrics from log lines, minute by minute. A metric exists in total and for all of its fields together, never for a
 * single field.
 */
export function loggedMetrics(namespace: string) {
  const metric = (
    metricName: MetricEvent | DurationName | typeof FUNCTION_FAILURES,
    statistic: string,
    label: string = metricName,
    fields?: Readonly<Record<string, string>>,
  ) =>
    new Metric({
      ...EACH_MINUTE,
      namespace,
      metricName,
      statistic,
      label,
      ...(fields && { dimensionsMap: fields }),
    });
  const total = (event: MetricEvent) => metric(event, 'Sum');
  return {
    total,
    /** The same lines, as one metric each. */
    inTotal: {
      settled: [total('payment_settled')],
      calls: [total('psp_called')],
      latencies: [metric('psp_latency_ms', 'p95')],
      deliveries: [total('delivery_tried')],
      steps: [total('workflow_step_tried')],
    },
    functionFailures: metric(FUNCTION_FAILURES, 'Sum', 'all functions'),
    longest: (name: DurationName) => metric(name, 'Maximum'),
    settled: ['succeeded', 'failed', 'canceled', 'refunded'].flatMap((outcome) =>
      [...PROVIDERS, NO_PROVIDER].map((provider) =>
        metric('payment_settled', 'Sum', `${outcome}, ${provider}`, { provider, outcome }),
      ),
    ),
    calls: ['given', 'none'].flatMap((verdict) =>
      PROVIDERS.map((provider) => metric('psp_called', 'Sum', `${verdict}, ${provider}`, { provider, verdict })),
    ),
    latencies: PROVIDERS.map((provider) => metric('psp_latency_ms', 'p95', provider, { provider, verdict: 'given' })),
    deliveries: ['delivered', 'pending', 'failed'].map((outcome) =>
      metric('delivery_tried', 'Sum', outcome, { outcome }),
    ),
    steps: ['done', 'wait', 'again', 'failed'].map((outcome) =>
      metric('workflow_step_tried', 'Sum', outcome, { outcome }),
    ),
  };
}
