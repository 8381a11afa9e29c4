import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressOf, admission, INVALID, OURS, verdict } from '#test/http/bad-input.support.ts';
import { type CallOptions, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
let admit: (route: (typeof OURS)[number]) => CallOptions;
beforeAll(async () => {
  host = await startHost();
  admit = await admission(host);
});
afterAll(() => host?.close());

describe('a query parameter that is sent twice', () => {
  it.each(OURS)('is rejected by $method $path', async (route) => {
    const answer = await host.call(route.method, `${addressOf(route)}?limit=7&limit=7`, undefined, admit(route));
    expect(verdict(answer)).toEqual(INVALID);
    expect(answer.body.details.fields).toContainEqual({ path: 'query.limit', message: 'Must not be repeated.' });
  });

  it.each(['customer_id=a&customer_id=b', 'customer_id=a&customer%5fid=b', 'customer_id=&customer_id'])(
    'is refused, however it is spelled: %s',
    async (query) => {
      const { status, body } = await host.call('GET', `/v1/payments?${query}`);
      expect([status, body.details?.fields.at(0)]).toEqual([
        400,
        { path: 'query.customer_id', message: 'Must not be repeated.' },
      ]);
    },
  );

  it('is different from a parameter with a comma in its value', async () => {
    expect((await host.call('GET', '/v1/payments?customer_id=a,b&limit=7')).status).toBe(200);
  });
});
