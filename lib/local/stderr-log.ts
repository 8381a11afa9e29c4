import type { LogPort } from '#shared/ports/log.port.ts';

/** Warnings and errors, one line of JSON each. What went well is seen elsewhere. */
export const stderrLog: LogPort = {
  info: () => {},
  warn: (event, fields) => write('warn', event, fields),
  error: (event, fields) => write('error', event, fields),
};

function write(level: string, event: string, fields: Readonly<Record<string, unknown>> = {}): void {
  process.stderr.write(`${JSON.stringify({ level, event, ...fields }, (_, value) => plain(value))}\n`);
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, cause };
}
