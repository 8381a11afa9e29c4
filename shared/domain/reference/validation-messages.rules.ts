import type * as z from 'zod';
import type { FieldError } from '#shared/kernel/errors.ts';

export const UNKNOWN_FIELD = 'Unknown field.';

/** What zod's type names are called in messages. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};
const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'an address, such as https://example.com',
  datetime: 'a date-time of ISO 8601, such as 2026-01-31T12:00:00Z',
  date: 'a date of ISO 8601, such as 2026-01-31',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
};
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  object: ['field', 'fields'],
};

type LimitIssue = {
  readonly origin: string;
  readonly limit: number | bigint;
  readonly inclusive?: boolean | undefined;
};

function limitMessage({ origin, limit, inclusive }: LimitIssue, [least, more]: readonly [string, string]): string {
  const parts = UNITS[origin];
  if (parts) return `Must have at ${least} ${limit} ${parts[Number(limit) === 1 ? 0 : 1]}.`;
  return inclusive === false ? `Must be ${more} than ${limit}.` : `Must be at ${least} ${limit}.`;
}

const must = (what: string | undefined): string => (what === undefined ? 'Is not valid here.' : `Must be ${what}.`);

/**
 * The message where a shape has none of its own, for `safeParse(value, { error: validationMessage })`: none of zod's
 * texts leave the service.
 */
export function validationMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.path?.length ? must(TYPES[issue.expected]) : 'The body must be a JSON object.';
    case 'invalid_value':
      return must(`${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`);
    case 'invalid_union':
      return must(Array.isArray(issue.options) ? `one of ${issue.options.join(', ')}` : undefined);
    case 'invalid_format':
      return must(FORMATS[issue.format]);
    case 'too_small':
      return limitMessage({ ...issue, limit: issue.minimum }, ['least', 'more']);
    case 'too_big':
      return limitMessage({ ...issue, limit: issue.maximum }, ['most', 'less']);
    case 'not_multiple_of':
      return must(`a multiple of ${issue.divisor}`);
    case 'unrecognized_keys':
      return UNKNOWN_FIELD;
    default:
      return must(undefined);
  }
}

/** Path and message. Each unknown field is a fault of its own, under its own path. */
export function faultsOf(issue: z.core.$ZodIssue, prefix = ''): FieldError[] {
  const path = issue.path.map(String);
  // A key that the record does not allow.
  if (issue.code === 'invalid_key')
    return issue.issues.slice(0, 1).map(({ message }) => ({ path: prefix + path.join('.'), message }));
  if (issue.code !== 'unrecognized_keys') return [{ path: prefix + path.join('.'), message: issue.message }];
  return issue.keys.map((key) => ({ path: prefix + [...path, key].join('.'), message: UNKNOWN_FIELD }));
}
