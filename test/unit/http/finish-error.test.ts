import { describe, expect, it } from 'vitest';
import { PayforkError } from '#client/typescript/src/errors.ts';
import { retryDelay } from '#client/typescript/src/retry.rules.ts';
import { finishError } from '#shared/http/finish-error.ts';
import type { ApiResult } from '#shared/http/request.ts';
import { problemResponse } from '#shared/http/response.ts';
import { AppError, ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

const apiUrl = 'https://api.example';
const CODES = Object.keys(ERROR_CODES) as readonly ErrorCode[];

function finished(error: unknown, how: Partial<Parameters<typeof finishError>[1]> = {}): ApiResult {
  const response: ApiResult = problemResponse(error);
  finishError(response, { apiUrl, isSafe: true, ...how });
  return response;
}
const shouldRetry = ({ headers }: ApiResult) => headers?.['x-should-retry'];

describe('the end of an error answer', () => {
  it.each(CODES)('says of %s what the client does by its own rules', (code) => {
    const { headers = {}, statusCode = 0 } = finished(new AppError(code, 'No.'));
    const seen = new PayforkError({ status: statusCode, code, message: 'No.' });
    expect(headers['x-should-retry']).toBe(String(retryDelay(seen, 0, 0.5) !== undefined));
  });

  it.each([
    ['an error of ours after a change without a key has begun', new Error('Oops.'), { isSafe: false }, 'false'],
    ['an error of ours otherwise', new Error('Oops.'), {}, 'true'],
    ['a full window, also without a key', new AppError('rate_limited', 'No.'), { isSafe: false }, 'true'],
    ['a window that is full for a minute', new AppError('rate_limited', 'No.', { retryAfter: 60 }), {}, 'true'],
    ['one that is full for hours', new AppError('rate_limited', 'No.', { retryAfter: 61 }), {}, 'false'],
    ['an outcome that nobody knows yet', new AppError('outcome_unknown', 'No.', { retryAfter: 5 }), {}, 'false'],
  ])('says whether to send it again: %s', (_, error, how, expected) => {
    expect(shouldRetry(finished(error, how))).toBe(expected);
  });

  it('leads to the words of its code, and keeps all that the error says', () => {
    const error = new AppError('invalid_request', 'No.', { details: { fields: [] } });
    expect(JSON.parse(finished(error).body ?? '')).toEqual({
      error: 'invalid_request',
      code: 'invalid_request',
      message: 'No.',
      details: { fields: [] },
      doc_url: 'https://api.example/docs/errors#invalid_request',
    });
  });

  it('asks for a bearer token where one is missing, but never on a page', () => {
    const missing = new AppError('invalid_session', 'No.');
    expect(finished(missing).headers?.['www-authenticate']).toBe('Bearer');
    expect(finished(missing, { isPage: true }).headers).not.toHaveProperty('www-authenticate');
    expect(finished(new AppError('missing_scope', 'No.')).headers).not.toHaveProperty('www-authenticate');
  });

  it('leaves the body of a page as it is, and what is no error of ours', () => {
    for (const body of ['<!doctype html>', '{"received":true}', '']) {
      const response: ApiResult = { statusCode: 500, headers: {}, body };
      finishError(response, { apiUrl, isSafe: false, isPage: body.startsWith('<') });
      expect([response.body, shouldRetry(response)]).toEqual([body, 'false']);
    }
  });
});
