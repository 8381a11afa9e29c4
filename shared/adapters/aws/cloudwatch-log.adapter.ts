import type { Context } from 'aws-lambda';
import { type CountedLine, embeddedMetrics, metricsTogether } from '#shared/adapters/aws/embedded-metrics.rules.ts';
import { COUNTED_AT_THE_END, metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { type Clock, systemClock } from '#shared/kernel/clock.ts';
import { elapsed, logContext } from '#shared/kernel/operation.ts';
import { redactFields } from '#shared/kernel/redact.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

type Level = 'INFO' | 'WARN' | 'ERROR';
type Fields = Readonly<Record<string, unknown>>;

export type CloudWatchLog = LogPort & {
  /** The following lines name this invocation, and nothing of the function: each has a log of its own. */
  readonly begin: (context: Pick<Context, 'awsRequestId'>) => void;
  /** Writes the metrics of the invocation that are counted together. */
  readonly end: () => void;
};

type CloudWatchLogOptions = {
  readonly stage: Stage;
  /** The name space of its metrics. Default: that of the stage. */
  readonly metrics?: string | undefined;
  readonly out?: { write(line: string): unknown };
  readonly clock?: Clock;
};

/**
 * One JSON object per line, which CloudWatch takes as it is; the event's name is the `message`. A metric is a line, or
 * many lines of an invocation (ADR 10). It never throws: a request does not fail for its log. Fields of the log itself
 * cannot be replaced.
 */
export function cloudWatchLog({
  stage,
  metrics: namespace = metricNamespace(stage),
  out = process.stdout,
  clock = systemClock,
}: CloudWatchLogOptions): CloudWatchLog {
  let invocation: string | undefined;
  let counted: CountedLine[] = [];
  const write = (fields: Fields) => void out.write(`${JSON.stringify(fields)}\n`);
  const ownOf = (level: Level, message: string, at: Date) => {
    const timestamp = at.toISOString();
    return { level, message, timestamp, service: 'payfork', function_request_id: invocation };
  };
  const line = (level: Level, message: string, fields: Fields) => {
    const at = clock.now();
    const own = ownOf(level, message, at);
    const printed = printable(fields);
    const isCountedLater = COUNTED_AT_THE_END.has(message);
    if (isCountedLater) counted.push({ event: message, fields: printed });
    const metrics = isCountedLater ? {} : embeddedMetrics(message, fields, namespace, at);
    write({ ...own, ...logContext(), elapsed_ms: elapsed(), ...printed, ...own, ...metrics });
  };
  return {
    info: (event, fields = {}) => line('INFO', event, fields),
    warn: (event, fields = {}) => line('WARN', event, fields),
    error: (event, fields = {}) => line('ERROR', event, fields),
    begin: ({ awsRequestId }) => {
      invocation = awsRequestId;
    },
    end: () => {
      const at = clock.now();
      const own = ownOf('INFO', 'metrics', at);
      for (const metrics of metricsTogether(counted, namespace, at)) write({ ...own, ...metrics });
      counted = [];
    },
  };
}

/** CloudWatch reads metrics from `_aws`: only our own. */
function printable(fields: Fields): Fields {
  try {
    const { _aws, ...printed } = redactFields(fields);
    return printed;
  } catch {
    return { unprintable: true };
  }
}
