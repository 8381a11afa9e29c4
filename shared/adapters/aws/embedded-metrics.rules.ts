import { METRICS, type MetricEvent } from '#shared/domain/reference/metrics.catalog.ts';

/**
 * The fields that make a log line a metric too, in CloudWatch's embedded metric format; none for other lines. Each
 * metric is counted by its fields and in total, because an alarm cannot add up the metrics of all providers.
 */
export function embeddedMetrics(
  event: string,
  fields: Readonly<Record<string, unknown>>,
  namespace: string,
  at: Date,
): Readonly<Record<string, unknown>> {
  if (!isMetric(event)) return {};
  const { by, ms } = METRICS[event];
  const durations = ms
    .filter((name) => typeof fields[name] === 'number')
    .map((Name) => ({ Name, Unit: 'Milliseconds' }));
  const directive = {
    Namespace: namespace,
    Dimensions: by.length > 0 ? [[], by] : [[]],
    Metrics: [{ Name: event, Unit: 'Count' }, ...durations],
  };
  return { [event]: 1, _aws: { Timestamp: at.getTime(), CloudWatchMetrics: [directive] } };
}

const isMetric = (event: string): event is MetricEvent => Object.hasOwn(METRICS, event);
