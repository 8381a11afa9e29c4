import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Item, TablePort } from '#shared/store/table/table.port.ts';
import { anOrganization, type Body, startHost, type TestHost, type TestOrganization } from '#test/support/host.ts';
import { HOSTILE_URLS } from '#test/support/hostile-addresses.ts';
import { advance, drain } from '#test/support/payment-steps.ts';

/** Replaces the stored URL, as if the rule had been added after the configuration was saved. */
let stored: string | undefined;
const withStored = (item: Item | undefined): Item | undefined =>
  item?.item_type === 'receiver' && stored !== undefined ? { ...item, url: stored } : item;
const through = (table: TablePort): TablePort =>
  new Proxy(table, {
    get(target, name) {
      if (name === 'get') return async (...args: Parameters<TablePort['get']>) => withStored(await target.get(...args));
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ wrapTable: through });
});
afterAll(() => host?.close());

const configure = (url: string, { key }: TestOrganization) =>
  host.call('POST', '/v1/webhooks/config', { url, events: ['*'] }, { key });
const read = ({ key }: TestOrganization) => host.call('GET', '/v1/webhooks/config', undefined, { key });
const sendTest = async ({ key }: TestOrganization): Promise<string> =>
  (await host.call('POST', '/v1/webhooks/test', undefined, { key })).body.id;
const event = async (id: string, { key }: TestOrganization): Promise<Body> =>
  (await host.call('GET', `/v1/webhooks/events/${id}`, undefined, { key })).body;

async function withEndpoint(answers: Body = {}): Promise<TestOrganization & { readonly name: string }> {
  const name = randomUUID();
  await host.control('PUT', `/receiver/${name}`, answers);
  const org = await anOrganization(host);
  expect((await configure(`${host.controlUrl}/receiver/${name}/hook`, org)).status).toBe(200);
  return { ...org, name };
}
const requestsTo = async (name: string): Promise<readonly Body[]> =>
  (await host.control('GET', `/receiver/${name}`)).body.deliveries;

describe('a webhook URL that is not allowed', () => {
  let fresh: TestOrganization;
  let settled: TestOrganization & { readonly name: string };
  let before: string;
  beforeAll(async () => {
    fresh = await anOrganization(host);
    settled = await withEndpoint();
    before = (await read(settled)).text;
  });

  it('is listed here in more than forty forms', () => {
    expect(new Set(HOSTILE_URLS.map(([, url]) => url)).size).toBe(HOSTILE_URLS.length);
    expect(HOSTILE_URLS.length).toBeGreaterThanOrEqual(40);
  });

  it.each(HOSTILE_URLS)('is rejected when it is saved, and nothing is stored: %s', async (_, url) => {
    for (const org of [fresh, settled]) {
      const { status, body } = await configure(url, org);
      expect([status, body.error, body.code]).toEqual([400, 'invalid_request', 'url_not_allowed']);
      // The error names the rule, and nothing about the address that was found.
      expect(body.message).toMatch(/^The URL must /);
      expect(body.details).toBeUndefined();
    }
    expect((await read(fresh)).status).toBe(404);
    expect((await read(settled)).text).toBe(before);
  });

  describe('even if it is already stored', () => {
    afterAll(() => {
      stored = undefined;
    });

    it.each(HOSTILE_URLS)('is not connected to: %s', async (_, url) => {
      const org = await withEndpoint();
      stored = url;
      const id = await sendTest(org);
      await drain(host);
      const { status, attempts } = await event(id, org);
      expect([status, attempts]).toEqual([
        'pending',
        [{ at: expect.any(String), status_code: null, duration_ms: expect.any(Number), error: 'not allowed' }],
      ]);
      stored = undefined;
      expect(await requestsTo(org.name)).toEqual([]);
    });
  });
});

describe('a webhook endpoint that redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'is not followed with status %s, and the event is not delivered',
    async (status) => {
      const org = await withEndpoint({ status });
      const id = await sendTest(org);
      await drain(host);
      expect(await event(id, org)).toMatchObject({
        status: 'pending',
        attempts: [{ status_code: status, error: null }],
      });
      // The redirect leads to this same endpoint, which would have counted a second request.
      expect(await requestsTo(org.name)).toHaveLength(1);
      await host.control('PUT', `/receiver/${org.name}`, { status: 200 });
      await advance(host, '1m');
      expect(await event(id, org)).toMatchObject({ status: 'delivered', attempts: { length: 2 } });
    },
  );
});

describe('a webhook URL that is allowed', () => {
  it.each([
    ['a public address', 'https://8.8.8.8/hook'],
    ['a public address by IPv6', 'https://[2606:4700:4700::1111]/hook'],
    ['another allowed port', 'https://8.8.8.8:8443/hook'],
    ['a fragment that looks like a private address', 'https://8.8.8.8/hook#@10.0.0.1'],
    ['a query that looks like a private address', 'https://8.8.8.8/hook?to=http://169.254.169.254'],
    ['a name that does not resolve', `https://${randomUUID()}.invalid/hook`],
    ['loopback over http, on the local host only', 'http://localhost:4002/receiver/shop/hook'],
  ])('is saved as it was sent: %s', async (_, url) => {
    const org = await anOrganization(host);
    expect((await configure(url, org)).status).toBe(200);
    expect((await read(org)).body.url).toBe(url);
  });
});
