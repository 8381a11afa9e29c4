import { describe, expect, it } from 'vitest';
import { PayforkError } from '#client/typescript/src/errors.ts';
import { nextQuery } from '#client/typescript/src/list.ts';
import { path, queryText } from '#client/typescript/src/path.ts';
import { retryAfterSeconds, retryDelay } from '#client/typescript/src/retry.rules.ts';

const error = (status: number, code: string, retryAfter?: number, shouldRetry?: boolean) =>
  new PayforkError({ status, code: code as PayforkError['code'], message: '', retryAfter, shouldRetry });

describe('the time until a request is sent again', () => {
  it.each([
    ['doubles from half a second', error(503, 'service_unavailable'), 0, 500],
    ['doubles', error(0, 'connection_failed'), 2, 2_000],
    ['is never longer than eight seconds', error(0, 'timed_out'), 20, 8_000],
    [
      'is what the API asks for, and a little more, so that not all come at once',
      error(429, 'rate_limited', 7),
      0,
      7_050,
    ],
    ['is that of our own try that still runs', error(409, 'idempotency_in_progress', 3), 0, 3_050],
    ['is there where the API says that a repeat may help', error(422, 'a_new_code', undefined, true), 0, 500],
  ])('%s', (_, failed, retry, delay) => expect(retryDelay(failed, retry, 1)).toBe(delay));

  it('is up to half as long by chance, so that clients do not come all at once', () =>
    expect(retryDelay(error(503, 'service_unavailable'), 0, 0)).toBe(250));

  it.each([
    ['an unknown outcome', error(409, 'outcome_unknown', 1)],
    ['a state that does not allow it', error(409, 'payment_not_refundable')],
    ['a change at the same time', error(409, 'write_conflict')],
    ['a wait of more than a minute', error(429, 'rate_limited', 61)],
    ['an unknown outcome, even if a repeat may help', error(409, 'outcome_unknown', 1, true)],
    ['an error of which the API says that a repeat does not help', error(503, 'service_unavailable', 1, false)],
    ['our own try, if the API says that a repeat does not help', error(409, 'idempotency_in_progress', 1, false)],
    ['a request that is wrong', error(400, 'invalid_request')],
    ['a key that is unknown', error(401, 'invalid_api_key')],
    ['a success that nobody can read', error(200, 'unreadable_response')],
    ['a redirect, whose status a browser hides', error(0, 'unreadable_response')],
    ['a fault of the program', new TypeError('x is not a function')],
  ])('does not come after %s', (_, failed) => expect(retryDelay(failed, 0, 1)).toBeUndefined());
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['seconds', '30', 30],
    ['a date', 'Thu, 01 Jan 2026 00:00:10 GMT', 10],
    ['a date that has passed', 'Thu, 01 Jan 2026 00:00:00 GMT', 0],
    ['nothing', null, undefined],
    ['nonsense', 'soon', undefined],
  ])('is read as %s', (_, header, seconds) => expect(retryAfterSeconds(header, now)).toBe(seconds));
});

describe('an address', () => {
  it('has each id as one part', () => expect(path`/v1/a/${'x/../y?z#'}/b`).toBe('/v1/a/x%2F..%2Fy%3Fz%23/b'));

  it.each(['', '.', '..', undefined as unknown as string])('is not made with %j for an id', (id) =>
    expect(() => path`/v1/a/${id}/b`).toThrow('/v1/a/{id}/b needs an id.'),
  );

  it('has a query of what has a value', () =>
    expect(queryText({ a: 'x&y +', b: undefined, c: 0, d: null, e: false })).toBe('?a=x%26y%20%2B&c=0&e=false'));

  it('has no query without one', () => expect([queryText({}), queryText(undefined)]).toEqual(['', '']));
});

describe('the query of the next page', () => {
  const LINK = '</v1/payments?cursor=b&limit=2>; rel="next"';
  it.each<readonly [string, string | null, unknown, string | undefined]>([
    ['is that of the link', LINK, { pagination: { next_cursor: 'b' } }, '?cursor=b&limit=2'],
    ['is the same with the cursor of the reply', null, { pagination: { next_cursor: 'b&' } }, '?limit=2&cursor=b%26'],
    ['is missing on the last page', null, { pagination: { next_cursor: null } }, undefined],
    ['is missing where a bare array has no link', null, [], undefined],
    ['is not that of another relation', '</v1/payments?cursor=a>; rel="prev"', [], undefined],
  ])('%s', (_, link, reply, query) => expect(nextQuery('?limit=2&offset=0', link, reply)).toBe(query));
});
