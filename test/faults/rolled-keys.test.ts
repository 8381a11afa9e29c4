import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import {
  aConnection,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  bring,
  callsAbout,
  complete,
  drain,
  eventText,
  moneyOf,
  operationsOf,
  pay,
  read,
} from '#test/support/payment-steps.ts';
import { type RollingKeys, rollingKeys } from '#test/support/rolling-keys.ts';

/**
 * The key of a connection is replaced, and the old key, with which payments were made, is rejected by the provider.
 */

let keys: RollingKeys;
let others: RollingKeys;
let host: TestHost;
beforeAll(async () => {
  [keys, others] = [await rollingKeys(), await rollingKeys()];
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, pspUrls: { stripe: keys.url, flutterwave: others.url } });
  keys.behind(`${host.info.simulators}/stripe`);
  others.behind(`${host.info.simulators}/flutterwave`);
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(async () => {
  await host?.close();
  await Promise.all([keys?.close(), others?.close()]);
});

type Credentials = { readonly secret_key: string; readonly webhook_secret: string };
const someCredentials = () => randomCredentials('stripe', 'sandbox') as Credentials;

async function aShop() {
  const { key, org_id } = await anOrganization(host);
  const credentials = someCredentials();
  const how = { key };
  await aConnection(host, how, { id: 'main', credentials });
  const save = async (given: Credentials, more: Body = {}): Promise<void> => {
    expect(
      (await host.call('POST', '/v1/connections', { id: 'main', provider: 'stripe', credentials: given, ...more }, how))
        .status,
    ).toBe(201);
  };
  return {
    org_id,
    how,
    credentials,
    save,
    exchange: async (): Promise<Credentials> => {
      const other = someCredentials();
      await save(other);
      return other;
    },
    remove: () => host.call('DELETE', '/v1/connections/main', undefined, how),
    connection: async (): Promise<Body> => (await host.call('GET', '/v1/connections/main', undefined, how)).body,
    audit: async (): Promise<Body[]> => (await host.call('GET', '/v1/connections/main/audit', undefined, how)).body,
    unknown: async (): Promise<Body> => {
      await arrange(host, 'timeout_after_charge', { webhook: 'none' });
      const payment = await pay(host, 'ok', {}, how);
      expect(payment.status).toBe('processing');
      return payment;
    },
  };
}

async function wait(...times: readonly string[]): Promise<void> {
  for (const time of times) {
    await advance(host, time);
    await drain(host);
  }
}

describe('a rolled key whose predecessor was revoked', () => {
  it('finds the charges of the old key, and charges nothing again', async () => {
    const shop = await aShop();
    const { id } = await shop.unknown();
    keys.roll(shop.credentials.secret_key, (await shop.exchange()).secret_key);
    await wait('1m', '5m');
    expect((await read(host, id, shop.how)).status).toBe('succeeded');
    const sent = (await callsAbout(host, id)).filter(({ operation }) => operation === 'create');
    expect([(await moneyOf(host, id)).count, sent.map(({ status }) => status)]).toEqual([1, [0, 401]]);
  });

  it('refunds, cancels and looks up the charges of the old key', async () => {
    const shop = await aShop();
    const [paid, waiting, open] = [
      await pay(host, 'ok', {}, shop.how),
      await pay(host, 'needs_3ds', {}, shop.how),
      await pay(host, 'pending', {}, shop.how),
    ];
    keys.roll(shop.credentials.secret_key, (await shop.exchange()).secret_key);
    expect((await act(host, paid.id, 'refund', undefined, shop.how)).body.status).toBe('refunded');
    expect((await act(host, waiting.id, 'cancel', undefined, shop.how)).body.status).toBe('canceled');
    await complete(host, open.id, 'succeeded');
    expect((await read(host, open.id, shop.how)).status).toBe('succeeded');
  });

  it('still refunds after the old credentials were purged', async () => {
    const shop = await aShop();
    const { id } = await pay(host, 'ok', {}, shop.how);
    keys.roll(shop.credentials.secret_key, (await shop.exchange()).secret_key);
    await wait('31d');
    expect((await act(host, id, 'refund', undefined, shop.how)).body.status).toBe('refunded');
  });
});

describe('former credentials', () => {
  it('do not arise when the same credentials are sent again, in any order', async () => {
    const shop = await aShop();
    await host.call('POST', '/v1/connections/main/validate', undefined, shop.how);
    const before = await shop.connection();
    const { secret_key, webhook_secret } = shop.credentials;
    await shop.save({ webhook_secret, secret_key });
    expect(before.last_validation_status).toBe('valid');
    expect([await shop.connection(), (await shop.audit()).length]).toEqual([before, 2]);
  });

  it('verify callbacks for 30 days, and no longer', async () => {
    const shop = await aShop();
    const [first, second] = [await pay(host, 'pending', {}, shop.how), await pay(host, 'pending', {}, shop.how)];
    const other = await shop.exchange();
    const sendCallback = ({ id, psp_reference }: Body, secret: string) => {
      const metadata = { org_id: shop.org_id, connection_id: 'main', payment_id: id };
      return bring(
        host,
        eventText({
          type: 'payment_intent.processing',
          object: { id: psp_reference, object: 'payment_intent', metadata },
        }),
        secret,
      );
    };
    expect((await sendCallback(first, shop.credentials.webhook_secret)).status).toBe(200);
    expect((await sendCallback(first, someCredentials().webhook_secret)).status).toBe(401);
    await wait('31d');
    expect((await sendCallback(second, shop.credentials.webhook_secret)).status).toBe(401);
    // The signature is valid, though the new account does not know the payment.
    expect((await sendCallback(second, other.webhook_secret)).status).toBe(502);
  });

  it('are purged after 30 days, each on its own', async () => {
    const shop = await aShop();
    const [first, second] = [await pay(host, 'ok', {}, shop.how), await pay(host, 'ok', {}, shop.how)];
    await shop.exchange();
    await wait('20d');
    const third = await pay(host, 'ok', {}, shop.how);
    await shop.exchange();
    await wait('9d');
    expect((await act(host, first.id, 'refund', undefined, shop.how)).body.status).toBe('refunded');
    await wait('2d');
    const late = await act(host, second.id, 'refund', undefined, shop.how);
    expect([late.body.status, late.body.refunds[0].status, (await moneyOf(host, second.id)).refunded]).toEqual([
      'succeeded',
      'pending',
      0,
    ]);
    expect((await act(host, third.id, 'refund', undefined, shop.how)).body.status).toBe('refunded');
  });

  it('that become current again need no copy', async () => {
    const shop = await aShop();
    const { id } = await pay(host, 'ok', {}, shop.how);
    await shop.exchange();
    await shop.save(shop.credentials);
    await wait('31d');
    expect((await act(host, id, 'refund', undefined, shop.how)).body.status).toBe('refunded');
  });

  it('that were in use for long are kept, however many were tried after them', async () => {
    const shop = await aShop();
    const { id } = await pay(host, 'ok', {}, shop.how);
    await wait('1d');
    for (let n = 0; n < 9; n += 1) await shop.exchange();
    expect((await act(host, id, 'refund', undefined, shop.how)).body.status).toBe('refunded');
  });
});

describe('a connection with the id of a deleted one', () => {
  it('starts with no calls, and counts its own', async () => {
    const shop = await aShop();
    for (let n = 0; n < 3; n += 1) await pay(host, 'ok', {}, shop.how);
    const open = await shop.unknown();
    await drain(host);
    expect((await shop.connection()).total_calls).toBe(4);
    await shop.remove();
    await shop.exchange();
    expect(await shop.connection()).toMatchObject({ total_calls: 0, last_success_at: null, health_status: 'unknown' });
    await pay(host, 'ok', {}, shop.how);
    await wait('1m');
    expect((await read(host, open.id, shop.how)).status).toBe('succeeded');
    const listed = (await host.call('GET', '/v1/connections', undefined, shop.how)).body.connections[0];
    expect([(await shop.connection()).total_calls, listed.total_calls]).toEqual([1, 1]);
  });

  it('settles the payments of the deleted one, and refunds them until its credentials are purged', async () => {
    const shop = await aShop();
    const paid = await pay(host, 'ok', {}, shop.how);
    const open = await shop.unknown();
    await shop.remove();
    await wait('20s');
    await shop.exchange();
    await wait('1m', '5m');
    expect([(await read(host, open.id, shop.how)).status, (await moneyOf(host, open.id)).count]).toEqual([
      'succeeded',
      1,
    ]);
    await wait('28d');
    expect((await act(host, open.id, 'refund', undefined, shop.how)).body.status).toBe('refunded');
    await wait('3d');
    expect(await act(host, paid.id, 'refund', undefined, shop.how)).toMatchObject({
      status: 409,
      body: { code: 'payment_not_refundable' },
    });
    expect((await pay(host, 'ok', {}, shop.how)).status).toBe('succeeded');
  });
});

/** These come last, because the payments they leave open are retried for days. */
describe('the key of another account, with the old key revoked', () => {
  it('leaves a charge that it does not find unknown, without charging or failing it, until a person decides', async () => {
    const shop = await aShop();
    const { id } = await shop.unknown();
    await shop.exchange();
    keys.revoke(shop.credentials.secret_key);
    await wait('1m', '5m', '10m', '2h', '8d');
    expect(await read(host, id, shop.how)).toMatchObject({ status: 'processing', review: { reason: 'no_verdict' } });
    expect((await moneyOf(host, id)).count).toBe(1);
  });

  it('does not prove that nothing was charged at a provider with lookups', async () => {
    const how = { key: (await anOrganization(host)).key };
    const [own, other] = [randomCredentials('flutterwave', 'sandbox'), randomCredentials('flutterwave', 'sandbox')];
    await aConnection(host, how, { id: 'main', provider: 'flutterwave', credentials: own });
    await host.control('POST', '/psp/scenario', {
      provider: 'flutterwave',
      behaviour: 'timeout_after_charge',
      webhook: 'none',
    });
    const { id } = await pay(host, 'ok', { currency: 'NGN', customer_email: 'kim@example.com' }, how);
    await host.call('POST', '/v1/connections', { id: 'main', credentials: other }, how);
    others.revoke(String(own?.secret_key));
    await wait('1m', '5m', '10m');
    expect([(await read(host, id, how)).status, (await moneyOf(host, id)).count]).toEqual(['processing', 1]);
  });

  it('does not cancel a page that the old key opened', async () => {
    const shop = await aShop();
    const { id } = await pay(host, 'needs_3ds', {}, shop.how);
    await shop.exchange();
    keys.revoke(shop.credentials.secret_key);
    expect(await act(host, id, 'cancel', undefined, shop.how)).toMatchObject({
      status: 502,
      body: { code: 'provider_error' },
    });
    expect((await read(host, id, shop.how)).status).toBe('requires_action');
  });

  it('does not continue the payment of the customer', async () => {
    const shop = await aShop();
    const { id } = await pay(host, 'needs_3ds', {}, shop.how);
    await shop.exchange();
    keys.revoke(shop.credentials.secret_key);
    expect((await act(host, id, 'confirm', {}, shop.how)).body.status).toBe('requires_action');
    expect(await operationsOf(host, id)).not.toContain('confirm');
  });
});
