import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aLiveShop, connect, type LiveHost, startLiveHost } from '#test/http/live-host.support.ts';
import { aPaymentBody, type Body, type TestOrganization } from '#test/support/host.ts';

let host: LiveHost;
beforeAll(async () => {
  host = await startLiveHost();
});
afterAll(() => host?.close());

const ask = async ({ key }: TestOrganization, method: string, path: string, body?: Body): Promise<Body> =>
  (await host.call(method, path, body, { key })).body;
const pay = (shop: TestOrganization, token = 'ok', more: Body = {}) =>
  ask(shop, 'POST', '/v1/payments', aPaymentBody(token, more));

/** The step changes nothing, so that no further event follows. */
const aTemplate = async (shop: TestOrganization, name = 'Look'): Promise<string> =>
  (
    await ask(shop, 'POST', '/v1/workflows/templates', {
      name,
      steps: [{ id: 'look', type: 'condition', if: 'data.amount > 0' }],
    })
  ).id;
const aRule = (shop: TestOrganization, template_id: string, event = 'payment.created') =>
  ask(shop, 'POST', '/v1/workflows/rules', { name: 'Look', event, template_id });

async function executionsOf(shop: TestOrganization, query = ''): Promise<Body[]> {
  await host.drain();
  return (await ask(shop, 'GET', `/v1/workflows/executions?limit=200${query}`)).executions;
}

describe('the workflow of a connection', () => {
  const ran = async (shop: TestOrganization) =>
    (await executionsOf(shop))
      .map(({ connection_id, rule_id, event, status }) => [connection_id, rule_id, event.type, status])
      .sort();

  it('runs when a payment on it is created and when that payment ends, and not for other connections', async () => {
    const shop = await aLiveShop(host, { plan: 'scale' });
    const template = await aTemplate(shop);
    await ask(shop, 'POST', '/v1/connections', { id: 'main', workflow_id: template });
    await connect(host, shop, 'other');
    await ask(shop, 'POST', '/v1/routing-rules', {
      name: 'GB',
      priority: 1,
      countries: ['GB'],
      methods: [],
      connection_id: 'other',
    });
    const paid = await pay(shop);
    expect([paid.status, paid.connection_id, (await pay(shop, 'ok', { country: 'GB' })).connection_id]).toEqual([
      'succeeded',
      'main',
      'other',
    ]);
    await pay(shop, 'decline_card_declined');
    expect(await ran(shop)).toEqual(
      ['payment.created', 'payment.created', 'payment.failed', 'payment.succeeded'].map((type) => [
        'main',
        null,
        type,
        'succeeded',
      ]),
    );
  });

  it('runs for a payment intent only at its end, because an intent has no connection when it is created', async () => {
    const shop = await aLiveShop(host, { plan: 'scale' });
    await ask(shop, 'POST', '/v1/connections', { id: 'main', workflow_id: await aTemplate(shop) });
    const { id } = await ask(shop, 'POST', '/v1/payments/intents', aPaymentBody());
    expect(await ran(shop)).toEqual([]);
    await ask(shop, 'POST', `/v1/payments/${id}/confirm`);
    expect(await ran(shop)).toEqual([['main', null, 'payment.succeeded', 'succeeded']]);
  });
});

describe('the executions of a month', () => {
  const used = async ({ org_id }: TestOrganization) =>
    (await host.usage(org_id))[`workflow_executions:${host.clock.now().toISOString().slice(0, 7)}`];

  it('are counted once each, whether a rule, a connection or a request started them', async () => {
    const shop = await aLiveShop(host, { plan: 'growth' });
    const [first, second] = [await aTemplate(shop, 'One'), await aTemplate(shop, 'Two')];
    await aRule(shop, first);
    await aRule(shop, second, 'payment.succeeded');
    await pay(shop);
    expect(await used(shop)).toBe(2);

    const [{ event }] = (await executionsOf(shop, `&template_id=${first}`)) as [Body];
    const begun = await ask(shop, 'POST', '/v1/workflows/executions', { template_id: second, event_id: event.id });
    expect(begun).toMatchObject({ status: 'pending', rule_id: null, connection_id: null });
    expect(await used(shop)).toBe(3);
    expect(await ask(shop, 'GET', `/v1/workflows/executions/${begun.id}`)).toMatchObject({ status: 'succeeded' });
  });

  it('are refused beyond the plan, which is recorded and not counted', async () => {
    const shop = await aLiveShop(host, { plan: 'free' });
    const template = await aTemplate(shop);
    await aRule(shop, template);
    await host.spend(shop.org_id, 'workflow_executions', 49);
    await pay(shop);
    expect(await used(shop)).toBe(50);
    await pay(shop);
    const [refused, ran] = await executionsOf(shop);
    expect([refused, ran]).toMatchObject([
      {
        status: 'refused',
        steps: [],
        error: { code: 'plan_limit_reached', details: { metric: 'workflow_executions', used: '50', limit: '50' } },
      },
      { status: 'succeeded', error: null },
    ]);
    expect(await used(shop)).toBe(50);
    const byHand = await host.call(
      'POST',
      '/v1/workflows/executions',
      { template_id: template, event_id: ran?.event.id },
      { key: shop.key },
    );
    expect([byHand.status, byHand.body.code]).toEqual([402, 'plan_limit_reached']);
  });
});
