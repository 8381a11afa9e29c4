import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Merchant, webhooksAt } from '#test/http/webhook-merchant.support.ts';
import { aSubscriptionBody } from '#test/support/billing.ts';
import { anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { type SignedInUser, signIn } from '#test/support/people.ts';

/** What the platform gives a large organization: more partitions for its lists, and higher rate limits. */

let host: TestHost;
let owner: SignedInUser;
const { aMerchant, deliveries, advance, drain, event, call } = webhooksAt(() => host);
beforeAll(async () => {
  host = await startHost();
  owner = await signIn(host, host.info.owner_email);
});
afterAll(() => host?.close());

const act = async (id: string, what: 'rate' | 'capacity', body: Body): Promise<void> => {
  owner = await signIn(host, host.info.owner_email);
  const { status } = await owner.call('POST', `/v1/platform/organizations/${id}/${what}`, body);
  expect(status).toBe(200);
};
const get = async (path: string, { key }: Pick<Merchant, 'key'>): Promise<Body> =>
  (await host.call('GET', path, undefined, { key })).body;
const idsOf = (records: readonly Body[]): string[] => records.map(({ id }) => id);

/** Payments that wait for their confirmation, and subscriptions that begin later. Each has an event. */
async function create(
  { key }: Merchant,
  count: number,
): Promise<{ readonly payments: string[]; readonly subs: string[] }> {
  const [payments, subs]: [string[], string[]] = [[], []];
  const start_at = new Date(host.clock.now().getTime() + 30 * 86_400_000).toISOString();
  for (let n = 0; n < count; n += 1) {
    const payment = await host.call('POST', '/v1/payments/intents', { amount: 100, currency: 'EUR' }, { key });
    const sub = await host.call('POST', '/v1/subscriptions', aSubscriptionBody({ start_at }), { key });
    payments.push(payment.body.id);
    subs.push(sub.body.id);
  }
  await drain();
  return { payments, subs };
}

describe('an organization whose lists are spread over more partitions', () => {
  it('has all of its records and events, from before and after', async () => {
    const shop = await aMerchant();
    const made = [await create(shop, 4)];
    for (const list_shards of [16, 64]) {
      await act(shop.org_id, 'capacity', { list_shards });
      made.push(await create(shop, 2));
      await advance('61s');
      made.push(await create(shop, 6));
    }
    const payments = made.flatMap((each) => each.payments).reverse();
    const subs = made.flatMap((each) => each.subs).reverse();
    expect(idsOf((await get('/v1/payments?limit=200', shop)).payments)).toEqual(payments);
    expect(idsOf(await get('/v1/subscriptions?limit=200', shop))).toEqual(subs);
    const { events } = (await call('GET', '/events?limit=200', undefined, shop)).body;
    expect(events.length).toBe(payments.length + subs.length);
    expect(new Set(events.map(({ status }: Body) => status))).toEqual(new Set(['delivered']));
    for (const { id } of events) expect((await event(id, shop)).id).toBe(id);
    const received = (await deliveries(shop)).map(({ headers }) => headers['webhook-id']);
    expect(received.toSorted()).toEqual(idsOf(events).toSorted());
    const shown = JSON.stringify([events, await get('/v1/payments?limit=200', shop)]);
    for (const name of ['list_shards', 'due_at']) expect(shown).not.toContain(name);
  });

  it('retries and replays its events', async () => {
    const shop = await aMerchant({ sequence: [500, 500, 500, 200] });
    await act(shop.org_id, 'capacity', { list_shards: 16 });
    await advance('61s');
    const { payments } = await create(shop, 1);
    await advance('10m');
    const { events } = (await call('GET', '/events?limit=10', undefined, shop)).body;
    expect(events.map(({ status }: Body) => status)).toEqual(['delivered', 'delivered']);
    const created = events.find(({ data }: Body) => data.id === payments[0]);
    expect((await call('POST', `/events/${created.id}/replay`, undefined, shop)).status).toBe(200);
    await drain();
    const sent = (await deliveries(shop)).filter(({ headers }) => headers['webhook-id'] === created.id);
    expect((await event(created.id, shop)).attempts.length).toBe(sent.length);
  });
});

describe('a key with a limit of 5,000 payments a second', () => {
  const RATE = { payments: 300_000, writes: 100, reads: 1_000 };

  it('has its limits in the end, wherever the request that sets them dies', async () => {
    const shownLimit = async (key: string) =>
      (await host.call('GET', '/v1/api-keys?limit=1', undefined, { key })).headers.get('x-ratelimit-limit');
    for (let nth = 1, died = true; died; nth += 1) {
      const { org_id, key } = await anOrganization(host);
      owner = await signIn(host, host.info.owner_email);
      await host.control('POST', '/faults', { point: 'table', nth, kind: 'crash', when: 'after', handler: 'platform' });
      const set = () =>
        owner.call('POST', `/v1/platform/organizations/${org_id}/rate`, RATE, { idempotencyKey: `rate-${nth}` });
      died = (await set()).status === 503;
      await host.control('DELETE', '/faults');
      // The claim of a request that died ends.
      await advance('36s');
      expect((await set()).status).toBe(200);
      await shownLimit(key);
      expect(Number(await shownLimit(key)), `call ${nth}`).toBeGreaterThanOrEqual(RATE.reads);
      if (!died) expect(nth).toBeGreaterThan(8);
    }
  }, 60_000);

  it('pays with the higher limit, and is refused from the first request after its revocation', async () => {
    const shop = await anOrganization(host);
    const made = await host.call(
      'POST',
      '/v1/api-keys',
      { name: 'Till', scopes: ['payments:write'] },
      { key: shop.key },
    );
    await act(shop.org_id, 'rate', RATE);
    const pay = () =>
      host.call('POST', '/v1/payments/intents', { amount: 100, currency: 'EUR' }, { key: made.body.key });
    await pay();
    const answers = await Promise.all(Array.from({ length: 250 }, pay));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    // Of a minute or of ten seconds, whichever is closer.
    expect(['300000', '86029']).toContain(answers.at(-1)?.headers.get('x-ratelimit-limit'));
    expect((await host.call('DELETE', `/v1/api-keys/${made.body.id}`, undefined, { key: shop.key })).status).toBe(200);
    const refused = await Promise.all(Array.from({ length: 40 }, pay));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([401]));
  });
});
