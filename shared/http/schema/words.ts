import type * as z from 'zod';
import { UNKNOWN_FIELD } from '#shared/domain/reference/fault-words.rules.ts';
import type { FieldFault } from '#shared/kernel/errors.ts';

/** Path and message. Each unknown field is a fault of its own, under its own path. */
export function faultsOf(issue: z.core.$ZodIssue, prefix = ''): FieldFault[] {
  const path = issue.path.map(String);
  // A key that the record does not allow.
  if (issue.code === 'invalid_key')
    return issue.issues.slice(0, 1).map(({ message }) => ({ path: prefix + path.join('.'), message }));
  if (issue.code !== 'unrecognized_keys') return [{ path: prefix + path.join('.'), message: issue.message }];
  return issue.keys.map((key) => ({ path: prefix + [...path, key].join('.'), message: UNKNOWN_FIELD }));
}
