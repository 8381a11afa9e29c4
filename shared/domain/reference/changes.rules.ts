import { isDeepStrictEqual } from 'node:util';

/** What an audit entry says about a change, field by field. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/** Which of these fields have changed. */
export function changesBetween<T>(fields: readonly (keyof T & string)[], before: T | undefined, after: T): Changes {
  const changed = fields.filter((field) => !isDeepStrictEqual(before?.[field], after[field]));
  return Object.fromEntries(
    changed.map((field) => [field, { from: before?.[field] ?? null, to: after[field] ?? null }]),
  );
}
