import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { anotherSystem, type SentCallback } from '#test/http/foreign-events.support.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';

let host: TestHost;
let shop: TestOrganization;
let stranger: TestOrganization;
let other: Awaited<ReturnType<typeof anotherSystem>>;
const connections = new Map<Provider, Body>();
const sent = new Map<Provider, readonly SentCallback[]>();

beforeAll(async () => {
  host = await startHost();
  other = await anotherSystem(host.clock);
  [shop, stranger] = [await anOrganization(host), await anOrganization(host)];
  for (const provider of PROVIDERS) {
    const credentials = { ...randomCredentials(provider, 'sandbox') };
    connections.set(provider, await aConnection(host, shop, { provider, credentials }));
    sent.set(provider, await other.charge(provider, credentials));
  }
});
afterAll(() => Promise.all([host?.close(), other?.close()]));

const bring = (address: string, { body, headers }: SentCallback): Promise<ApiResponse> =>
  host.call('POST', address, body, { key: null, idempotencyKey: null, headers });
const pathOf = ({ callback_url }: Body): string => {
  const { pathname, search } = new URL(callback_url);
  return pathname + search;
};
const healthOf = async ({ id }: Body, { key }: TestOrganization = shop): Promise<Body> =>
  (await host.call('GET', `/v1/connections/${id}`, undefined, { key })).body;
const eventsOf = (provider: Provider): readonly SentCallback[] => sent.get(provider) ?? [];

/** What callbacks write meanwhile. */
async function writesWhile(work: () => Promise<unknown>): Promise<readonly string[]> {
  const writes: string[] = [];
  const stop = host.onCall(({ group, point, method }) => {
    if (group === 'psp-webhooks' && point === 'table' && /^(put|update|transact)/.test(method)) writes.push(method);
  });
  await work();
  stop();
  return writes;
}

/** How many of a charge's callbacks are of a type that is used, and prove who sent them. */
const COUNTED: Readonly<Record<Provider, number>> = {
  adyen: 1,
  checkout: 2,
  flutterwave: 1,
  mollie: 1,
  paypal: 2,
  paystack: 1,
  razorpay: 4,
  stripe: 2,
};

describe.each(PROVIDERS)('an event of %s about a charge of another system', (provider) => {
  it('is accepted at the address of the connection, and counted with one write', async () => {
    const connection = connections.get(provider);
    expect(await healthOf(connection)).toMatchObject({ foreign_events: 0, last_foreign_event_at: null });
    const answers: ApiResponse[] = [];
    const writes = await writesWhile(async () => {
      for (const event of eventsOf(provider)) answers.push(await bring(pathOf(connection), event));
    });
    const text = provider === 'adyen' ? '[accepted]' : '{"received":true}';
    expect(answers.map((answer) => [answer.status, answer.text])).toEqual(eventsOf(provider).map(() => [200, text]));
    expect(writes).toEqual(Array.from({ length: COUNTED[provider] ?? 0 }, () => 'update'));
    const health = await healthOf(connection);
    expect(health).toMatchObject({ foreign_events: COUNTED[provider], total_calls: 0, health_status: 'unknown' });
    expect(Date.parse(health.last_foreign_event_at)).toBeLessThanOrEqual(host.clock.now().getTime());
  });

  it('is refused as the specification says at the address without a connection', async () => {
    const statuses = [];
    for (const event of eventsOf(provider)) statuses.push((await bring(`/webhooks/${provider}`, event)).status);
    const refused = statuses.filter((status) => status === 400).length;
    expect(refused).toBe(provider === 'mollie' ? 0 : COUNTED[provider]);
  });

  it('is refused with 401 where its signature is of another account, and writes nothing', async () => {
    const connection = await aConnection(host, stranger, { provider });
    const addresses = [
      pathOf(connection),
      pathOf({ callback_url: `http://any/webhooks/${provider}?connection=conn_none&org=${shop.org_id}` }),
      // Of another provider.
      pathOf(connections.get(provider === 'stripe' ? 'adyen' : 'stripe')).replace(/[^/]+\?/, `${provider}?`),
    ];
    const signed = eventsOf(provider).filter(({ body }) => provider !== 'mollie' || body.startsWith('{'));
    expect(signed.length).toBeGreaterThan(0);
    const writes = await writesWhile(async () => {
      for (const address of addresses)
        for (const event of signed)
          expect(await bring(address, event)).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
    });
    expect(writes).toEqual([]);
    expect((await healthOf(connection, stranger)).foreign_events).toBe(0);
  });
});

describe('a batch of Adyen', () => {
  it('counts each of its items', async () => {
    const connection = connections.get('adyen');
    const [event] = eventsOf('adyen');
    const { notificationItems, ...rest } = JSON.parse(event!.body);
    const body = JSON.stringify({ ...rest, notificationItems: [...notificationItems, ...notificationItems] });
    const before = (await healthOf(connection)).foreign_events;
    expect((await bring(pathOf(connection), { ...event!, body })).text).toBe('[accepted]');
    expect((await healthOf(connection)).foreign_events).toBe(before + 2);
  });
});
