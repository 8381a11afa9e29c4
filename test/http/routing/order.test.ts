import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/kernel/ids.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { keyWith, pay } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

type Shop = { readonly key: string; readonly rules: readonly string[] };

/** A shop with a rule for Germany to each of its connections, the first of which decides. */
async function aShop(priorities: readonly number[] = [0, 0, 0]): Promise<Shop> {
  const { key } = await anOrganization(host);
  const rules: string[] = [];
  for (const [n, priority] of priorities.entries()) {
    const connection_id = `c${n}`;
    await aConnection(host, { key }, { id: connection_id });
    const body = { name: connection_id, countries: ['DE'], connection_id, priority };
    rules.push((await host.call('POST', '/v1/routing-rules', body, { key })).body.id);
  }
  return { key, rules };
}

const order = ({ key }: { readonly key: string }, rules: readonly string[]) =>
  host.call('POST', '/v1/routing-rules/order', { rules }, { key });
const germanPays = async (shop: Shop): Promise<string> =>
  (await pay(host, 'ok', { country: 'DE' }, { key: shop.key })).connection_id;
const stored = async ({ key }: Shop): Promise<Body[]> =>
  (await host.call('GET', '/v1/routing-rules', undefined, { key })).body;
const errors = ({ body }: { readonly body: Body }) => body.details.fields.map(({ path }: Body) => path);

describe('POST /v1/routing-rules/order', () => {
  it('lets the next payment meet the rules in the new order', async () => {
    const shop = await aShop();
    expect(await germanPays(shop)).toBe('c0');
    const { status, body } = await order(shop, shop.rules.toReversed());
    expect([status, body.rules.map(({ id }: Body) => id)]).toEqual([200, shop.rules.toReversed()]);
    expect(await germanPays(shop)).toBe('c2');
    const listed = await stored(shop);
    for (const rule of body.rules) expect(listed).toContainEqual(rule);
  });

  it('changes no more rules than it must, and none where the order is as it was', async () => {
    const shop = await aShop([30, 20, 10]);
    const [a = '', b = '', c = ''] = shop.rules;
    expect((await order(shop, [a, b, c])).body.changed).toBe(0);
    const before = await stored(shop);
    expect((await order(shop, [c, a, b])).body).toMatchObject({ changed: 1, rules: [{ id: c, priority: 40 }, {}, {}] });
    const after = await stored(shop);
    expect(after.filter((rule) => rule.id !== c)).toEqual(before.filter((rule) => rule.id !== c));
  });

  it('keeps what two reorder at once in one of both orders', async () => {
    const shop = await aShop([3, 2, 1]);
    const [a = '', b = '', c = ''] = shop.rules;
    const orders = [
      [c, b, a],
      [b, c, a],
    ];
    const answers = await Promise.all(orders.map((ids) => order(shop, ids)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const now = (await stored(shop)).sort((x, y) => y.priority - x.priority).map(({ id }) => id);
    expect(orders).toContainEqual(now);
  });

  it('puts all rules in one of both orders, also where these change different rules', async () => {
    const shop = await aShop([40, 30, 20, 10]);
    const [a = '', b = '', c = '', d = ''] = shop.rules;
    const orders = [
      [b, a, c, d],
      [a, b, d, c],
    ];
    const answers = await Promise.all(orders.map((ids) => order(shop, ids)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const now = (await stored(shop)).sort((x, y) => y.priority - x.priority).map(({ id }) => id);
    expect(orders).toContainEqual(now);
  });

  it('moves one rule between many of equal priority', async () => {
    const { key, org_id } = await anOrganization(host);
    const own = { key, rules: [] as string[] };
    await aConnection(host, own, { id: 'c0' });
    const first = await host.call(
      'POST',
      '/v1/routing-rules',
      { name: 'r', countries: ['DE'], connection_id: 'c0' },
      own,
    );
    const rule = await host.deps.routingRules.get(org_id, first.body.id);
    for (let n = 0; n < 169; n += 1)
      await host.deps.routingRules.create({
        ...rule!,
        id: newId('rule', new Date(Date.parse(rule!.created_at) + n + 1)),
      });
    const all = (await host.deps.routingRules.list(org_id)).map(({ id }) => id).sort();
    const wanted = all.slice(0, -1).toSpliced(85, 0, all.at(-1)!);
    expect(await order(own, wanted)).toMatchObject({ status: 200, body: { changed: 1 } });
    const now = (await host.deps.routingRules.list(org_id)).toSorted((x, y) => y.priority - x.priority);
    expect(now.map(({ id }) => id)).toEqual(wanted);
  });

  it('refuses an order that lacks a rule, names one twice, or one that is not there, and changes nothing', async () => {
    const shop = await aShop();
    const other = await aShop();
    const [a = '', b = '', c = ''] = shop.rules;
    const answers = [
      await order(shop, [c, b]),
      await order(shop, [a, a, b, c]),
      await order(shop, [c, b, a, other.rules[0] ?? '']),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(answers.map(errors)).toEqual([['rules'], ['rules'], ['rules.3']]);
    expect(answers[0]?.body.details.fields[0].message).toContain(a);
    expect((await stored(shop)).every(({ priority }) => priority === 0)).toBe(true);
  });

  it('needs the scope to write connections', async () => {
    const shop = await aShop();
    const key = await keyWith(host, ['connections:read'], shop);
    expect(await order({ key }, shop.rules)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
  });
});
