import type * as z from 'zod';

export const UNKNOWN_FIELD = 'This field is unknown here.';

/** Our words for the library's type names. */
const KINDS: Readonly<Record<string, string>> = {
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
  email: 'a mail address',
  url: 'an address, such as https://example.com',
  datetime: 'a date-time of ISO 8601, such as 2026-01-31T12:00:00Z',
  date: 'a date of ISO 8601, such as 2026-01-31',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
};
const PARTS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  object: ['field', 'fields'],
};

type Bound = { readonly origin: string; readonly limit: number | bigint; readonly inclusive?: boolean | undefined };

function bounded({ origin, limit, inclusive }: Bound, [least, more]: readonly [string, string]): string {
  const parts = PARTS[origin];
  if (parts) return `Must have at ${least} ${limit} ${parts[Number(limit) === 1 ? 0 : 1]}.`;
  return inclusive === false ? `Must be ${more} than ${limit}.` : `Must be at ${least} ${limit}.`;
}

const must = (what: string | undefined): string =>
  what === undefined ? 'Is not what may stand here.' : `Must be ${what}.`;

/**
 * The message where a shape has none of its own, for `safeParse(value, { error: inOurWords })`: none of the library's
 * texts leave the service.
 */
export function inOurWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.path?.length ? must(KINDS[issue.expected]) : 'The body must be a JSON object.';
    case 'invalid_value':
      return must(`${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`);
    case 'invalid_union':
      return must(Array.isArray(issue.options) ? `one of ${issue.options.join(', ')}` : undefined);
    case 'invalid_format':
      return must(FORMATS[issue.format]);
    case 'too_small':
      return bounded({ ...issue, limit: issue.minimum }, ['least', 'more']);
    case 'too_big':
      return bounded({ ...issue, limit: issue.maximum }, ['most', 'less']);
    case 'not_multiple_of':
      return must(`a multiple of ${issue.divisor}`);
    case 'unrecognized_keys':
      return UNKNOWN_FIELD;
    default:
      return must(undefined);
  }
}
