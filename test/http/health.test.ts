import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callsOf, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const health = (of: TestHost = host) => of.call('GET', '/health', undefined, { key: null });

describe('GET /health', () => {
  it('tells anyone the stage and the build, and that nothing may keep the answer', async () => {
    const { status, body, headers } = await health();
    const { version } = host.deps.config;
    expect([status, body]).toEqual([200, { status: 'ok', stage: 'sandbox', version, probe: 'not_set_up' }]);
    expect(body.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('answers HEAD with the same status and no body', async () => {
    const answer = await fetch(`${host.info.api}/health`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('reads the store once for many requests, and counts nobody', async () => {
    const busy = await startHost({ rateLimits: true });
    try {
      const statuses: number[] = [];
      const ask = async () => {
        statuses.push((await fetch(`${busy.info.api}/health`)).status);
      };
      const calls = await callsOf(busy, () => Promise.all(Array.from({ length: 300 }, ask)), 'health');
      expect(calls.map(({ point, method }) => `${point}.${method}`)).toEqual(['table.get']);
      expect(new Set(statuses)).toEqual(new Set([200]));
    } finally {
      await busy.close();
    }
  });

  it('is 503 while the store does not answer, says so as an error, and recovers by itself', async () => {
    const ill = await startHost();
    try {
      const table = { point: 'table', handler: 'health', nth: 1, kind: 'error', when: 'before' };
      await ill.control('POST', '/faults', table);
      const failed = await health(ill);
      expect(failed).toMatchObject({
        status: 503,
        body: { error: 'unavailable', code: 'service_unavailable', details: { stage: 'sandbox' } },
      });
      expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0);
      await expect.poll(async () => (await health(ill)).status, { timeout: 5_000, interval: 100 }).toBe(200);
    } finally {
      await ill.close();
    }
  });
});
