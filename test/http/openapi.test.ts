import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

it('GET /openapi.json serves the committed document to anyone, also to any web page', async () => {
  const answer = await host.call('GET', '/openapi.json', undefined, { key: null });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')));
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

it('the tests check every response against the API document', async () => {
  const before = host.checked();
  await host.call('GET', '/v1/payments');
  expect(host.checked()).toBe(before + 1);
});
