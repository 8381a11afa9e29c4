import { METRICS, type MetricEvent } from '#shared/domain/reference/metrics.catalog.ts';

type Fields = Readonly<Record<string, unknown>>;
/** A log line. */
export type CountedLine = { readonly event: string; readonly fields: Fields };

/** CloudWatch takes so many values of a metric at once. */
const MAX_VALUES = 100;

/**
 * The fields that make a log line a metric too, in CloudWatch's embedded metric format; none for other lines. Each
 * metric is counted by its fields and in total, because an alarm cannot add up the metrics of all providers.
 */
export function embeddedMetrics(event: string, fields: Fields, namespace: string, at: Date): Fields {
  if (!isMetric(event)) return {};
  return { [event]: 1, ...directive(event, durationsOf(event, [fields]), namespace, at) };
}

/** The same for many lines: those that are counted alike in one. */
export function metricsTogether(lines: readonly CountedLine[], namespace: string, at: Date): readonly Fields[] {
  const alike = Map.groupBy(lines, ({ event, fields }) =>
    isMetric(event) ? JSON.stringify([event, ...METRICS[event].by.map((name) => fields[name])]) : '',
  );
  return [...alike.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MAX_VALUES) }, (_, n) =>
      countedAlike(group.slice(n * MAX_VALUES, (n + 1) * MAX_VALUES), namespace, at),
    ),
  );
}

function countedAlike(lines: readonly CountedLine[], namespace: string, at: Date): Fields {
  const [{ event, fields } = { event: '', fields: {} }] = lines;
  if (!isMetric(event)) return {};
  const durations = durationsOf(
    event,
    lines.map((line) => line.fields),
  );
  return {
    ...Object.fromEntries(METRICS[event].by.map((name) => [name, fields[name]])),
    ...durations,
    [event]: lines.length,
    ...directive(event, durations, namespace, at),
  };
}

/** The values of each duration that a line has. */
function durationsOf(event: MetricEvent, all: readonly Fields[]): Readonly<Record<string, readonly unknown[]>> {
  const values = METRICS[event].ms.map((name) => {
    const numbers = all.flatMap((fields) => (typeof fields[name] === 'number' ? [fields[name]] : []));
    return [name, numbers] as const;
  });
  return Object.fromEntries(values.filter(([, numbers]) => numbers.length > 0));
}

function directive(event: MetricEvent, durations: Fields, namespace: string, at: Date): Fields {
  const { by } = METRICS[event];
  const measured = Object.keys(durations).map((Name) => ({ Name, Unit: 'Milliseconds' }));
  const metrics = {
    Namespace: namespace,
    Dimensions: by.length > 0 ? [[], by] : [[]],
    Metrics: [{ Name: event, Unit: 'Count' }, ...measured],
  };
  return { _aws: { Timestamp: at.getTime(), CloudWatchMetrics: [metrics] } };
}

const isMetric = (event: string): event is MetricEvent => Object.hasOwn(METRICS, event);
