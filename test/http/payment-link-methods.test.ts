import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGuest, type GuestPage } from '#test/support/guest-browser.ts';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { aShop } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const make = (key: string, more: Body = {}) =>
  host.call('POST', '/v1/payment-links', { amount: 5_000, currency: 'EUR', ...more }, { key });
const viewOf = ({ html }: GuestPage): string => /data-view="([a-z-]+)"/.exec(html)?.[1] ?? '';
const open = async (link: Body) => aGuest(host).open(link.url);

describe('a payment link with a method', () => {
  it.each(['no_such_method', 'kard'])(
    'that no provider has is refused, with the methods that there are: %s',
    async (m) => {
      const { key } = await aShop(host, { main: {} });
      const { status, body } = await make(key, { methods: ['card', m] });
      expect([status, body.code, body.details.fields.map(({ path }: Body) => path)]).toEqual([
        400,
        'invalid_request',
        ['methods.1'],
      ]);
      expect(body.details.fields[0].message).toMatch(/Known methods are .*\bcard\b.*\bideal\b.*mobile_money/);
    },
  );

  it('that a connection names by itself is created', async () => {
    const { key } = await aShop(host, { main: { capabilities: { methods: ['card', 'shop_credit'] } } });
    const { status, body } = await make(key, { methods: ['shop_credit'] });
    expect([status, body.warnings]).toEqual([201, undefined]);
  });

  it('that no connection takes is created with a warning, and not offered', async () => {
    const { key } = await aShop(host, { main: {} });
    const { status, body } = await make(key, { methods: ['card', 'mobile_money'] });
    expect([status, body.methods, body.warnings]).toEqual([
      201,
      ['card', 'mobile_money'],
      [{ method: 'mobile_money', code: 'method_not_supported', message: expect.stringMatching(/no connection takes/) }],
    ]);
    const page = await open(body);
    expect([viewOf(page), page.html.includes('mobile_money')]).toEqual(['form', false]);
    const guest = aGuest(host);
    const refused = await guest.submit(await guest.open(body.url), 'start', { method: 'mobile_money' });
    expect([refused.status, viewOf(refused)]).toEqual([400, 'form']);
  });
});

describe('a payment link that no connection can take', () => {
  const shops: readonly (readonly [string, string, Body, Body])[] = [
    ['no connection at all', 'no_connection', undefined, {}],
    ['an inactive connection', 'inactive', { status: 'inactive' }, {}],
    ['another method', 'method_not_supported', {}, { methods: ['mobile_money'] }],
    ['another currency', 'currency_not_supported', { capabilities: { currencies: ['USD'] } }, {}],
  ];

  async function shopWith(connection: Body): Promise<string> {
    const { key } = await anOrganization(host);
    if (connection) await aConnection(host, { key }, connection);
    return key;
  }

  it.each(shops)('is created with a warning, and says so to customers: %s', async (_, code, connection, more) => {
    const { status, body } = await make(await shopWith(connection), more);
    expect([status, body.warnings.map((warning: Body) => warning.code)]).toEqual([201, [code]]);
    expect(body.warnings[0].message).toMatch(/^Customers cannot pay by [a-z_]+ now: no connection .*\.$/);
    const page = await open(body);
    expect([page.status, viewOf(page)]).toEqual([200, 'closed-unavailable']);
    expect(page.html).not.toMatch(/another (way|method)|value="start"/i);
    expect(page.html).toMatch(/contact the seller/);
  });

  it('of an amount that its provider cannot express is created with a warning, and says so to customers', async () => {
    const { body } = await make(await shopWith({}), { amount: 5_001, currency: 'KWD' });
    expect(body.warnings).toMatchObject([{ method: 'card', code: 'amount_not_supported' }]);
    expect(viewOf(await open(body))).toBe('closed-unavailable');
  });

  it('can be paid once a connection takes it', async () => {
    const { key } = await anOrganization(host);
    const link = (await make(key)).body;
    expect(viewOf(await open(link))).toBe('closed-unavailable');
    await aConnection(host, { key });
    expect(viewOf(await open(link))).toBe('form');
    expect((await host.call('GET', `/v1/payment-links/${link.id}`, undefined, { key })).body).not.toHaveProperty(
      'warnings',
    );
  });

  it('takes no payment from a form that was shown before', async () => {
    const { key } = await anOrganization(host);
    await aConnection(host, { key }, { id: 'only' });
    const link = (await make(key)).body;
    const guest = aGuest(host);
    const page = await guest.open(link.url);
    await aConnection(host, { key }, { id: 'only', status: 'inactive' });
    const refused = await guest.submit(page, 'start');
    expect([refused.status, viewOf(refused)]).toEqual([400, 'closed-unavailable']);
    const { payments } = (await host.call('GET', '/v1/payments', undefined, { key })).body;
    expect(payments).toEqual([]);
  });
});
