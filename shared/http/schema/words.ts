import type * as z from 'zod';

export const UNKNOWN_FIELD = 'This field is unknown here.';

/** What a shape asks for, as the library calls it, in ours. */
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

const must = (what: string | undefined): string => (what === undefined ? 'Is not what may stand here.' : `Must be ${what}.`);

/** What is wrong where a shape has no words of its own for it, for `safeParse(value, { error: inOurWords })`: none of the library's leaves the service. */
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

export type Fault = { readonly path: string; readonly message: string };

/** Where it is and what. An unknown field is named by its own path, one fault each. */
export function faultsOf(issue: z.core.$ZodIssue, prefix = ''): Fault[] {
  const path = issue.path.map(String);
  // A name in a record that is none of those it may have.
  if (issue.code === 'invalid_key') return issue.issues.slice(0, 1).map(({ message }) => ({ path: prefix + path.join('.'), message }));
  if (issue.code !== 'unrecognized_keys') return [{ path: prefix + path.join('.'), message: issue.message }];
  return issue.keys.map((key) => ({ path: prefix + [...path, key].join('.'), message: UNKNOWN_FIELD }));
}
