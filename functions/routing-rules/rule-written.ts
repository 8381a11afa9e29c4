import { invalidFields } from '#shared/kernel/errors.ts';
import type { RuleWritten } from '#shared/ports/routing-rules.port.ts';

/** A rule names a connection of its own organization: any other is as one that never was. */
export function refuseUnknown(written: RuleWritten): void {
  if (written === 'no_connection') throw invalidFields([{ path: 'connection_id', message: 'There is no such connection.' }]);
}
