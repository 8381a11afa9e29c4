import type { Context } from 'aws-lambda';
import { embeddedMetrics } from '#shared/adapters/aws/embedded-metrics.rules.ts';
import { metricNamespace } from '#shared/domain/reference/metrics.catalog.ts';
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
};

type CloudWatchLogOptions = {
  readonly stage: Stage;
  /** The name space of its metrics. Default: that of the stage. */
  readonly metrics?: string | undefined;
  readonly out?: { write(line: string): unknown };
  readonly clock?: Clock;
};

/**
 * One JSON object per line, which CloudWatch takes as it is; the event's name is the `message`. A metric is a line
 * (ADR 10). It never throws: a request does not fail for its log. Fields of the log itself cannot be replaced.
 */
export function cloudWatchLog({
  stage,
  metrics: namespace = metricNamespace(stage),
  out = process.stdout,
  clock = systemClock,
}: CloudWatchLogOptions): CloudWatchLog {
  let invocation: string | undefined;
  const line = (level: Level, message: string, fields: Fields) => {
    const at = clock.now();
    const own = { level, message, timestamp: at.toISOString(), service: 'payfork', function_request_id: invocation };
    const metrics = embeddedMetrics(message, fields, namespace, at);
    out.write(
      `${JSON.stringify({ ...own, ...logContext(), elapsed_ms: elapsed(), ...printable(fields), ...own, ...metrics })}\n`,
    );
  };
  return {
    info: (event, fields = {}) => line('INFO', event, fields),
    warn: (event, fields = {}) => line('WARN', event, fields),
    error: (event, fields = {}) => line('ERROR', event, fields),
    begin: ({ awsRequestId }) => {
      invocation = awsRequestId;
    },
  };
}

/** CloudWatch reads metrics from `_aws`: only our own. */
function printable(fields: Fields): object {
  try {
    const { _aws, ...printed } = redactFields(fields);
    return printed;
  } catch {
    return { unprintable: true };
  }
}
