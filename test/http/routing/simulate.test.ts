import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aLab, startTest, variantsOf } from '#test/support/ab-test-steps.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { arrange, drain, keyWith, pay, payOnPage } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

type Shop = { readonly key: string };

/** Connections a, b and c, of which default routing takes a. */
async function aShop(more: Readonly<Record<string, Body>> = {}): Promise<Shop> {
  const own = await anOrganization(host);
  for (const id of ['a', 'b', 'c']) await aConnection(host, own, { id, ...more[id] });
  return own;
}

const aRule = async ({ key }: Shop, body: Body): Promise<Body> =>
  (await host.call('POST', '/v1/routing-rules', { name: 'a rule', countries: ['DE'], ...body }, { key })).body;

const post = ({ key }: Shop, body: Body) =>
  host.call('POST', '/v1/routing/simulate', body, { key, idempotencyKey: null });
const plain = { amount: 5_000, currency: 'EUR', country: 'DE' };
const simulate = async (shop: Shop, more: Body = {}): Promise<Body> => (await post(shop, { ...plain, ...more })).body;
const ruleIn = ({ rules }: Body, id: string): Body => rules.find((each: Body) => each.id === id);
const connectionIn = ({ connections }: Body, id: string): Body => connections.find((each: Body) => each.id === id);
const failing = ({ conditions }: Body): Body[] => conditions.filter(({ holds }: Body) => !holds);

describe('POST /v1/routing/simulate', () => {
  it('says which connection default routing takes, in which order the others follow, and what each costs', async () => {
    const shop = await aShop({
      a: { fee_structure: { percentage: 1.4, fixed: 25 } },
      c: { routing_hints: { fallback_only: true } },
    });
    const simulated = await simulate(shop);
    expect(simulated).toMatchObject({
      outcome: 'routed',
      failure: null,
      routing: { source: 'default', rule_id: null, ab_test_id: null, variant: null },
      by_chance: false,
      rules: [],
      ab_tests: [],
      fraud: null,
    });
    expect([simulated.connection_id, simulated.order]).toEqual(['b', ['b', 'a', 'c']]);
    expect(simulated.connections.map(({ id, position, fee }: Body) => [id, position, fee])).toEqual([
      ['b', 1, 0],
      ['a', 2, 95],
      ['c', 3, 0],
    ]);
  });

  it('explains each rule in the order in which they are tried, with the value that it has not matched', async () => {
    const shop = await aShop();
    const low = await aRule(shop, { connection_id: 'b' });
    const high = await aRule(shop, { connection_id: 'c', priority: 9, methods: ['ideal'] });
    const off = await aRule(shop, { connection_id: 'c', priority: 8, enabled: false });
    const abroad = await aRule(shop, { connection_id: 'c', priority: 7, countries: ['FR', 'NL'] });
    const last = await aRule(shop, { connection_id: 'c', priority: -1 });
    const simulated = await simulate(shop);
    expect(simulated).toMatchObject({ connection_id: 'b', routing: { source: 'rule', rule_id: low.id }, order: ['b'] });
    expect(simulated.rules.map(({ id, position, result }: Body) => [position, id, result])).toEqual([
      [1, high.id, 'no_match'],
      [2, off.id, 'no_match'],
      [3, abroad.id, 'no_match'],
      [4, low.id, 'decides'],
      [5, last.id, 'earlier_rule'],
    ]);
    expect(failing(ruleIn(simulated, high.id))).toEqual([
      { condition: 'method', holds: false, wanted: ['ideal'], seen: 'card' },
    ]);
    expect(failing(ruleIn(simulated, off.id))).toMatchObject([{ condition: 'enabled', seen: 'false' }]);
    expect(failing(ruleIn(simulated, abroad.id))).toEqual([
      { condition: 'country', holds: false, wanted: ['FR', 'NL'], seen: 'DE' },
    ]);
    expect(connectionIn(simulated, 'a')).toMatchObject({ position: null, reason: 'no_fallback_in_rule' });
    expect(failing(ruleIn(await simulate(shop, { country: undefined }), low.id))).toMatchObject([
      { condition: 'country', seen: null },
    ]);
  });

  it('says why a connection cannot take the payment', async () => {
    const shop = await aShop({ a: { status: 'inactive' }, b: { capabilities: { currencies: ['USD'] } } });
    const rule = await aRule(shop, { connection_id: 'a' });
    const stuck = await simulate(shop);
    expect(stuck).toMatchObject({ outcome: 'no_route', connection_id: null, failure: { code: 'no_route' } });
    expect(ruleIn(stuck, rule.id).result).toBe('connection_unusable');
    expect(connectionIn(stuck, 'a')).toMatchObject({ position: null, reason: 'inactive' });
    await host.call('PATCH', `/v1/routing-rules/${rule.id}`, { fallback_to_default: true }, { key: shop.key });
    const fallen = await simulate(shop);
    expect(fallen).toMatchObject({ connection_id: 'c', routing: { source: 'default', rule_id: rule.id } });
    expect(ruleIn(fallen, rule.id).result).toBe('connection_unusable');
    expect(connectionIn(fallen, 'b').reason).toBe('currency_not_supported');
  });

  it('leaves out a connection that is down, and says that probes may still go there', async () => {
    const shop = await aShop();
    await aRule(shop, { countries: ['FR'], connection_id: 'a' });
    await arrange(host, 'refuse_connection', { times: 10 });
    for (let n = 0; n < 10; n += 1) await pay(host, 'ok', { country: 'FR' }, shop);
    await drain(host);
    const simulated = await simulate(shop);
    expect(simulated).toMatchObject({ connection_id: 'b', order: ['b', 'c'], by_chance: true });
    expect(connectionIn(simulated, 'a')).toMatchObject({
      health: 'down',
      position: null,
      reason: 'down',
      probe: false,
    });
  });

  it('tells the share of each variant of an A/B test, and shows the way of most payments', async () => {
    const lab = await aLab(host);
    const [a, b] = variantsOf(lab);
    const variants = [
      { ...a, weight: 1 },
      { ...b, weight: 3 },
    ];
    const { id } = await startTest(lab, { variants, traffic_percentage: 80 });
    const simulated = await simulate(lab);
    expect(simulated).toMatchObject({
      by_chance: true,
      connection_id: 'b',
      routing: { source: 'ab_test', ab_test_id: id, variant: 'B', rule_id: lab.rules.b },
      ab_tests: [
        {
          id,
          result: 'decides',
          variants: [
            { name: 'A', connection_id: 'a', share: 0.2, chosen: false },
            { name: 'B', connection_id: 'b', share: 0.6, chosen: true },
          ],
        },
      ],
    });
    expect(ruleIn(simulated, lab.rules.b).result).toBe('no_match');
  });

  it('shows for a customer or an id what exactly their payments get', async () => {
    const lab = await aLab(host);
    await startTest(lab);
    for (let n = 0; n < 6; n += 1) {
      const customer_id = `customer-${n}`;
      const paid = await pay(host, 'ok', { customer_id }, lab.how);
      expect(await simulate(lab, { customer_id })).toMatchObject({
        by_chance: false,
        connection_id: paid.connection_id,
        routing: { variant: paid.routing.variant },
      });
      const stranger = await pay(host, 'ok', {}, lab.how);
      expect((await simulate(lab, { id: stranger.id })).connection_id).toBe(stranger.connection_id);
    }
  });

  it('says that a test takes no payment which it does not target, or once it has ended', async () => {
    const lab = await aLab(host);
    await startTest(lab, { target_currencies: ['USD'] });
    const { ab_tests, routing } = await simulate(lab);
    expect(routing.source).toBe('default');
    expect(ab_tests).toMatchObject([{ result: 'no_match' }]);
    expect(failing(ab_tests[0])).toEqual([{ condition: 'currency', holds: false, wanted: ['USD'], seen: 'EUR' }]);
  });

  it('applies the fraud policy, and counts nothing against its velocity rules', async () => {
    const shop = await aShop();
    const policy = {
      enabled: true,
      blocked: { email_domains: ['bad.example'] },
      velocity: [{ field: 'customer_id', max_payments: 1, window: '1h' }],
    };
    await host.call('POST', '/v1/policies/fraud', policy, { key: shop.key });
    expect(await simulate(shop, { customer_email: 'eve@bad.example' })).toMatchObject({
      outcome: 'blocked',
      connection_id: null,
      failure: { code: 'fraud_blocked' },
      fraud: { decision: 'blocked', reasons: ['blocked_email_domain'], velocity_rules: 0 },
    });
    for (let n = 0; n < 3; n += 1)
      expect((await simulate(shop, { customer_id: 'one' })).fraud).toEqual({
        decision: 'passed',
        reasons: [],
        velocity_rules: 1,
      });
    expect((await payOnPage(host, { customer_id: 'one' }, shop)).status).not.toBe('failed');
  });

  it('tries out edited rules in the order that they are sent in, and stores none of them', async () => {
    const shop = await aShop();
    const [b, c] = [await aRule(shop, { connection_id: 'b' }), await aRule(shop, { connection_id: 'c', priority: -1 })];
    const edited = [c, b].map(({ id, countries, connection_id }) => ({ id, countries, connection_id }));
    const simulated = await simulate(shop, { rules: edited });
    expect(simulated).toMatchObject({ connection_id: 'c', routing: { rule_id: c.id } });
    expect(simulated.rules.map(({ id, result }: Body) => [id, result])).toEqual([
      [c.id, 'decides'],
      [b.id, 'earlier_rule'],
    ]);
    const added = [{ countries: ['DE'], connection_id: 'a', fallback_to_default: true }, ...edited];
    expect(await simulate(shop, { rules: added })).toMatchObject({ connection_id: 'a', routing: { rule_id: 'new_1' } });
    expect((await simulate(shop)).connection_id).toBe('b');
  });

  it('changes nothing and sends nothing to a provider', async () => {
    const shop = await aShop();
    await drain(host);
    const before = [(await host.call('GET', '/v1/payments', undefined, shop)).body, await providerCalls()];
    await simulate(shop);
    await drain(host);
    expect([(await host.call('GET', '/v1/payments', undefined, shop)).body, await providerCalls()]).toEqual(before);
  });

  it.each<[string, Body, string[]]>([
    ['no amount', { amount: undefined }, ['amount']],
    ['a currency that is none', { currency: 'EURO' }, ['currency']],
    ['an id that is no payment', { id: 'rule_1' }, ['id']],
    ['a saved payment method', { payment_method: { id: 'pm_1' } }, ['payment_method.id']],
    [
      'an edited rule with an unknown connection',
      { rules: [{ countries: ['DE'], connection_id: 'x' }] },
      ['rules.0.connection_id'],
    ],
    [
      'a rule that is named twice',
      { rules: [1, 2].map(() => ({ id: 'r', countries: ['DE'], connection_id: 'a' })) },
      ['rules'],
    ],
    [
      'a priority, which the order stands for',
      { rules: [{ countries: ['DE'], connection_id: 'a', priority: 1 }] },
      ['rules.0.priority'],
    ],
  ])('refuses %s, and says which field is wrong', async (_, more, paths) => {
    const { status, body } = await post(await aShop(), { ...plain, ...more });
    expect([status, body.details.fields.map(({ path }: Body) => path)]).toEqual([400, paths]);
  });

  it('needs the scope to read connections, and no more', async () => {
    const shop = await aShop();
    const reader = await keyWith(host, ['connections:read'], shop);
    const other = await keyWith(host, ['payments:write'], shop);
    expect((await post({ key: reader }, plain)).status).toBe(200);
    expect(await post({ key: other }, plain)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
  });
});

const providerCalls = async (): Promise<number> => (await host.control('GET', '/psp/calls')).body.calls.length;
