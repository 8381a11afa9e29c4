import { TableError } from '#shared/ports/table.port.ts';

/** What both engines must refuse alike is refused here, before either sees it: so nothing was done. */
export const invalid = (message: string): TableError => new TableError('invalid', 'not_done', message);

export function demand(holds: boolean, message: string): asserts holds {
  if (!holds) throw invalid(message);
}

/** Bytes of UTF-8, which is what DynamoDB's limits and its order of keys are about. */
export const utf8Length = (text: string): number => Buffer.byteLength(text);
