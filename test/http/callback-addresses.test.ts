import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { arrange, askProvider, bring, complete, drain, eventText, pay, read } from '#test/support/payment-steps.ts';

let host: TestHost;
let shop: TestOrganization;
beforeAll(async () => {
  host = await startHost();
  shop = await anOrganization(host);
});
afterAll(() => host?.close());

/** A connection of the shop's at Stripe, with what tests need of it. */
async function aStripeAccount(more: Body = {}, owner = shop) {
  const credentials: Body = { ...randomCredentials('stripe', 'sandbox'), ...more };
  const { id, callback_url } = await aConnection(host, owner, { credentials });
  const { search } = new URL(callback_url);
  return {
    id,
    credentials,
    address: `${host.info.api}/webhooks/stripe${search}`,
    health: async (): Promise<Body> =>
      (await host.call('GET', `/v1/connections/${id}`, undefined, { key: owner.key })).body,
    change: (body: Body, method = 'POST', path = '') =>
      host.call(method, `/v1/connections${path}`, body, { key: owner.key }),
  };
}
type StripeAccount = Awaited<ReturnType<typeof aStripeAccount>>;

const FOREIGN = eventText({
  type: 'payment_intent.succeeded',
  object: { id: 'pi_elsewhere', object: 'payment_intent' },
});

const bringTo = (
  { address, credentials }: StripeAccount,
  text = FOREIGN,
  secret = credentials.webhook_secret,
): Promise<ApiResponse> => bring(host, text, secret, address);

describe('the callback address of a connection', () => {
  it('accepts an event of a type that is not used, and does not count it', async () => {
    const account = await aStripeAccount();
    const payout = eventText({ type: 'payout.paid', object: { id: 'po_1', object: 'payout' } });
    expect(await bringTo(account, payout)).toMatchObject({ status: 200, body: { received: true } });
    expect((await bringTo(account, payout, 'whsec_wrong')).status).toBe(401);
    expect((await account.health()).foreign_events).toBe(0);
  });

  it('refuses what it cannot read, as it could be about one of our payments', async () => {
    const account = await aStripeAccount();
    const nothing = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded' });
    expect((await bringTo(account, nothing)).status).toBe(400);
    expect((await bringTo(account, 'no JSON')).status).toBe(400);
    expect((await account.health()).foreign_events).toBe(0);
  });

  it('accepts a refund of a charge that another system made, which it looks up once', async () => {
    const account = await aStripeAccount();
    const object = { id: 're_1', object: 'refund', amount: 100, currency: 'eur', payment_intent: 'pi_elsewhere' };
    const refund = eventText({ type: 'refund.created', object: { ...object, status: 'succeeded' } });
    expect((await bringTo(account, refund, 'whsec_wrong')).status).toBe(401);
    expect(await bringTo(account, refund)).toMatchObject({ status: 200, body: { received: true } });
    expect((await account.health()).foreign_events).toBe(1);
  });

  it('looks up such a charge once, also if it has metadata with the names of ours', async () => {
    const account = await aStripeAccount();
    const charge = { amount: '4900', currency: 'eur', 'metadata[payment_id]': 'order-7001' };
    const { secret_key } = account.credentials;
    const { id: payment_intent } = await askProvider(host, secret_key, 'POST', '/v1/payment_intents', charge);
    let lookUps = 0;
    const stop = host.onCall(({ group, point }) => {
      if (group === 'psp-webhooks' && point === 'psp') lookUps += 1;
    });
    for (const id of ['re_3', 're_4'])
      expect(
        (await bringTo(account, eventText({ type: 'refund.created', object: { id, payment_intent } }))).status,
      ).toBe(200);
    stop();
    expect([lookUps, (await account.health()).foreign_events]).toEqual([1, 2]);
  });

  it('has a refund sent again while its charge cannot be looked up', async () => {
    const account = await aStripeAccount();
    await arrange(host, 'refuse_connection', { match: { operation: 'fetch' } });
    const object = { id: 're_2', object: 'refund', amount: 100, currency: 'eur', payment_intent: 'pi_unreachable' };
    const refund = eventText({ type: 'refund.created', object: { ...object, status: 'succeeded' } });
    expect(await bringTo(account, refund)).toMatchObject({ status: 502, body: { code: 'provider_error' } });
    await host.control('DELETE', '/psp/scenario');
    expect((await bringTo(account, refund)).status).toBe(200);
    expect((await account.health()).foreign_events).toBe(1);
  });

  it('accepts an event of another account that its endpoint receives, too', async () => {
    const account = await aStripeAccount({ account: 'acct_ours' });
    const event = { ...JSON.parse(FOREIGN), account: 'acct_other' };
    expect((await bringTo(account, JSON.stringify(event))).status).toBe(200);
    expect((await account.health()).foreign_events).toBe(1);
  });

  it('accepts the secrets of two endpoints on one account', async () => {
    const secrets = ['whsec_platformplatformplatform', 'whsec_connectconnectconnect'];
    const account = await aStripeAccount({ webhook_secret: secrets });
    for (const secret of secrets) expect((await bringTo(account, FOREIGN, secret)).status).toBe(200);
    expect((await bringTo(account, FOREIGN, 'whsec_neitherneitherneither')).status).toBe(401);
    expect((await account.health()).foreign_events).toBe(2);
  });

  it('accepts the secret of the account that was replaced', async () => {
    const account = await aStripeAccount();
    await account.change({ id: account.id, credentials: randomCredentials('stripe', 'sandbox') });
    expect((await bringTo(account)).status).toBe(200);
  });

  it('goes on while the connection is inactive, and says so once it is deleted', async () => {
    const account = await aStripeAccount();
    await account.change({ status: 'inactive' }, 'PATCH', `/${account.id}/status`);
    expect((await account.health()).status).toBe('inactive');
    expect((await bringTo(account)).status).toBe(200);
    await account.change({}, 'DELETE', `/${account.id}`);
    expect(await bringTo(account)).toMatchObject({
      status: 400,
      body: { code: 'webhook_unroutable', message: expect.stringMatching(/was deleted/) },
    });
    expect((await bringTo(account, FOREIGN, 'whsec_wrong')).body.code).toBe('invalid_signature');
  });

  it('starts to count again for a new connection with the id of a deleted one', async () => {
    const account = await aStripeAccount();
    await bringTo(account);
    await account.change({}, 'DELETE', `/${account.id}`);
    await account.change({ id: account.id, provider: 'stripe', credentials: account.credentials });
    expect((await account.health()).foreign_events).toBe(0);
    await bringTo(account);
    expect((await account.health()).foreign_events).toBe(1);
    const { connections } = (await host.call('GET', '/v1/connections?limit=100', undefined, { key: shop.key })).body;
    expect(connections.find(({ id }: Body) => id === account.id)).toMatchObject({ foreign_events: 1 });
  });

  it.each([
    '?connection=conn_1',
    '?connection=&org=org_1',
    '?connection=conn_1&org=',
    `?connection=${'c'.repeat(65)}&org=org_1`,
    '?connection=conn%231&org=org_1',
  ])('that is not whole (%s) is refused with what to do', async (query) => {
    const { address, credentials } = await aStripeAccount();
    const answer = await bring(host, FOREIGN, credentials.webhook_secret, address.replace(/\?.*/, query));
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', message: expect.stringMatching(/callback_url of GET \/v1\/connections/) },
    });
  });
});

describe('an event about our payment', () => {
  const successOf = ({ id, psp_reference }: Body, org_id: string, connection_id: string, more = {}): string =>
    eventText({
      type: 'payment_intent.succeeded',
      object: {
        id: psp_reference,
        object: 'payment_intent',
        status: 'succeeded',
        metadata: { org_id, connection_id, payment_id: id },
        ...more,
      },
    });
  const pending = async (how: { key: string }): Promise<Body> => {
    await arrange(host, 'approve', { webhook: 'none' });
    return pay(host, 'ok', {}, how);
  };

  it('is applied at the address of its connection, where its simulator sends it, and not counted', async () => {
    const owner = await anOrganization(host);
    const account = await aStripeAccount({}, owner);
    const payment = await pay(host, 'pending', {}, owner);
    expect(payment.status).toBe('processing');
    await complete(host, payment.psp_reference, 'succeeded');
    expect((await read(host, payment.id, owner)).status).toBe('succeeded');
    expect((await bringTo(account, successOf(payment, owner.org_id, account.id))).status).toBe(200);
    expect(await account.health()).toMatchObject({ foreign_events: 0, last_foreign_event_at: null });
  });

  it.each(['another connection', 'another organization'])(
    'of %s is refused where only the secret of the address has signed it',
    async (whose) => {
      const owner = await anOrganization(host);
      const victim = await aStripeAccount({}, owner);
      const payment = await pending(owner);
      const attacker = whose === 'another connection' ? owner : await anOrganization(host);
      const account = await aStripeAccount({}, attacker);
      const before = await read(host, payment.id, owner);
      const text = successOf({ ...payment, psp_reference: 'pi_forged' }, owner.org_id, victim.id);
      expect((await bringTo(account, text)).status).toBe(401);
      // Without metadata the charge itself leads to the payment.
      const named = eventText({ type: 'payment_intent.canceled', object: { id: payment.psp_reference } });
      expect((await bringTo(account, named)).status).toBe(401);
      await drain(host);
      expect(await read(host, payment.id, owner)).toEqual(before);
      expect((await account.health()).foreign_events).toBe(0);
      expect((await victim.health()).foreign_events).toBe(0);
    },
  );

  it('is applied at the address of another connection that shares its account, and both secrets of it', async () => {
    const owner = await anOrganization(host);
    const secrets = ['whsec_firstfirstfirstfirst', 'whsec_secondsecondsecond'];
    const first = await aStripeAccount({ webhook_secret: secrets }, owner);
    const second = await aStripeAccount(first.credentials, owner);
    const payment = await pending(owner);
    const { connection_id } = await read(host, payment.id, owner);
    const elsewhere = connection_id === first.id ? second : first;
    const text = successOf(payment, owner.org_id, connection_id);
    for (const secret of secrets) expect((await bringTo(elsewhere, text, secret)).status).toBe(200);
    expect((await elsewhere.health()).foreign_events).toBe(0);
  });
});

describe('the simulator of this host', () => {
  it('sends the events of an account to the address of its connection', async () => {
    const account = await aStripeAccount();
    await askProvider(host, account.credentials.secret_key, 'POST', '/v1/payment_intents', {
      amount: '4900',
      currency: 'eur',
      confirm: 'true',
      payment_method: 'pm_card_visa',
      'automatic_payment_methods[enabled]': 'true',
      'automatic_payment_methods[allow_redirects]': 'never',
    });
    await drain(host);
    expect((await account.health()).foreign_events).toBeGreaterThan(0);
  });
});
