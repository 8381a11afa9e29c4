import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { OURS, pathsIn, verdict } from '#test/http/bad-input.support.ts';
import { type ApiResponse, type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';

/** However many errors a request has, its error response is a few pages at most. */

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const MOST_BYTES = 25_000;
const fields = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, value]));
const list = (count: number, value: unknown) => Array.from({ length: count }, () => value);
const NOBODY: CallOptions = { key: null, idempotencyKey: null };

describe('a request with very many errors', () => {
  it.each<[string, string, Body, CallOptions]>([
    ['unknown fields, from anyone', '/v1/auth/magic-link', { email: 'a@b.example', ...fields(20_000, 1) }, NOBODY],
    ['unknown fields', '/v1/payments', { amount: 1, currency: 'EUR', ...fields(20_000, 1) }, {}],
    ['invalid metadata', '/v1/payments', { amount: 1, currency: 'EUR', metadata: fields(20_000, []) }, {}],
    [
      'names of metadata that are too long',
      '/v1/payments',
      { amount: 1, currency: 'EUR', metadata: fields(60, 'x'), [`f${'x'.repeat(200_000)}`]: 1 },
      {},
    ],
    ['scopes', '/v1/api-keys', { name: 'x', scopes: list(50_000, 'x') }, {}],
    ['fewer scopes', '/v1/api-keys', { name: 'x', scopes: list(100, 'x') }, {}],
    ['event types', '/v1/webhooks/config', { url: 'https://shop.example/', events: list(100_000, 1) }, {}],
    ['labels', '/v1/connections', { provider: 'stripe', labels: list(100_000, 1) }, {}],
    ['variants', '/v1/routing/ab-tests', { name: 'x', variants: list(50_000, {}) }, {}],
    ['velocity rules', '/v1/policies/fraud', { velocity: list(50_000, {}) }, {}],
    [
      'entries of lists',
      '/v1/policies/fraud',
      { blocked: { emails: list(500, 'x'), ips: list(500, 'x'), countries: list(500, 'x') } },
      {},
    ],
    ['steps', '/v1/workflows/templates', { name: 'x', steps: list(50_000, {}) }, {}],
    [
      '__proto__ everywhere',
      '/v1/payments',
      `{"amount":1,"currency":"EUR","metadata":[${list(10_000, '{"__proto__":1}')}]}`,
      {},
    ],
  ])('gets a short error response: %s', async (_, path, body, how) => {
    const answer = await host.call('POST', path, body, how);
    expect(verdict(answer)).toEqual([400, 'invalid_request', 'invalid_request']);
    expect(answer.text.length).toBeLessThan(MOST_BYTES);
  });

  const unknown = (count: number): Promise<ApiResponse> =>
    host.call('POST', '/v1/payments', { amount: 1, currency: 'EUR', ...fields(count, 1) });

  it('gets the first fifty errors, and the number of further ones', async () => {
    const { body } = await unknown(73);
    expect(body.details).toEqual({ fields: expect.any(Array), more: 23 });
    expect(body.details.fields.map(({ path }: Body) => path)).toEqual(Array.from({ length: 50 }, (_, n) => `f${n}`));
  });

  it('gets all errors if there are at most fifty', async () => {
    const answer = await unknown(50);
    expect([pathsIn(answer).length, answer.body.details.more]).toEqual([50, undefined]);
  });
});

type Schema = { readonly type?: unknown; readonly maxItems?: number; readonly [name: string]: unknown };

/** Lists without a maximum length, by path. */
function* endless(schema: unknown, at: string): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  const { type, maxItems } = schema as Schema;
  if (type === 'array' && maxItems === undefined) yield at;
  for (const [name, inner] of Object.entries(schema)) yield* endless(inner, `${at}/${name}`);
}

describe('a list in a request', () => {
  const bodies = OURS.flatMap(({ method, path, body }) => (body ? [[`${method} ${path}`, body] as const] : []));
  it.each(bodies)('has a maximum length: %s', (_, shape) => {
    expect([...endless(z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' }), '')]).toEqual([]);
  });
});
