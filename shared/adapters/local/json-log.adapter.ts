import type { Clock } from '#shared/kernel/clock.ts';
import { logContext } from '#shared/kernel/operation.ts';
import { redactFields } from '#shared/kernel/redact.ts';
import type { LogPort } from '#shared/ports/log.port.ts';

type Level = 'info' | 'warn' | 'error';
type Fields = Readonly<Record<string, unknown>>;

/**
 * One JSON object per line: `time`, `level`, `event`, then the fields. It never throws: logging must not fail a
 * request.
 */
export function jsonLog(out: { write(line: string): unknown }, clock: Clock): LogPort {
  const line = (level: Level, event: string, fields: Fields) => {
    const head = { time: clock.now().toISOString(), level, event };
    out.write(`${JSON.stringify({ ...head, ...logContext(), ...printable(fields), ...head })}\n`);
  };
  return {
    info: (event, fields = {}) => line('info', event, fields),
    warn: (event, fields = {}) => line('warn', event, fields),
    error: (event, fields = {}) => line('error', event, fields),
  };
}

function printable(fields: Fields): object {
  try {
    return redactFields(fields);
  } catch {
    return { unprintable: true };
  }
}
