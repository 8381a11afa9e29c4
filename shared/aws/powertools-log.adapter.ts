import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { redactFields } from '#shared/kernel/redact.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

type Level = 'info' | 'warn' | 'error';
type Fields = Readonly<Record<string, unknown>>;

export type PowertoolsLog = LogPort & {
  /** The lines that follow name this invocation. */
  readonly begin: (context: Context) => void;
};

/** What the logger says of itself and of the invocation; a field of this name would hide it. */
const ITS_OWN = new Set(
  'level message timestamp service sampling_rate cold_start function_arn function_memory_size function_name function_request_id xray_trace_id tenant_id'.split(
    ' ',
  ),
);

/** The event's name is the `message`. It never throws; a request does not fail for its log. */
export function powertoolsLog(logger: Logger = new Logger({ serviceName: 'payfork' })): PowertoolsLog {
  const line = (level: Level, event: string, fields: Fields) => logger[level](event, printable(fields));
  return {
    info: (event, fields = {}) => line('info', event, fields),
    warn: (event, fields = {}) => line('warn', event, fields),
    error: (event, fields = {}) => line('error', event, fields),
    begin: (context) => logger.addContext(context),
  };
}

function printable(fields: Fields): Record<string, unknown> {
  try {
    return Object.fromEntries(Object.entries(redactFields(fields)).filter(([name]) => !ITS_OWN.has(name)));
  } catch {
    return { unprintable: true };
  }
}
