import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, anIntent, arrange, drain, keyWith, pay, payAnywhere } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

type Shop = { readonly key: string };

async function aShop(): Promise<Shop> {
  const own = await anOrganization(host);
  for (const id of ['a', 'b', 'c']) await aConnection(host, own, { id });
  return own;
}

const post = ({ key }: Shop, body: Body) =>
  host.call('POST', '/v1/routing/replay', body, { key, idempotencyKey: null });
const replay = async (shop: Shop, rules: readonly Body[], limit?: number): Promise<Body> =>
  (await post(shop, { rules, ...(limit !== undefined && { limit }) })).body;
const to = (connection_id: string, more: Body = {}) => ({ countries: ['DE'], connection_id, ...more });
const store = async ({ key }: Shop, rule: Body): Promise<Body> =>
  (await host.call('POST', '/v1/routing-rules', { name: 'a rule', ...rule }, { key })).body;
/** Germans pay in this shop, so many, and one other. */
async function germansPay(shop: Shop, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.unshift((await pay(host, 'ok', { country: 'DE' }, shop)).id);
  await pay(host, 'ok', { country: 'FR' }, shop);
  return ids;
}

describe('POST /v1/routing/replay', () => {
  it('counts the payments that go elsewhere by the edited rules, from where to where, with a sample', async () => {
    const shop = await aShop();
    await store(shop, to('b'));
    const ids = await germansPay(shop, 3);
    const replayed = await replay(shop, [to('c')]);
    expect(replayed).toMatchObject({
      payments: 4,
      replayed: 4,
      moved: 3,
      differs_from_recorded: 0,
      moves: [{ from: 'b', to: 'c', payments: 3 }],
    });
    expect(replayed.sample.map(({ payment_id, from, to }: Body) => [payment_id, from, to])).toEqual(
      ids.map((id) => [id, 'b', 'c']),
    );
    expect(replayed.oldest_at < replayed.newest_at).toBe(true);
  });

  it('moves nothing where the order of rules changes that no payment decides between', async () => {
    const shop = await aShop();
    const [first, second] = [await store(shop, to('b', { priority: 1 })), await store(shop, to('c'))];
    await germansPay(shop, 2);
    const [b, c] = [to('b', { id: first.id }), to('c', { id: second.id, countries: ['NL'] })];
    expect((await replay(shop, [c, b])).moved).toBe(0);
    expect((await replay(shop, [to('c', { id: second.id }), b])).moved).toBe(2);
  });

  it('shows payments that no connection could take, and those that could then', async () => {
    const shop = await aShop();
    await germansPay(shop, 1);
    expect((await replay(shop, [to('b', { methods: ['ideal'] })])).moved).toBe(0);
    await host.call('PATCH', '/v1/connections/c/status', { status: 'inactive' }, { key: shop.key });
    expect((await replay(shop, [to('c')])).moves).toEqual([{ from: 'a', to: null, payments: 1 }]);
  });

  it('leaves out payments that were never routed, and looks at no more than it is told', async () => {
    const shop = await aShop();
    await germansPay(shop, 2);
    await anIntent(host, 'ok', {}, shop);
    expect(await replay(shop, [to('b')])).toMatchObject({ payments: 4, replayed: 3, moved: 2 });
    expect(await replay(shop, [to('b')], 3)).toMatchObject({ payments: 3, replayed: 2, moved: 1 });
  });

  it('takes what was down when the payment came for down, and no trouble of today into account', async () => {
    const shop = await aShop();
    const french = await store(shop, to('a', { countries: ['FR'] }));
    await arrange(host, 'refuse_connection', { times: 10 });
    for (let n = 0; n < 10; n += 1) await pay(host, 'ok', { country: 'FR' }, shop);
    await drain(host);
    await host.call('DELETE', `/v1/routing-rules/${french.id}`, undefined, { key: shop.key });
    const paid = await payAnywhere(host, 'ok', { country: 'DE', customer_id: 'one' }, shop);
    expect(paid.routing.considered.find(({ connection_id }: Body) => connection_id === 'a').reason).toBe('down');
    await advance(host, '1h');
    const edit = to('a', { fallback_to_default: true });
    expect(await replay(shop, [edit], 1)).toMatchObject({ moved: 0, differs_from_recorded: 0 });
    await pay(host, 'ok', { country: 'NL' }, shop);
    expect((await replay(shop, [to('b', { countries: ['NL'] })], 1)).moves).toEqual([
      { from: 'a', to: 'b', payments: 1 },
    ]);
  });

  it('says how many payments went elsewhere before, as the rules have changed since', async () => {
    const shop = await aShop();
    await germansPay(shop, 2);
    await store(shop, to('b'));
    expect(await replay(shop, [to('b')])).toMatchObject({ moved: 0, differs_from_recorded: 2 });
  });

  it.each<[string, Body, string[]]>([
    ['no rules', {}, ['rules']],
    ['an unknown connection', { rules: [to('never')] }, ['rules.0.connection_id']],
    ['more than a thousand payments', { rules: [], limit: 1_001 }, ['limit']],
  ])('refuses %s', async (_, body, paths) => {
    const answer = await post(await aShop(), body);
    expect([answer.status, answer.body.details.fields.map(({ path }: Body) => path)]).toEqual([400, paths]);
  });

  it('looks at the payments of its own organization alone, with the scope to read connections', async () => {
    const [shop, other] = [await aShop(), await aShop()];
    await germansPay(other, 2);
    expect(await replay(shop, [to('c')])).toMatchObject({ payments: 0, replayed: 0, moved: 0, oldest_at: null });
    const key = await keyWith(host, ['payments:write'], shop);
    expect(await post({ key }, { rules: [] })).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
  });
});
