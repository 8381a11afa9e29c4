import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGuest, aLink } from '#test/support/guest-browser.ts';
import {
  aConnection,
  anOrganization,
  aPaymentBody,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { advance, callsAbout, eventTypesOf, keyWith } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const PATH = '/v1/policies/fraud';
const NOBODY = { countries: [], emails: [], email_domains: [], customer_ids: [], ips: [] };
const ABSENT = {
  enabled: false,
  max_amount: {},
  velocity: [],
  blocked: NOBODY,
  allowed: NOBODY,
  action: 'block',
  updated_at: null,
};

async function aShop(policy?: Body): Promise<TestOrganization> {
  const shop = await anOrganization(host);
  await aConnection(host, shop);
  if (policy) await save({ enabled: true, ...policy }, { key: shop.key });
  return shop;
}
const save = (body: Body, how: CallOptions = {}) => host.call('POST', PATH, body, how);
const read = async (how: CallOptions = {}): Promise<Body> => (await host.call('GET', PATH, undefined, how)).body;
const pay = async (shop: TestOrganization, more: Body = {}, token = 'ok'): Promise<Body> =>
  (await host.call('POST', '/v1/payments', aPaymentBody(token, more), { key: shop.key })).body;
const faultsIn = ({ body }: { readonly body: Body }) => body.details.fields.map(({ path }: Body) => path);

describe('the fraud policy', () => {
  it('is a disabled default until one is saved', async () =>
    expect(await read({ key: (await anOrganization(host)).key })).toEqual(ABSENT));

  it('stores the canonical form of what is sent', async () => {
    const { key } = await anOrganization(host);
    const velocity = [{ field: 'ip', max_payments: 5, max_amount: 10_000, currency: 'eur', window: '10m' }];
    const blocked = {
      countries: ['de', 'DE'],
      emails: [' Ada@Example.com'],
      email_domains: ['Bücher.example'],
      customer_ids: ['c'],
      ips: ['::ffff:10.0.0.1', '10.0.0.0/8'],
    };
    const { status, body } = await save(
      { enabled: true, max_amount: { eur: 500 }, velocity, blocked, action: 'flag' },
      { key },
    );
    expect([status, body]).toEqual([
      200,
      {
        enabled: true,
        max_amount: { EUR: 500 },
        velocity: [{ ...velocity[0], currency: 'EUR' }],
        blocked: {
          countries: ['DE'],
          emails: ['ada@example.com'],
          email_domains: ['xn--bcher-kva.example'],
          customer_ids: ['c'],
          ips: ['10.0.0.1', '10.0.0.0/8'],
        },
        allowed: NOBODY,
        action: 'flag',
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await read({ key })).toEqual(body);
    expect((await save({ action: 'block', blocked: { countries: ['FR'] } }, { key })).body).toEqual({
      ...body,
      action: 'block',
      blocked: { ...NOBODY, countries: ['FR'] },
      updated_at: expect.any(String),
    });
  });

  it.each<[string, Body, string[]]>([
    ['unknown fields', { colour: 'red', blocked: { names: [] } }, ['blocked.names', 'colour']],
    ['invalid limits', { max_amount: { EUR: 0, XXZ: 5 } }, ['max_amount.EUR', 'max_amount.XXZ']],
    ['two limits of one currency', { max_amount: { eur: 5, EUR: 7 } }, ['max_amount']],
    [
      'invalid entries',
      { blocked: { countries: ['XX'], emails: ['a'], email_domains: ['localhost'], ips: ['10.0.0'] } },
      ['blocked.countries.0', 'blocked.email_domains.0', 'blocked.emails.0', 'blocked.ips.0'],
    ],
    [
      'a list that is too long',
      { allowed: { customer_ids: Array.from({ length: 501 }, (_, n) => `c${n}`) } },
      ['allowed.customer_ids'],
    ],
    [
      'a rule of an unknown field',
      { velocity: [{ field: 'phone', max_payments: 1, window: '1m' }] },
      ['velocity.0.field'],
    ],
    ['a rule without a window', { velocity: [{ field: 'ip', max_payments: 1 }] }, ['velocity.0.window']],
    [
      'a window that is too long',
      { velocity: [{ field: 'ip', max_payments: 1, window: '31d' }] },
      ['velocity.0.window'],
    ],
    [
      'a money limit without a currency',
      { velocity: [{ field: 'ip', max_payments: 1, max_amount: 5, window: '1m' }] },
      ['velocity.0.currency'],
    ],
    ['an invalid action', { action: 'allow', enabled: 'yes' }, ['action', 'enabled']],
  ])('returns 400 for %s, and changes nothing', async (_, body, paths) => {
    const { key } = await anOrganization(host);
    const answer = await save(body, { key });
    expect([answer.status, faultsIn(answer).toSorted(), await read({ key })]).toEqual([400, paths, ABSENT]);
  });

  it('is read and written with its own scopes, only by its organization', async () => {
    const shop = await aShop({ action: 'flag' });
    const lacking = await keyWith(host, ['fraud:read'], { key: shop.key });
    expect((await save({ enabled: false }, { key: lacking })).body.message).toContain('fraud:write');
    expect(
      (await host.call('GET', PATH, undefined, { key: await keyWith(host, ['fraud:write'], { key: shop.key }) })).body
        .message,
    ).toContain('fraud:read');
    expect((await save({}, { key: null })).status).toBe(401);
    expect((await save({}, { key: shop.key, idempotencyKey: null })).body.code).toBe('idempotency_key_required');
    expect(await read()).toEqual(ABSENT);
  });

  it('merges concurrent saves', async () => {
    const { key } = await anOrganization(host);
    await Promise.all(
      [{ enabled: true }, { action: 'flag' }, { max_amount: { EUR: 5 } }, { blocked: { countries: ['DE'] } }].map(
        (body) => save(body, { key }),
      ),
    );
    expect(await read({ key })).toMatchObject({
      enabled: true,
      action: 'flag',
      max_amount: { EUR: 5 },
      blocked: { countries: ['DE'] },
    });
  });
});

describe('a payment that the fraud policy blocks', () => {
  it('fails with the reasons, and is sent to no provider', async () => {
    const shop = await aShop({ max_amount: { EUR: 4_999 }, blocked: { countries: ['DE'] } });
    const payment = await pay(shop, { country: 'DE' });
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'fraud_blocked', category: 'fraud', retryable: false },
      fraud: { decision: 'blocked', reasons: ['amount_over_limit', 'blocked_country'] },
      attempts: [],
      connection_id: null,
    });
    expect([await callsAbout(host, payment.id), await eventTypesOf(host, payment.id, { key: shop.key })]).toEqual([
      [],
      ['created', 'failed'],
    ]);
    expect((await host.call('POST', `/v1/payments/${payment.id}/retry`, undefined, { key: shop.key })).body.code).toBe(
      'payment_not_retryable',
    );
  });

  it('continues if it is only flagged', async () => {
    const shop = await aShop({ blocked: { countries: ['DE'] }, action: 'flag' });
    expect(await pay(shop, { country: 'DE' })).toMatchObject({
      status: 'succeeded',
      fraud: { decision: 'flagged', reasons: ['blocked_country'] },
    });
    expect(await pay(shop, { country: 'FR' })).toMatchObject({
      status: 'succeeded',
      fraud: { decision: 'passed', reasons: [] },
    });
  });

  it('is not screened while the policy is disabled', async () => {
    const shop = await aShop({ enabled: false, max_amount: { EUR: 1 } });
    expect(await pay(shop)).toMatchObject({ status: 'succeeded', fraud: null });
  });

  it('is screened when an intent is confirmed, or a failed payment is retried', async () => {
    const shop = await aShop();
    const how = { key: shop.key };
    const intent = (await host.call('POST', '/v1/payments/intents', aPaymentBody(), how)).body;
    const failed = await pay(shop, {}, 'decline_insufficient_funds');
    await save({ enabled: true, max_amount: { EUR: 1 } }, how);
    expect(intent.status).toBe('created');
    expect((await host.call('POST', `/v1/payments/${intent.id}/confirm`, undefined, how)).body.failure.code).toBe(
      'fraud_blocked',
    );
    const retried = (await host.call('POST', `/v1/payments/${failed.id}/retry`, undefined, how)).body;
    expect([retried.failure.code, retried.attempts.length]).toEqual(['fraud_blocked', 1]);
  });

  it("is blocked at a payment link by the browser's IP address", async () => {
    const shop = await aShop({ blocked: { ips: ['127.0.0.1'] } });
    const link = await aLink(host, {}, shop.key);
    const visitor = aGuest(host);
    const page = await visitor.submit(await visitor.open(link.url), 'start');
    expect(page.html).not.toMatch(/fraud|127\.0\.0\.1/i);
    const { payments } = (await host.call('GET', '/v1/payments', undefined, { key: shop.key })).body;
    expect(payments).toMatchObject([
      { status: 'failed', customer_ip: '127.0.0.1', fraud: { reasons: ['blocked_ip'] } },
    ]);
  });
});

it('rejects a policy that exceeds the size limit', async () => {
  const { key } = await anOrganization(host);
  const customer_ids = Array.from({ length: 150 }, (_, n) => `${n}${'漢'.repeat(190)}`);
  expect((await save({ blocked: { customer_ids } }, { key })).status).toBe(200);
  const answer = await save({ allowed: { customer_ids } }, { key });
  expect([answer.status, faultsIn(answer), (await read({ key })).allowed]).toEqual([400, ['allowed'], NOBODY]);
  expect((await host.call('POST', '/v1/payments', aPaymentBody(), { key })).status).toBe(201);
});

describe('velocity', () => {
  const decisions = async (shop: TestOrganization, bodies: readonly Body[]) => {
    const decided: string[] = [];
    for (const body of bodies)
      decided.push((await host.call('POST', '/v1/payments', body, { key: shop.key })).body.fraud.decision);
    return decided;
  };

  it('applies the stricter of two rules that count alike, in any order', async () => {
    const rule = { field: 'customer_id', window: '10m' };
    for (const limits of [
      [100, 2],
      [2, 100],
    ]) {
      const shop = await aShop({ velocity: limits.map((max_payments) => ({ ...rule, max_payments })) });
      expect(await decisions(shop, Array(4).fill(aPaymentBody('ok', { customer_id: 'c' })))).toEqual([
        'passed',
        'passed',
        'blocked',
        'blocked',
      ]);
    }
  });

  it('recognizes a token in any spelling', async () => {
    const shop = await aShop({ velocity: [{ field: 'token', max_payments: 1, window: '10m' }] });
    const paidWith = (means: Body) => ({ amount: 100, currency: 'EUR', payment_method: { type: 'card', ...means } });
    const wordings = [
      { token: 'ok' },
      { tokens: { stripe: 'ok' } },
      { tokens: { adyen: 'x', stripe: 'ok' } },
      { tokens: { stripe: 'needs_3ds' } },
    ];
    expect(await decisions(shop, wordings.map(paidWith))).toEqual(['passed', 'blocked', 'blocked', 'passed']);
  });

  it('counts a retry again if its first attempt left the window', async () => {
    const shop = await aShop({ velocity: [{ field: 'customer_id', max_payments: 1, window: '1m' }] });
    const declined = await pay(shop, { customer_id: 'c' }, 'decline_insufficient_funds');
    await advance(host, '2m');
    const again = await host.call(
      'POST',
      `/v1/payments/${declined.id}/retry`,
      { payment_method: { type: 'card', token: 'ok' } },
      { key: shop.key },
    );
    expect([again.body.status, again.body.fraud.decision]).toEqual(['succeeded', 'passed']);
    expect((await pay(shop, { customer_id: 'c' })).fraud.decision).toBe('blocked');
  });

  it('does not count a payment that another rule blocks', async () => {
    const shop = await aShop({
      velocity: [
        { field: 'customer_id', max_payments: 5, window: '10m' },
        { field: 'ip', max_payments: 1, window: '10m' },
      ],
    });
    await pay(shop, { customer_ip: '203.0.113.9' });
    const of = (n: number) => ({ customer_id: 'c', ...(n < 10 && { customer_ip: '203.0.113.9' }) });
    const payments = await Promise.all(Array.from({ length: 20 }, (_, n) => pay(shop, of(n))));
    expect(payments.filter(({ status }) => status === 'succeeded')).toHaveLength(5);
  });

  it('allows the maximum within a sliding window', async () => {
    const shop = await aShop({ velocity: [{ field: 'customer_id', max_payments: 2, window: '10m' }] });
    const codes: string[] = [];
    for (let n = 0; n < 3; n += 1) codes.push((await pay(shop, { customer_id: 'cus_1' })).failure?.code ?? 'passed');
    expect(codes).toEqual(['passed', 'passed', 'fraud_blocked']);
    expect((await pay(shop, { customer_id: 'cus_2' })).status).toBe('succeeded');
    expect((await pay(shop)).status).toBe('succeeded');
    await advance(host, '10m');
    expect((await pay(shop, { customer_id: 'cus_1' })).status).toBe('succeeded');
  });

  it('shows why it blocked a payment, and calls no provider', async () => {
    const shop = await aShop({
      velocity: [
        { field: 'ip', max_payments: 1, window: '1h' },
        { field: 'customer_email', max_payments: 1, window: '1h' },
      ],
    });
    const of = { customer_ip: '203.0.113.7', customer_email: 'ada@example.com' };
    await pay(shop, of);
    const stopped = await pay(shop, of);
    expect(stopped).toMatchObject({
      status: 'failed',
      attempts: [],
      connection_id: null,
      provider: null,
      fraud: { decision: 'blocked', reasons: ['velocity_ip', 'velocity_customer_email'] },
    });
    expect([await callsAbout(host, stopped.id), await eventTypesOf(host, stopped.id, { key: shop.key })]).toEqual([
      [],
      ['created', 'failed'],
    ]);
  });

  it('does not count payments that another rule blocked', async () => {
    const shop = await aShop({
      velocity: [
        { field: 'ip', max_payments: 2, window: '1h' },
        { field: 'customer_id', max_payments: 1, window: '1h' },
      ],
    });
    const from = (customer_id: string) => pay(shop, { customer_ip: '203.0.113.8', customer_id });
    const statuses = [await from('a'), await from('a'), await from('b'), await from('c')].map(({ status }) => status);
    expect(statuses).toEqual(['succeeded', 'failed', 'succeeded', 'failed']);
  });

  it('counts payments that another rule only flagged', async () => {
    const shop = await aShop({
      action: 'flag',
      velocity: [
        { field: 'ip', max_payments: 2, window: '1h' },
        { field: 'customer_id', max_payments: 1, window: '1h' },
      ],
    });
    const from = (customer_id: string) => pay(shop, { customer_ip: '203.0.113.10', customer_id });
    const reasons = [await from('a'), await from('a'), await from('b')].map(({ fraud }) => fraud.reasons);
    expect(reasons).toEqual([[], ['velocity_customer_id'], ['velocity_ip']]);
  });

  it('recognizes an IP address in any notation', async () => {
    const shop = await aShop({ velocity: [{ field: 'ip', max_payments: 1, window: '1h' }] });
    for (const [first, second] of [
      ['203.0.113.11', '::ffff:203.0.113.11'],
      ['2001:db8::1', '2001:0DB8:0:0::1'],
    ]) {
      const statuses = [await pay(shop, { customer_ip: first }), await pay(shop, { customer_ip: second })].map(
        ({ status }) => status,
      );
      expect(statuses, second).toEqual(['succeeded', 'failed']);
    }
  });

  it('counts amounts per currency', async () => {
    const shop = await aShop({
      velocity: [{ field: 'customer_id', max_payments: 100, max_amount: 10_000, currency: 'EUR', window: '1d' }],
    });
    const of = { customer_id: 'cus_1' };
    const statuses = [
      await pay(shop, of),
      await pay(shop, of),
      await pay(shop, of),
      await pay(shop, { ...of, currency: 'USD' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual(['succeeded', 'succeeded', 'failed', 'succeeded']);
  });

  it('recognizes a token, and stores none of it in plain text', async () => {
    const shop = await aShop({ velocity: [{ field: 'token', max_payments: 1, window: '1h' }] });
    expect([(await pay(shop)).status, (await pay(shop)).status, (await pay(shop, {}, 'needs_3ds')).status]).toEqual([
      'succeeded',
      'failed',
      'requires_action',
    ]);
  });

  it('flags payments over the limit, and lets them continue', async () => {
    const shop = await aShop({ action: 'flag', velocity: [{ field: 'customer_id', max_payments: 1, window: '1h' }] });
    await pay(shop, { customer_id: 'cus_1' });
    expect(await pay(shop, { customer_id: 'cus_1' })).toMatchObject({
      status: 'succeeded',
      fraud: { decision: 'flagged', reasons: ['velocity_customer_id'] },
    });
  });

  it('does not limit allowed customers', async () => {
    const shop = await aShop({
      allowed: { customer_ids: ['vip'] },
      velocity: [{ field: 'ip', max_payments: 1, window: '1h' }],
    });
    for (let n = 0; n < 3; n += 1)
      expect((await pay(shop, { customer_id: 'vip', customer_ip: '203.0.113.9' })).status).toBe('succeeded');
  });

  it('counts a decline like a success, and a retried payment once', async () => {
    const shop = await aShop({ velocity: [{ field: 'customer_id', max_payments: 1, window: '1h' }] });
    const { id } = await pay(shop, { customer_id: 'cus_1' }, 'decline_insufficient_funds');
    const retried = await host.call(
      'POST',
      `/v1/payments/${id}/retry`,
      { payment_method: { type: 'card', token: 'ok' } },
      { key: shop.key },
    );
    expect([retried.body.status, (await pay(shop, { customer_id: 'cus_1' })).failure.code]).toEqual([
      'succeeded',
      'fraud_blocked',
    ]);
  });
});
