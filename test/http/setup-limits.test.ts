import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SETUP_LIMITS } from '#shared/domain/routing/setup-limits.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  aPaymentBody,
  callsOf,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { storeSetup } from '#test/support/stored-setup.ts';

let host: TestHost;
let table: TablePort | undefined;
beforeAll(async () => {
  host = await startHost({ wrapTable: (bare) => (table = bare) });
});
afterAll(() => host.close());

const COUNTRIES = Array.from({ length: 300 }, (_, n) =>
  String.fromCharCode(65 + (n % 26), 65 + (Math.floor(n / 26) % 26)),
);
const aRule = (connection_id: string, about: object = {}) => ({
  name: 'Rule',
  countries: ['DE'],
  connection_id,
  ...about,
});

/** Stores rules directly, as an organization has them that was set up before there were limits. */
async function storeRules({ org_id }: TestOrganization, connection_id: string, count: number, about = {}) {
  const at = host.deps.clock.now();
  const common = { methods: [], priority: 0, fallback_to_default: true, enabled: true, version: 1 };
  const times = { created_at: at.toISOString(), updated_at: at.toISOString() };
  const rules = Array.from({ length: count }, (_, n) => {
    const id = newId('rule', plus(at, n));
    return { ...common, ...times, ...aRule(connection_id, { countries: ['FR'], ...about }), id, org_id };
  });
  if (table) await storeSetup(table, org_id, { rules });
  return rules.at(-1)?.id;
}
const call = (shop: TestOrganization, method: string, path: string, body?: unknown) =>
  host.call(method, path, body, { key: shop.key });

describe('the setup of an organization', () => {
  it(`has at most ${SETUP_LIMITS.rules} routing rules; one over the limit still works, and can delete`, async () => {
    const shop = await anOrganization(host);
    const { id: connection } = await aConnection(host, shop);
    const last = await storeRules(shop, connection, SETUP_LIMITS.rules + 1);
    const refused = await call(shop, 'POST', '/v1/routing-rules', aRule(connection));
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'setup_limit_reached', details: { metric: 'routing_rules', used: '501', limit: '500' } },
    ]);
    expect((await call(shop, 'PATCH', `/v1/routing-rules/${last}`, { name: 'Changed' })).status).toBe(200);
    expect((await call(shop, 'POST', '/v1/payments', aPaymentBody())).status).toBe(201);
    const { body } = await call(shop, 'GET', '/v1/routing-rules?limit=2');
    for (const { id } of body.slice(0, 2)) await call(shop, 'DELETE', `/v1/routing-rules/${id}`);
    expect((await call(shop, 'POST', '/v1/routing-rules', aRule(connection))).status).toBe(201);
  });

  it(`has at most ${SETUP_LIMITS.connections} connections, on every stage`, async () => {
    const shop = await anOrganization(host);
    for (let n = 0; n < SETUP_LIMITS.connections; n += 1) await aConnection(host, shop, { id: `account_${n}` });
    const fields = {
      provider: 'stripe',
      credentials: { secret_key: 'sk_test_one_too_many', webhook_secret: 'whsec_1' },
    };
    const refused = await call(shop, 'POST', '/v1/connections', { id: 'one_more', ...fields });
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'setup_limit_reached' }]);
    expect((await call(shop, 'POST', '/v1/connections', { id: 'account_1', labels: ['eu'] })).status).toBe(201);
    expect((await call(shop, 'DELETE', '/v1/connections/account_7')).status).toBe(200);
    expect((await call(shop, 'POST', '/v1/connections', { id: 'one_more', ...fields })).status).toBe(201);
  });

  it('has at most so many bytes, and a smaller record is always taken', async () => {
    const shop = await anOrganization(host);
    const { id: connection } = await aConnection(host, shop);
    const large = { countries: COUNTRIES, methods: Array.from({ length: 100 }, (_, n) => `method_of_a_shop_${n}`) };
    const one = Buffer.byteLength(JSON.stringify(large));
    const last = await storeRules(shop, connection, Math.ceil(SETUP_LIMITS.bytes / one), large);
    const refused = await call(shop, 'POST', '/v1/routing-rules', aRule(connection));
    expect([refused.status, refused.body.code, refused.body.details.metric]).toEqual([
      409,
      'setup_limit_reached',
      'bytes',
    ]);
    expect((await call(shop, 'PATCH', `/v1/routing-rules/${last}`, { methods: [] })).status).toBe(200);
    expect((await call(shop, 'POST', '/v1/payments', aPaymentBody())).status).toBe(201);
  });
});

describe('many requests at once', () => {
  const AT_ONCE = 20;
  const codes = (answers: readonly ApiResponse[]) =>
    Map.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`.trim());

  it('add exactly as many rules and connections as there is room for', async () => {
    const shop = await anOrganization(host);
    const { id: connection } = await aConnection(host, shop, { id: 'account_0' });
    await storeRules(shop, connection, SETUP_LIMITS.rules - 6);
    for (let n = 1; n < SETUP_LIMITS.connections - 6; n += 1) await aConnection(host, shop, { id: `account_${n}` });
    const credentials = (n: number) => ({
      secret_key: `sk_test_account_${n}`,
      webhook_secret: `whsec_of_account_${n}`,
    });
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        n % 2 === 0
          ? call(shop, 'POST', '/v1/routing-rules', aRule(connection))
          : call(shop, 'POST', '/v1/connections', { id: `new_${n}`, provider: 'stripe', credentials: credentials(n) }),
      ),
    );
    const found = codes(answers);
    expect([found.get('201')?.length, found.get('409 setup_limit_reached')?.length]).toEqual([12, 8]);
    expect((await call(shop, 'GET', '/v1/connections')).body.pagination.total).toBe(SETUP_LIMITS.connections);
    const { rules, connections } = await host.deps.organizations.routingData(shop.org_id);
    expect([rules.length, connections.length]).toEqual([SETUP_LIMITS.rules, SETUP_LIMITS.connections]);
  }, 60_000);
});

describe('a request with a key', () => {
  const pay = (key: string) => host.call('POST', '/v1/payments', aPaymentBody(), { key });
  const storeCalls = async (work: () => Promise<unknown>) =>
    (await callsOf(host, work)).flatMap(({ point, method, group }) =>
      point === 'table' && group === 'payments' ? [method] : [],
    );

  it('that is forged costs one store call, and reads nothing of the organization that it names', async () => {
    const shop = await anOrganization(host);
    const forged = shop.key.replace(/.{8}$/, (tag) => [...tag].reverse().join(''));
    expect(await storeCalls(async () => expect((await pay(forged)).status).toBe(401))).toEqual(['update']);
  });

  it('that has a tag and is revoked reads the routing data beside the key, and counts the address', async () => {
    const shop = await anOrganization(host);
    await aConnection(host, shop);
    expect((await pay(shop.key)).status).toBe(201);
    await host.drain();
    const { body } = await call(shop, 'POST', '/v1/api-keys', { name: 'Old', scopes: ['payments:write'] });
    expect((await call(shop, 'DELETE', `/v1/api-keys/${body.id}`)).status).toBe(200);
    const calls = await storeCalls(async () => expect((await pay(body.key)).status).toBe(401));
    expect(calls.toSorted()).toEqual(['get', 'get', 'update', 'update']);
  });
});
