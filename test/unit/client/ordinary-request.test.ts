import { describe, expect, it } from 'vitest';
import type { ClientMethod } from '#lib/client/operations.ts';
import { ordinaryRequest, type TestRequest } from '#test/support/ordinary-request.ts';

const line = (verb: ClientMethod['verb'], path: string, repeatable = true) =>
  ({ verb, path, repeatable }) as ClientMethod;
const PAY = line('POST', '/v1/payments');
const GET = line('GET', '/v1/payments/{id}');
const LIST = line('GET', '/v1/payments');
const SIGN_IN = line('POST', '/v1/auth/magic-link', false);
const request = (more: Partial<TestRequest>): TestRequest => ({
  method: 'POST',
  address: '/v1/payments',
  key: 'a key',
  ...more,
});

describe('a request of a test', () => {
  it.each<readonly [string, ClientMethod, Partial<TestRequest>, object]>([
    ['a body', PAY, { body: { amount: 5 } }, { ids: [], input: { amount: 5 }, credential: { key: 'a key' } }],
    ['no body', PAY, {}, { input: undefined, options: { idempotencyKey: expect.any(String) } }],
    ['a key of its own', PAY, { idempotencyKey: 'k' }, { options: { idempotencyKey: 'k' } }],
    ['an id', GET, { method: 'GET', address: '/v1/payments/a%2Fb' }, { ids: ['a/b'], options: {} }],
    ['a query', LIST, { method: 'GET', address: '/v1/payments?a=1&b=x%20y' }, { input: { a: '1', b: 'x y' } }],
    [
      'a session',
      LIST,
      { method: 'GET', key: null, headers: { Cookie: 'c', 'X-Org-Id': 'o' } },
      { credential: { session: true, orgId: 'o' }, headers: { cookie: 'c' } },
    ],
    [
      'a service key',
      LIST,
      { method: 'GET', key: null, headers: { 'x-service-key': 's', 'x-org-id': 'o' } },
      { credential: { serviceKey: 's', orgId: 'o' }, headers: {} },
    ],
    ['a person it acts for', PAY, { headers: { 'x-actor-id': 'ann' } }, { options: { actorId: 'ann' }, headers: {} }],
    ['an endpoint that ignores keys', SIGN_IN, {}, { options: {} }],
  ])('with %s goes through the client', (_, method, more, expected) => {
    expect(ordinaryRequest(request(more), method)).toMatchObject(expected);
  });

  it.each<readonly [string, ClientMethod, Partial<TestRequest>]>([
    ['a text for a body', PAY, { body: '{"amount":5}' }],
    ['bytes for a body', PAY, { body: Buffer.from('{}') }],
    ['a list for a body', PAY, { body: [] }],
    ['what JSON leaves out', PAY, { body: { amount: undefined } }],
    ['a body where none belongs', LIST, { method: 'GET', body: {} }],
    ['a query beside a body', PAY, { address: '/v1/payments?a=1' }],
    ['a parameter twice', LIST, { method: 'GET', address: '/v1/payments?a=1&a=2' }],
    ['a broken query', LIST, { method: 'GET', address: '/v1/payments?a=%zz' }],
    ['an id that is written in another way', GET, { method: 'GET', address: '/v1/payments/%61' }],
    ['dots for an id', GET, { method: 'GET', address: '/v1/payments/..' }],
    ['no idempotency key', PAY, { idempotencyKey: null }],
    ['a key where it is ignored', SIGN_IN, { idempotencyKey: 'k' }],
    ['two credentials', LIST, { method: 'GET', headers: { cookie: 'c' } }],
    ['a service key without its organization', LIST, { method: 'GET', key: null, headers: { 'x-service-key': 's' } }],
    ['a content type of its own', PAY, { headers: { 'Content-Type': 'text/plain' } }],
    ['one header twice', PAY, { headers: { 'X-Actor-Id': 'a', 'x-actor-id': 'b' } }],
  ])('with %s is sent as it is', (_, method, more) => {
    expect(ordinaryRequest(request(more), method)).toBeUndefined();
  });
});
