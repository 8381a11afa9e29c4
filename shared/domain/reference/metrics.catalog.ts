import type { Stage } from '#shared/domain/reference/stage.model.ts';

/**
 * Log lines that are also metrics, each under its own name. `by`: dimensions with few values, never an id. `ms`: fields
 * that are durations. A new metric is a line here, and `log.info` where it happens.
 */
export const METRICS = {
  /** A payment reached an outcome; a failed one may reach another. */
  payment_settled: { by: ['provider', 'outcome'], ms: [] },
  /** A charge call to a PSP has ended. */
  psp_called: { by: ['provider', 'verdict'], ms: ['psp_latency_ms'] },
  /** The sweep published events that the relay should have published five minutes before. */
  relayed_late: { by: [], ms: [] },
  /** A person must decide: no verdict came, the amount differs, or an automatic refund failed. */
  review_begun: { by: ['reason'], ms: [] },
  callback_refused: { by: ['provider', 'code'], ms: [] },
  /** `outcome` is the event's status after the attempt: `pending` is retried, `failed` is not. */
  delivery_tried: { by: ['outcome'], ms: ['delivery_ms'] },
  /** `outcome`: `done`, `wait` for a delay, `again` for a retry, or `failed`. */
  workflow_step_tried: { by: ['outcome'], ms: [] },
  /** DynamoDB turned calls away, within a second and a process. `resource`: the table, or which index. */
  table_throttled: { by: ['resource', 'limit'], ms: [] },
  /** The same, because one partition got more than a partition takes: a key is hot. */
  key_range_throttled: { by: ['resource', 'operation'], ms: [] },
  /** A sweep found due entries: the age of the oldest of each kind. */
  due_found: {
    by: [],
    ms: [
      'payments_overdue_ms',
      'events_overdue_ms',
      'renewals_overdue_ms',
      'workflows_overdue_ms',
      /** The longer one of events and workflows. */
      'background_overdue_ms',
    ],
  },
} as const satisfies Readonly<Record<string, { readonly by: readonly string[]; readonly ms: readonly string[] }>>;

export type MetricEvent = keyof typeof METRICS;

/**
 * What a batch has many of: its lines are counted together when the invocation ends (ADR 10). An invocation that is
 * stopped before then loses these counts, so nothing is here that tells of stopped invocations.
 */
export const COUNTED_AT_THE_END: ReadonlySet<string> = new Set<MetricEvent>([
  'payment_settled',
  'psp_called',
  'delivery_tried',
  'workflow_step_tried',
]);
export type DurationName = (typeof METRICS)[MetricEvent]['ms'][number];

/** A line of the log. */
export type Metric = { readonly event: MetricEvent; readonly fields: Readonly<Record<string, string | number>> };

/** Both stages may run in one AWS account. */
export const metricNamespace = (stage: Stage): string => `payfork/${stage}`;
