import { TableError } from '#shared/ports/table.port.ts';

/** Checks shared by both engines, before any write: a refused call did nothing. */
export const invalid = (message: string): TableError => new TableError('invalid', 'not_done', message);

export function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw invalid(message);
}

/** Length in UTF-8 bytes, which DynamoDB's limits and key order are based on. */
export const utf8Length = (text: string): number => Buffer.byteLength(text);
