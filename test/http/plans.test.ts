import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { waitsOf } from '#test/bench/store-waits.ts';
import { aLiveShop, connect, type LiveHost, startLiveHost, verdict } from '#test/http/live-host.support.ts';
import { aLab, makeTest, move, PATH } from '#test/support/ab-test-steps.ts';
import { aGuest, aLink } from '#test/support/guest-browser.ts';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  callsOf,
  type TestOrganization,
} from '#test/support/host.ts';
import { advance, arrange, moneyOf } from '#test/support/payment-steps.ts';

let host: LiveHost;
beforeAll(async () => {
  host = await startLiveHost();
});
afterAll(() => host?.close());

const aFreeShop = () => aLiveShop(host, { plan: 'free' });
const pay = ({ key }: TestOrganization, how: CallOptions = {}, body: Body = aPaymentBody()) =>
  host.call('POST', '/v1/payments', body, { key, ...how });
const paymentsOf = async ({ key }: TestOrganization): Promise<Body[]> =>
  (await host.call('GET', '/v1/payments?limit=200', undefined, { key })).body.payments;
const once = () => ({ idempotencyKey: randomUUID() });
const isReplay = ({ headers }: ApiResponse) => headers.get('idempotency-replayed') === 'true';

const LIMIT_REACHED = [402, 'payment_required', 'plan_limit_reached'];
const nextMonth = (): Date => new Date(Date.UTC(host.clock.now().getUTCFullYear(), host.clock.now().getUTCMonth() + 1));

describe('the payments of a month', () => {
  it('are refused by the simulator of routing too, once none is left', async () => {
    const shop = await aFreeShop();
    await host.spend(shop.org_id, 'payments', 100);
    const simulate = () => host.call('POST', '/v1/routing/simulate', { amount: 500, currency: 'EUR' }, shop);
    expect((await simulate()).body).toMatchObject({
      outcome: 'refused',
      connection_id: null,
      failure: { code: 'plan_limit_reached' },
      routing: { source: 'default' },
    });
    await host.decide(shop.org_id, { plan: 'growth' });
    expect((await simulate()).body).toMatchObject({ outcome: 'routed', failure: null });
  });

  it('are counted once each, however they started and ended', async () => {
    const shop = await aFreeShop();
    const month = host.clock.now().toISOString().slice(0, 7);
    const how = once();
    for (const token of ['ok', 'decline_card_declined', 'needs_3ds']) await pay(shop, {}, aPaymentBody(token));
    await pay(shop, how);
    await pay(shop, how);
    await host.call('POST', '/v1/payments/intents', aPaymentBody(), { key: shop.key });
    const visitor = aGuest(host);
    await visitor.submit(await visitor.open((await aLink(host, {}, shop.key)).url), 'start');
    await pay(shop, {}, { amount: 0 });
    expect(await host.usage(shop.org_id)).toEqual({ [`payments:${month}`]: 6 });
    expect(await paymentsOf(shop)).toHaveLength(6);
  });

  it.each(['/v1/payments', '/v1/payments/intents'])(
    'are refused at %s beyond the limit, without leaving anything behind',
    async (path) => {
      const shop = await aFreeShop();
      await host.spend(shop.org_id, 'payments', 99);
      const [last, how] = [once(), once()];
      const createPayment = (options: CallOptions) =>
        host.call('POST', path, aPaymentBody(), { key: shop.key, ...options });
      expect((await createPayment(last)).status).toBe(201);
      await host.drain();

      const refused = await createPayment(how);
      expect([refused.status, refused.body]).toEqual([
        402,
        {
          error: 'payment_required',
          code: 'plan_limit_reached',
          message: 'The plan free includes 100 payments per month. Upgrade to a larger plan, or wait until next month.',
          details: { metric: 'payments', used: '100', limit: '100', reset: nextMonth().toISOString() },
          doc_url: expect.any(String),
        },
      ]);
      expect(await paymentsOf(shop)).toHaveLength(1);

      await host.decide(shop.org_id, { plan: 'growth' });
      const accepted = await createPayment(how);
      expect([accepted.status, isReplay(accepted)]).toEqual([201, false]);
    },
  );

  it('beyond the limit do not refuse the repeat of an accepted request', async () => {
    const shop = await aFreeShop();
    const how = once();
    const first = await pay(shop, how);
    await host.spend(shop.org_id, 'payments', 100);
    const again = await pay(shop, how);
    expect([again.status, again.text, isReplay(again)]).toEqual([201, first.text, true]);
    expect(verdict(await pay(shop, how, aPaymentBody('ok', { amount: 1 })))).toEqual([
      422,
      'unprocessable',
      'idempotency_key_reused',
    ]);
    expect(verdict(await pay(shop, once()))).toEqual(LIMIT_REACHED);
  });

  it('beyond the limit do not refuse a retry of a request that crashed', async () => {
    const shop = await aFreeShop();
    const how = once();
    await arrange(host, 'approve', { webhook: 'none' });
    host.faults.add({ point: 'psp', nth: 1, kind: 'crash', when: 'after', handler: 'payments' });
    expect((await pay(shop, how)).status).toBe(503);
    await host.spend(shop.org_id, 'payments', 100);
    expect(verdict(await pay(shop, how))).toEqual([409, 'conflict', 'idempotency_in_progress']);
    await advance(host, '36s');
    const retried = await pay(shop, how);
    expect([retried.status, retried.body.status, (await moneyOf(host, retried.body.id)).count]).toEqual([
      201,
      'succeeded',
      1,
    ]);
  });

  it('treat an expired idempotency key as a new one, and leave its earlier payment alone', async () => {
    const shop = await aFreeShop();
    const how = once();
    const { id } = (await pay(shop, how)).body;
    await host.drain();
    await advance(host, '25h');
    await host.spend(shop.org_id, 'payments', 100);
    const before = await host.deps.payments.byId(id);
    expect(verdict(await pay(shop, how))).toEqual(LIMIT_REACHED);
    expect(await host.deps.payments.byId(id)).toEqual(before);
    await host.decide(shop.org_id, { plan: 'scale' });
    const second = await pay(shop, how);
    expect([second.status, second.body.id === id]).toEqual([201, false]);
    await host.decide(shop.org_id, { plan: 'free' });
    const again = await pay(shop, how);
    expect([again.status, again.body.id, isReplay(again)]).toEqual([201, second.body.id, true]);
    await advance(host, '25h');
    expect(verdict(await pay(shop, how))).toEqual(LIMIT_REACHED);
  });

  it('start again with the next month', async () => {
    const shop = await aFreeShop();
    await host.spend(shop.org_id, 'payments', 100);
    expect(verdict(await pay(shop))).toEqual(LIMIT_REACHED);
    await host.control('POST', '/clock', { set: nextMonth().toISOString() });
    expect((await pay(shop)).status).toBe(201);
  });

  it('need no further read for a payment, and one read for a refusal', async () => {
    const shop = await aFreeShop();
    await pay(shop);
    // What routing reads is summed up a moment later.
    await host.drain();
    const accepted = await waitsOf(host, () => pay(shop));
    expect([accepted.before, accepted.after, [...accepted.calls].sort()]).toEqual([
      2,
      1,
      ['psp.send', 'table.get', 'table.get', 'table.get', 'table.put', 'table.put', 'table.update'],
    ]);
    await host.spend(shop.org_id, 'payments', 100);
    const { calls } = await waitsOf(host, () => pay(shop));
    const recorded = ['table.put', 'table.update'];
    expect([...calls].sort()).toEqual(['table.get', 'table.get', 'table.get', ...recorded, 'table.update']);
  });

  it('beyond the limit cannot be started on the page of a payment link, which takes no slot', async () => {
    const shop = await aFreeShop();
    const link = await aLink(host, {}, shop.key);
    await host.spend(shop.org_id, 'payments', 100);
    const visitor = aGuest(host);
    const page = await visitor.submit(await visitor.open(link.url), 'start');
    expect([page.status, /data-view="([a-z-]+)"/.exec(page.html)?.[1]]).toEqual([409, 'form']);
    expect(page.html).toContain('You cannot pay this way right now.');
    expect(await paymentsOf(shop)).toEqual([]);
    expect((await host.deps.paymentLinks.byId(link.id))?.slots_left).toBe(1);
    await host.decide(shop.org_id, { plan: 'growth' });
    expect((await visitor.submit(page, 'start')).status).toBe(200);
    expect(await paymentsOf(shop)).toHaveLength(1);
  });
});

describe('the connections of a plan', () => {
  const save = ({ key }: TestOrganization, id: string, more: Body = {}) =>
    host.call(
      'POST',
      '/v1/connections',
      { id, provider: 'stripe', credentials: randomCredentials('stripe', 'live'), ...more },
      { key },
    );

  it('are refused beyond the limit, while existing ones can be changed', async () => {
    const shop = await aFreeShop();
    await connect(host, shop, 'second');
    const refused = await save(shop, 'third');
    expect([...verdict(refused), refused.body.details]).toEqual([
      ...LIMIT_REACHED,
      { metric: 'connections', used: '2', limit: '2', reset: nextMonth().toISOString() },
    ]);
    expect((await save(shop, 'main', { labels: ['eu'] })).body.labels).toEqual(['eu']);
    expect(verdict(await save(shop, 'third', { credentials: {} }))).toEqual([
      400,
      'invalid_request',
      'invalid_request',
    ]);
    expect((await host.call('GET', '/v1/connections', undefined, { key: shop.key })).body.pagination.total).toBe(2);
  });

  it('are exactly as many as the plan includes, of many that are saved at once', async () => {
    const shop = await aFreeShop();
    const saved = await Promise.all(Array.from({ length: 6 }, (_, n) => save(shop, `at_once_${n}`)));
    expect(saved.map(({ status }) => status).toSorted()).toEqual([201, 402, 402, 402, 402, 402]);
    expect((await host.call('GET', '/v1/connections', undefined, { key: shop.key })).body.pagination.total).toBe(2);
  });

  it('do not count once deleted, and count again once restored', async () => {
    const shop = await aFreeShop();
    await connect(host, shop, 'second');
    const remove = (id: string) => host.call('DELETE', `/v1/connections/${id}`, undefined, { key: shop.key });
    await remove('main');
    expect((await save(shop, 'third')).status).toBe(201);
    expect(verdict(await save(shop, 'main'))).toEqual(LIMIT_REACHED);
    await remove('third');
    expect((await save(shop, 'main')).status).toBe(201);
  });
});

describe('the API keys of a plan', () => {
  const make = ({ key }: TestOrganization, name: string, how: CallOptions = {}) =>
    host.call('POST', '/v1/api-keys', { name, scopes: [] }, { key, ...how });

  it('are refused beyond the limit, until one is revoked', async () => {
    const shop = await anOrganization(host, { plan: 'free' });
    const how = once();
    const made = [await make(shop, '2'), await make(shop, '3'), await make(shop, '4'), await make(shop, '5', how)];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const again = await make(shop, '5', how);
    expect([again.status, again.text, isReplay(again)]).toEqual([201, made[3]!.text, true]);
    const sixth = once();
    const refused = await make(shop, '6', sixth);
    expect([...verdict(refused), refused.body.details]).toEqual([
      ...LIMIT_REACHED,
      { metric: 'api_keys', used: '5', limit: '5', reset: nextMonth().toISOString() },
    ]);
    await host.call('DELETE', `/v1/api-keys/${made[0]!.body.id}`, undefined, { key: shop.key });
    expect((await make(shop, '6', sixth)).status).toBe(201);
  });

  it('allow the retry of a creation whose response was lost', async () => {
    const shop = await anOrganization(host, { plan: 'free' });
    for (const name of ['2', '3', '4']) await make(shop, name);
    const calls = await callsOf(host, () => anOrganization(host).then((other) => make(other, 'Measure')), 'api-keys');
    const nth = calls.filter(({ point }) => point === 'table').findIndex(({ method }) => method === 'transact') + 1;
    const how = once();
    // One read more, as the keys of the plan free are counted.
    host.faults.add({ point: 'table', nth: nth + 1, kind: 'crash', when: 'after', handler: 'api-keys' });
    expect((await make(shop, '5', how)).status).toBe(503);
    await advance(host, '36s');
    expect((await make(shop, '5', how)).status).toBe(201);
    expect((await host.call('GET', '/v1/api-keys', undefined, { key: shop.key })).body.pagination.total).toBe(5);
  });
});

describe('A/B tests', () => {
  it('are not part of the plan free, and are part of growth and larger plans', async () => {
    const free = await aFreeShop();
    const lab = await aLab(host, {});
    const body = {
      name: 'a or b',
      variants: [
        { name: 'A', routing_rule_id: lab.rules.a, weight: 1 },
        { name: 'B', routing_rule_id: lab.rules.b, weight: 1 },
      ],
    };
    const refused = await host.call('POST', PATH, body, { key: free.key });
    expect([...verdict(refused), refused.body.details]).toEqual([
      402,
      'payment_required',
      'feature_not_in_plan',
      { feature: 'ab_tests', plan: 'free' },
    ]);
    await host.decide(lab.org_id, { plan: 'growth' });
    const test = await makeTest(lab);
    expect((await move(lab, test.id, 'start')).status).toBe(200);
  });
});

describe('in the sandbox', () => {
  it('plans have no limits', async () => {
    const sandbox = await startLiveHost('sandbox');
    const shop = await aLiveShop(sandbox, { plan: 'free' });
    await sandbox.spend(shop.org_id, 'payments', 500);
    const how = { key: shop.key };
    for (const id of ['second', 'third']) expect((await connect(sandbox, shop, id)).id).toBe(id);
    for (let n = 0; n < 6; n += 1)
      expect((await sandbox.call('POST', '/v1/api-keys', { name: 'x', scopes: [] }, how)).status).toBe(201);
    expect((await sandbox.call('POST', '/v1/payments', aPaymentBody(), how)).status).toBe(201);
    expect((await sandbox.call('POST', '/v1/payments/intents', aPaymentBody(), how)).status).toBe(201);
    await sandbox.close();
  });
});
