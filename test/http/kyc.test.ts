import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '#functions/api-keys/api-keys.usecase.ts';
import { retryPayment } from '#functions/payment-actions/retry-payment.usecase.ts';
import { confirmPayment } from '#functions/payments/confirm-payment.usecase.ts';
import { createPayment } from '#functions/payments/create-payment.usecase.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import type { Route } from '#shared/http/route.ts';
import { unkeyedOperation } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import { waitsOf } from '#test/bench/store-waits.ts';
import { addressOf, OURS } from '#test/http/bad-input.support.ts';
import { aLiveShop, type LiveHost, startLiveHost, verdict } from '#test/http/live-host.support.ts';
import { aGuest, aLink } from '#test/support/guest-browser.ts';
import { aPaymentBody, callsOf, type TestOrganization } from '#test/support/host.ts';
import { anIntent, moneyOf, operationsOf } from '#test/support/payment-steps.ts';

type Shop = TestOrganization & { readonly publicKey: string };

let host: LiveHost;
let shop: Shop;
beforeAll(async () => {
  host = await startLiveHost();
  shop = await aShop(host);
});
afterAll(() => host?.close());

async function aShop(at: LiveHost, about: Partial<Organization> = {}): Promise<Shop> {
  const made = await aLiveShop(at, about);
  const { key } = (await at.call('POST', '/v1/api-keys', { name: 'Page', kind: 'public' }, { key: made.key })).body;
  return { ...made, publicKey: key };
}

const pay = (key: string, how = {}) => host.call('POST', '/v1/payments', aPaymentBody(), { key, ...how });
const callRoute = (route: Route, key: string) =>
  host.call(route.method, addressOf(route), route.method === 'GET' ? undefined : {}, { key });
const acceptsKeys = (route: Route): boolean =>
  ['scope', 'public'].includes(route.access) || ('keys' in route && route.keys === true);
const KYC = [403, 'forbidden', 'kyc_required'];

describe('a live key of an unverified organization', () => {
  let unverified: Shop;
  beforeAll(async () => {
    unverified = await aShop(host);
    await host.decide(unverified.org_id, { kyc: 'pending' });
  });

  it.each(OURS.filter(acceptsKeys))('cannot call $method $path', async (route) =>
    expect(verdict(await callRoute(route, unverified.key))).toEqual(KYC),
  );

  it.each(OURS.filter(({ access }) => access === 'public'))(
    'cannot call the public $method $path, nor can a public key',
    async (route) => {
      expect(verdict(await callRoute(route, unverified.publicKey))).toEqual(KYC);
    },
  );

  it('is first refused for being unknown, out of scope or of another organization', async () => {
    expect(verdict(await pay(`${unverified.key.slice(0, -1)}!`))).toEqual([401, 'unauthorized', 'invalid_api_key']);
    expect(verdict(await pay(unverified.publicKey))).toEqual([403, 'forbidden', 'missing_scope']);
    expect((await pay(unverified.key, { headers: { 'x-org-id': shop.org_id } })).body.code).toBe('org_mismatch');
  });

  it('is refused before its body is read and its idempotency key is claimed', async () => {
    const how = { key: unverified.key, idempotencyKey: randomUUID() };
    expect(verdict(await host.call('POST', '/v1/payments', 'no json', how))).toEqual(KYC);
    await host.decide(unverified.org_id, { kyc: 'approved' });
    const answer = await host.call('POST', '/v1/payments', aPaymentBody(), how);
    await host.decide(unverified.org_id, { kyc: 'pending' });
    expect([answer.status, answer.body.status]).toEqual([201, 'succeeded']);
  });
});

describe('an approval', () => {
  it('stops with a withdrawn approval, also for repeated requests, and works after the next approval', async () => {
    const how = { idempotencyKey: randomUUID() };
    const intent = await anIntent(host, 'ok', {}, { key: shop.key });
    const confirm = () =>
      host.call(
        'POST',
        `/v1/payments/${intent.id}/confirm-intent`,
        { client_secret: intent.client_secret },
        { key: shop.publicKey, idempotencyKey: null },
      );
    const first = await pay(shop.key, how);
    for (const kyc of ['rejected', 'pending'] as const) {
      await host.decide(shop.org_id, { kyc });
      for (const answer of [await pay(shop.key, how), await pay(shop.key), await confirm()])
        expect(verdict(answer)).toEqual(KYC);
    }
    await host.decide(shop.org_id, { kyc: 'approved' });
    const again = await pay(shop.key, how);
    expect([again.status, again.text, (await confirm()).body.status]).toEqual([201, first.text, 'succeeded']);
  });

  it('is checked without a further read for payments, and with one concurrent read elsewhere', async () => {
    const { before, after, calls } = await waitsOf(host, () => pay(shop.key));
    expect([before, after, [...calls].sort()]).toEqual([
      2,
      1,
      ['psp.send', 'table.get', 'table.get', 'table.get', 'table.put', 'table.put', 'table.update'],
    ]);
    const methodsOf = async (path: string) =>
      (await callsOf(host, () => host.call('GET', path, undefined, { key: shop.key }), 'connections')).map(
        ({ method }) => method,
      );
    expect(await methodsOf('/v1/connections')).toEqual(['get', 'update', 'query', 'query', 'query']);
    // The last two record that it failed.
    expect(await methodsOf('/v1/connections/none')).toEqual(['get', 'update', 'get', 'update', 'put']);
  });
});

describe('live payments of an unverified organization', () => {
  /** A signed-in user, whose requests need no API key. */
  const signedIn = ({ org_id }: Shop): Caller => {
    const key = randomUUID();
    return {
      orgId: org_id,
      credentialId: 'sess_1',
      kind: 'session',
      scopes: SCOPES,
      actorId: null,
      ip: '127.0.0.1',
      requestId: 'req_1',
      operation: { ...unkeyedOperation(host.clock.now()), seed: 'a'.repeat(64) },
      idempotencyRequest: { orgId: org_id, class: 'server', key, request: key, credentialId: 'sess_1' },
      routingData: () => host.deps.organizations.routingData(org_id),
    };
  };

  it('cannot be created, confirmed or retried', async () => {
    const own = await aShop(host);
    const how = { key: own.key };
    const intent = await anIntent(host, 'ok', {}, how);
    const failed = (await host.call('POST', '/v1/payments', aPaymentBody('decline_try_again_later'), how)).body;
    expect([failed.status, failed.failure.retryable]).toEqual(['failed', true]);
    await host.drain();
    const asked = await operationsOf(host, failed.id);
    await host.decide(own.org_id, { kyc: 'rejected' });
    const refused = expect.objectContaining({ code: 'kyc_required' });
    await expect(createPayment({ amount: 5_000, currency: 'EUR' }, signedIn(own), host.deps)).rejects.toEqual(refused);
    await expect(confirmPayment({ id: intent.id }, signedIn(own), host.deps)).rejects.toEqual(refused);
    await expect(retryPayment({ id: failed.id }, signedIn(own), host.deps)).rejects.toEqual(refused);
    expect([(await moneyOf(host, intent.id)).count, await operationsOf(host, failed.id)]).toEqual([0, asked]);
    expect((await host.deps.payments.byId(intent.id))?.status).toBe('created');
    await host.decide(own.org_id, { kyc: 'approved' });
    expect((await confirmPayment({ id: intent.id }, signedIn(own), host.deps)).status).toBe('succeeded');
  });

  it('cannot get a live key either', async () => {
    const own = await aShop(host, { kyc: 'approved' });
    await host.decide(own.org_id, { kyc: 'pending' });
    const making = createApiKey({ name: 'x', kind: 'service', scopes: [] }, signedIn(own), host.deps);
    await expect(making).rejects.toEqual(expect.objectContaining({ code: 'kyc_required' }));
    expect(await host.deps.keys.list(own.org_id)).toHaveLength(2);
  });

  it('cannot be made on the page of a payment link', async () => {
    const own = await aShop(host);
    const link = await aLink(host, {}, own.key);
    const visitor = aGuest(host);
    const form = await visitor.open(link.url);
    await host.decide(own.org_id, { kyc: 'pending' });
    const page = await visitor.submit(form, 'start');
    expect([page.status, page.html.includes('Your payment did not go through')]).toEqual([409, true]);
    expect((await host.deps.paymentLinks.byId(link.id))?.slots_left).toBe(1);
    await host.decide(own.org_id, { kyc: 'approved' });
    expect((await host.call('GET', '/v1/payments', undefined, { key: own.key })).body.payments).toEqual([]);
    expect((await visitor.submit(page, 'start')).status).toBe(200);
    expect((await host.call('GET', '/v1/payments', undefined, { key: own.key })).body.payments).toHaveLength(1);
  });
});

describe('the sandbox', () => {
  it('needs no verification', async () => {
    const sandbox = await startLiveHost('sandbox');
    const own = await aShop(sandbox, { kyc: 'rejected' });
    expect((await sandbox.call('POST', '/v1/payments', aPaymentBody(), { key: own.key })).body.status).toBe(
      'succeeded',
    );
    const link = await aLink(sandbox, {}, own.key);
    const visitor = aGuest(sandbox);
    expect((await visitor.submit(await visitor.open(link.url), 'start')).status).toBe(200);
    await sandbox.close();
  });
});
