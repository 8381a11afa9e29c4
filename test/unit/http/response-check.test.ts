import { expect, it } from 'vitest';
import { responseCheck, type SeenResponse } from '#test/support/response-check.ts';

const STAMPED = {
  'content-type': 'application/json; charset=utf-8',
  'x-request-id': 'req_1',
  'x-ratelimit-limit': '500',
  'x-ratelimit-remaining': '499',
  'x-ratelimit-reset': '60',
};
const anAnswer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): SeenResponse => ({
  status,
  headers: new Headers({ ...STAMPED, ...headers }),
  body,
  text: JSON.stringify(body),
});
const problem = (code: string, error = 'not_found') => ({
  error,
  code,
  message: 'There is no such thing.',
  doc_url: `https://api.example/docs/errors#${code}`,
});
const KEY = {
  id: 'key_1',
  name: 'Key',
  kind: 'service',
  scopes: [],
  created_at: '2026-01-31T12:00:00.000Z',
  created_by: null,
  agent: false,
  last_used_at: null,
};
const aList = (key: Readonly<Record<string, unknown>>) => ({
  api_keys: [{ ...KEY, ...key }],
  pagination: { limit: 50, offset: 0, total: 1, next_cursor: null },
});

const check = await responseCheck();

it.each<readonly [string, string, string, SeenResponse]>([
  ['a response as documented', 'GET', '/v1/api-keys?limit=50', anAnswer(200, aList({}))],
  ['an error code of the route', 'DELETE', '/v1/api-keys/key_1', anAnswer(404, problem('not_found'))],
  ['an unknown route', 'PUT', '/v1/api-keys', anAnswer(404, problem('route_not_found'))],
  ['an error of the gateway itself', 'GET', '/v1/api-keys', anAnswer(503, { message: 'Service Unavailable' })],
])('the response check accepts %s', (_, method, path, answer) =>
  expect(() => check(method, path, answer)).not.toThrow(),
);

it.each<readonly [string, string, string, SeenResponse, RegExp]>([
  [
    'an undocumented status',
    'GET',
    '/v1/api-keys',
    anAnswer(302, {}),
    /GET \/v1\/api-keys answered 302 .*\n.*`errors` on its route line/,
  ],
  [
    'an error code of another route',
    'GET',
    '/v1/api-keys',
    anAnswer(403, problem('scope_escalation', 'forbidden')),
    /403 scope_escalation:\nthe code is not in the document/,
  ],
  [
    'an error code with the status of another',
    'GET',
    '/v1/api-keys',
    anAnswer(409, problem('missing_scope', 'forbidden')),
    /409 missing_scope:\nthe code has another status/,
  ],
  ['a missing field', 'GET', '/v1/api-keys', anAnswer(200, { api_keys: [] }), /required property 'pagination'/],
  [
    'an undocumented field',
    'GET',
    '/v1/api-keys',
    anAnswer(200, aList({ hash: 'x' })),
    /\/api_keys\/0 must NOT have additional properties/,
  ],
  [
    'a date-time in another format',
    'GET',
    '/v1/api-keys',
    anAnswer(200, aList({ created_at: '2026-01-31' })),
    /\/api_keys\/0\/created_at must match format/,
  ],
  [
    'an undocumented header',
    'GET',
    '/v1/api-keys',
    anAnswer(200, aList({}), { 'idempotency-replayed': 'true' }),
    /does not name its header idempotency-replayed/,
  ],
  [
    'a body of another content type',
    'GET',
    '/v1/api-keys',
    anAnswer(200, aList({}), { 'content-type': 'text/html' }),
    /no body of type text\/html/,
  ],
  ['a success of an undocumented route', 'GET', '/v1/nowhere', anAnswer(200, {}), /only unknown routes/],
])('the response check rejects %s', (_, method, path, answer, message) =>
  expect(() => check(method, path, answer)).toThrow(message),
);

it('the response check rejects a response without the common headers', () => {
  const bare = { ...anAnswer(200, aList({})), headers: new Headers({ 'content-type': 'application/json' }) };
  expect(() => check('GET', '/v1/api-keys', bare)).toThrow(/the header X-Request-Id is missing/);
});
