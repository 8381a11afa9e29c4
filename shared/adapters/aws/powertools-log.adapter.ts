import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { embeddedMetrics } from '#shared/adapters/aws/embedded-metrics.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { type Clock, systemClock } from '#shared/kernel/clock.ts';
import { redactFields } from '#shared/kernel/redact.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

type Level = 'info' | 'warn' | 'error';
type Fields = Readonly<Record<string, unknown>>;

export type PowertoolsLog = LogPort & {
  /** The following lines name this invocation. */
  readonly begin: (context: Context) => void;
};

/**
 * Fields that the logger sets, and those that CloudWatch reads metrics from. A field of the same name would replace
 * them.
 */
const RESERVED_FIELDS = new Set(
  (
    '_aws level message timestamp service sampling_rate cold_start function_arn function_memory_size ' +
    'function_name function_request_id xray_trace_id tenant_id'
  ).split(' '),
);

type PowertoolsLogOptions = { readonly stage: Stage; readonly logger?: Logger; readonly clock?: Clock };

/**
 * The event's name is the `message`. It never throws; a request does not fail for its log. A metric is a line (ADR 10):
 * the level stays at INFO.
 */
export function powertoolsLog({
  stage,
  logger = new Logger({ serviceName: 'payfork', logLevel: 'INFO' }),
  clock = systemClock,
}: PowertoolsLogOptions): PowertoolsLog {
  const line = (level: Level, event: string, fields: Fields) =>
    logger[level](event, { ...printable(fields), ...embeddedMetrics(event, fields, stage, clock.now()) });
  return {
    info: (event, fields = {}) => line('info', event, fields),
    warn: (event, fields = {}) => line('warn', event, fields),
    error: (event, fields = {}) => line('error', event, fields),
    begin: (context) => logger.addContext(context),
  };
}

function printable(fields: Fields): Record<string, unknown> {
  try {
    return Object.fromEntries(Object.entries(redactFields(fields)).filter(([name]) => !RESERVED_FIELDS.has(name)));
  } catch {
    return { unprintable: true };
  }
}
