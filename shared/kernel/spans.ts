import { plus } from '#shared/kernel/clock.ts';
import { currentWork, type LogContext, newSpanId, spanOf, type Work } from '#shared/kernel/operation.ts';

/**
 * Which spans are written. `slow`: those of what failed, and of requests that took long. `sampled`: also those of
 * requests whose `traceparent` says that the caller records them.
 */
export const SPAN_MODES = ['off', 'slow', 'sampled'] as const;
export type SpanMode = (typeof SPAN_MODES)[number];

/** A request, a message, or a call of another server. `began`: ms since 1970. */
export type Span = {
  readonly names: LogContext;
  readonly sampled: boolean;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: 'SERVER' | 'CLIENT' | 'CONSUMER';
  readonly began: number;
  readonly ms: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
};

type SpanStart = Pick<Span, 'name' | 'kind' | 'attributes'>;

const EPOCH = '1970-01-01T00:00:00Z';

/** A sweep makes thousands of calls: the first ones of an invocation show where its time goes. */
const MAX_SPANS = 200;

/** Slow enough for a customer to notice. */
export const SLOW_MS = 3_000;

/** The span of the work that made it: that of its request, unless it is in one of its own. */
export const parentIn = ({ span, names }: Work): string | undefined =>
  span ?? (names.request_id === undefined ? undefined : spanOf(names.request_id));

export function addSpan(work: Work | undefined, span: Omit<Span, 'names' | 'sampled'>): void {
  if (!work?.spans || work.spans.length >= MAX_SPANS) return;
  work.spans.push({ names: work.names, sampled: work.sampled, ...span });
}

/** Work that is a span of its own, while spans are recorded. `now`: ms since 1970. */
export async function inSpan<T>(start: SpanStart, now: () => number, work: () => Promise<T>): Promise<T> {
  const outer = currentWork.getStore();
  if (!outer?.spans) return work();
  const [id, began] = [newSpanId(), now()];
  const end = (failed: boolean) =>
    addSpan(outer, { ...start, id, parent: parentIn(outer), began, ms: now() - began, failed });
  try {
    const result = await currentWork.run({ ...outer, span: id }, work);
    end(false);
    return result;
  } catch (error) {
    end(true);
    throw error;
  }
}

/** A span as a line of the log, with the names of OpenTelemetry's data model. */
export const spanFields = ({ names, id, parent, name, kind, began, ms, attributes, failed }: Span) => ({
  ...names,
  span_id: id,
  ...(parent !== undefined && { parent_span_id: parent }),
  name,
  kind,
  start_time: plus(EPOCH, began),
  duration_ms: Math.round(ms),
  attributes,
  status: failed ? 'ERROR' : 'UNSET',
});
