import type { Stage } from '#shared/domain/api-key.model.ts';

/**
 * Lines of the log that are counted too, each under its own name. `by`: the fields that tell them apart, of few values, and
 * never an id. `ms`: fields that are durations. A new metric is a line here, and `log.info` where it happens.
 */
export const METRICS = {
  /** A payment came to an outcome; a failed one may come to another. */
  payment_settled: { by: ['provider', 'outcome'], ms: [] },
  /** A charge was sent to a PSP, and that call is over. */
  psp_called: { by: ['provider', 'verdict'], ms: ['psp_latency_ms'] },
  /** From here on a person decides: no verdict came, the amount is another one, or a refund that we owe failed. */
  review_begun: { by: ['reason'], ms: [] },
  callback_refused: { by: ['provider', 'code'], ms: [] },
  /** `outcome` is what became of the event: `pending` ones are tried again, `failed` ones never. */
  delivery_tried: { by: ['outcome'], ms: ['delivery_ms'] },
  /** `outcome`: `done`, `wait` for a delay, `again` as it may pass, or `failed`. */
  workflow_step_tried: { by: ['outcome'], ms: [] },
  /** A sweep found what is due: how long the oldest of each kind has been. */
  due_found: { by: [], ms: ['payments_overdue_ms', 'events_overdue_ms', 'renewals_overdue_ms', 'workflows_overdue_ms'] },
} as const satisfies Readonly<Record<string, { readonly by: readonly string[]; readonly ms: readonly string[] }>>;

export type MetricEvent = keyof typeof METRICS;
export type DurationName = (typeof METRICS)[MetricEvent]['ms'][number];

/** A line of the log. */
export type Metric = { readonly event: MetricEvent; readonly fields: Readonly<Record<string, string | number>> };

/** Both stages may lie in one account. */
export const metricNamespace = (stage: Stage): string => `payfork/${stage}`;
