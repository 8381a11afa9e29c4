import { invalidFields } from '#shared/kernel/errors.ts';
import type { RuleWritten } from '#shared/ports/routing-rules.port.ts';

/** A rule names a connection of its own organization: a connection of another one reads as not found. */
export function refuseUnknown(written: RuleWritten): void {
  if (written === 'no_connection')
    throw invalidFields([{ path: 'connection_id', message: 'There is no such connection.' }]);
}
