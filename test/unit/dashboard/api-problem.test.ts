import { describe, expect, it } from 'vitest';
import { isOutcomeUnknown, problemOf } from '#client/dashboard/api/api-problem.ts';
import { PayforkError } from '#client/typescript/src/errors.ts';

const problem = (status: number, code = 'invalid_request') =>
  problemOf(Object.assign(new Error('no'), { status, code }));

describe('a change after an error', () => {
  it.each([
    ['no response', 0, 'connection_failed'],
    ['a success that nobody can read', 200, 'unreadable_response'],
    ['a server that was too slow', 408, 'request_timeout'],
    ['a server that failed', 503, 'service_unavailable'],
    ['a first try that still runs', 409, 'idempotency_in_progress'],
    ['a provider that did not answer', 409, 'outcome_unknown'],
    ['a change at the same time, which its key continues', 409, 'write_conflict'],
  ])('may have happened after %s', (_, status, code) => expect(isOutcomeUnknown(problem(status, code))).toBe(true));

  it.each([
    ['a request that is wrong', 400, 'invalid_request'],
    ['a state that does not allow it', 409, 'payment_not_refundable'],
    ['a session that has ended', 401, 'invalid_session'],
    ['a proof that is too old', 403, 'fresh_proof_required'],
    ['too many requests', 429, 'rate_limited'],
  ])('has not happened after %s', (_, status, code) => expect(isOutcomeUnknown(problem(status, code))).toBe(false));

  it.each([401, 402, 403, 429])(
    'that may have happened before may still have after a %i, which says nothing of it',
    (status) => expect(isOutcomeUnknown(problem(status), true)).toBe(true),
  );

  it('that may have happened before has not, if the API knows its key and refuses', () =>
    expect(isOutcomeUnknown(problem(409, 'payment_not_refundable'), true)).toBe(false));

  it('may have happened after any error that is not of the client', () =>
    expect(isOutcomeUnknown(problemOf(new TypeError('x is not a function')))).toBe(true));

  it('is read from the errors of the client', () => {
    const error = new PayforkError({ status: 429, code: 'rate_limited', message: 'Too many.' });
    expect(problemOf(error)).toEqual({ status: 429, code: 'rate_limited', message: 'Too many.', details: [] });
  });
});
