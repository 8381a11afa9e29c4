import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPayforkError, PayforkError } from '#client/typescript/src/errors.ts';
import type { Payment } from '#client/typescript/src/generated/schemas.ts';
import { Payfork } from '#client/typescript/src/payfork.ts';
import { webhooks } from '#client/typescript/src/webhooks.ts';
import { aConnection, anOrganization, aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';
import { DASHBOARD, type SignedInUser, signIn } from '#test/support/people.ts';

let host: TestHost;
let client: Payfork;
beforeAll(async () => {
  host = await startHost();
  client = new Payfork({ baseUrl: host.info.api, key: host.info.keys.service });
});
afterAll(() => host.close());

const pay = (more: Readonly<Record<string, unknown>> = {}) => client.payments.create(aPaymentBody('ok', more));

/** A shop of its own, so that a test knows what its lists hold. */
async function ownShop(): Promise<Payfork> {
  const { org_id: orgId, key } = await anOrganization(host);
  await aConnection(host, { key });
  return new Payfork({ baseUrl: host.info.api, serviceKey: key, orgId });
}

/** The client in a page of the dashboard, whose browser sends the cookie and the origin. */
const inPage = ({ cookie, org }: SignedInUser): Payfork =>
  new Payfork({
    baseUrl: host.info.api,
    session: true,
    orgId: org,
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, cookie, origin: DASHBOARD } }),
  });

const errorOf = async (work: PromiseLike<unknown>): Promise<PayforkError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isPayforkError(error)) throw new Error('It did not fail as the client fails.', { cause: error });
  return error;
};

describe('the client', () => {
  it('creates a payment, reads it, and refunds a part of it', async () => {
    const payment = await pay();
    expect(payment).toMatchObject({ status: 'succeeded', amount: 5_000, currency: 'EUR' });
    expect((await client.payments.get(payment.id)).id).toBe(payment.id);
    const refunded = await client.payments.refund(payment.id, { amount: 1_500 });
    expect(refunded).toMatchObject({ amount_refunded: 1_500, refunds: [{ amount: 1_500, status: 'succeeded' }] });
  });

  it('makes one payment of two requests with the same idempotency key, and two of requests without one', async () => {
    const first = await client.payments.create(aPaymentBody(), { idempotencyKey: 'order-7' });
    const repeat = await client.payments.create(aPaymentBody(), { idempotencyKey: 'order-7' });
    expect(repeat.id).toBe(first.id);
    expect((await pay()).id).not.toBe((await pay()).id);
  });

  it('sends ids as one part of the path, whatever they contain', async () => {
    const odd = 'a/b?c=%2e&ü';
    await pay({ customer_id: odd });
    expect((await client.customers.get(odd)).customer_id).toBe(odd);
    for (const id of ['', '.', '..']) expect(() => client.paymentMethods.delete(id)).toThrow(/needs an id/);
  });

  it('names the person in the audit log whom a user interface acts for', async () => {
    const acting = new Payfork({ baseUrl: host.info.api, key: host.info.keys.service, actorId: 'ann' });
    const { id } = await aConnection(host, { key: host.info.keys.service });
    await acting.connections.setLabels(id, { labels: ['a'] });
    await acting.connections.setLabels(id, { labels: ['b'] }, { actorId: 'bob' });
    const { items } = await acting.logs.listConnectionAudit(id, { limit: 2 });
    expect(items.map(({ actor_id }) => actor_id)).toEqual(['bob', 'ann']);
  });

  it('shows its key to nobody who prints it or one of its errors', async () => {
    const key = host.info.keys.service;
    const error = await errorOf(client.payments.get('pay_unknown'));
    expect(inspect([client, error], { depth: 9, showHidden: true })).not.toContain(key);
    expect(JSON.stringify([client, error])).not.toContain(key);
  });

  it('says at once that its own settings are wrong', () => {
    const { api: baseUrl } = host.info;
    expect(() => new Payfork({ baseUrl, key: '' })).toThrow('key is missing');
    expect(() => new Payfork({ baseUrl, key: undefined as unknown as string })).toThrow('key is missing');
    expect(() => new Payfork({ baseUrl: 'ftp://example.com', key: 'k' })).toThrow('https://');
    for (const nowhere of [undefined as unknown as string, '', 'api.example.com'])
      expect(() => new Payfork({ baseUrl: nowhere, key: 'k' })).toThrow('baseUrl must be the address of the API');
    const orgId = undefined as unknown as string;
    expect(() => new Payfork({ baseUrl, serviceKey: 'k', orgId })).toThrow('orgId is missing');
    const pasted = () => new Payfork({ baseUrl, key: `${host.info.keys.secret}\n` });
    expect(pasted).toThrow('a line break');
    expect(pasted).not.toThrow(host.info.keys.secret);
    expect(() => client.inOrganization('org_1')).toThrow('A key belongs to one organization');
  });
});

describe('withResponse()', () => {
  it('has the response around the data: its status, its headers, and the id of the request', async () => {
    const created = await client.payments.create(aPaymentBody()).withResponse();
    expect(created).toMatchObject({ status: 201, replayed: false, data: { status: 'succeeded' } });
    expect(created.requestId).toMatch(/^req_/);
    expect(created.headers.get('location')).toBe(`/v1/payments/${created.data.id}`);
    expect((await client.payments.get(created.data.id).withResponse()).status).toBe(200);
  });

  it('says whether the response repeats that of an earlier request', async () => {
    const once = () => client.webhooks.sendTestEvent({}, { idempotencyKey: 'test-7' }).withResponse();
    await client.webhooks.saveConfig({ url: `${host.controlUrl}/receiver/replayed/hook`, events: ['*'] });
    const [first, again] = [await once(), await once()];
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.data).toEqual(first.data);
  });

  it('fails as the method fails, once', async () => {
    const unhandled: unknown[] = [];
    const keep = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', keep);
    const error = await errorOf(client.payments.get('pay_unknown').withResponse());
    await new Promise((resolve) => setTimeout(resolve, 10));
    process.off('unhandledRejection', keep);
    expect([error.code, unhandled]).toEqual(['not_found', []]);
  });
});

describe('a webhook', () => {
  const received = async (name: string) => {
    await expect.poll(async () => (await receiverOf(name)).length).toBe(1);
    return (await receiverOf(name))[0];
  };
  const receiverOf = async (name: string) => (await host.control('GET', `/receiver/${name}`)).body.deliveries;

  it('that the service sends is verified with the secret before and after a rotation, and has a type', async () => {
    const shop = await ownShop();
    const url = `${host.controlUrl}/receiver/verified/hook`;
    const { signing_secret: former } = await shop.webhooks.saveConfig({ url, events: ['payment.succeeded'] });
    const { signing_secret: fresh } = await shop.webhooks.rotateSecret();
    const payment = await shop.payments.create(aPaymentBody());
    const { raw_body, headers } = await received('verified');
    // The host's clock may be ahead of this process.
    const now = { at: host.clock.now() };
    for (const secret of [former ?? '', fresh ?? '', [fresh ?? '', former ?? '']]) {
      const event = await webhooks.verify(raw_body, headers, secret, now);
      expect(event.type === 'payment.succeeded' && event.data.id).toBe(payment.id);
    }
    await expect(webhooks.verify(raw_body, headers, `whsec_${'A'.repeat(32)}`, now)).rejects.toThrow('by this secret');
  });
});

describe('a list', () => {
  it('is its first page if awaited, and leads on page by page to the last', async () => {
    const shop = await ownShop();
    for (let n = 1; n <= 3; n += 1) await shop.payments.create(aPaymentBody('ok', { metadata: { n } }));
    const page = await shop.payments.list({ limit: 2 });
    expect(page.items.map(({ metadata }) => metadata.n)).toEqual([3, 2]);
    expect([page.hasMore, page.reply.pagination.limit]).toEqual([true, 2]);
    const last = await page.next();
    expect(last?.items.map(({ metadata }) => metadata.n)).toEqual([1]);
    expect([last?.hasMore, last?.nextCursor, await last?.next()]).toEqual([false, undefined, undefined]);
    const again = await shop.payments.list({ limit: 2, cursor: page.nextCursor });
    expect(again.items.map(({ metadata }) => metadata.n)).toEqual([1]);
  });

  it('goes through all of its items with for await, and keeps its filters from page to page', async () => {
    const shop = await ownShop();
    for (const token of ['ok', 'decline_card_declined', 'ok', 'ok']) await shop.payments.create(aPaymentBody(token));
    const found: Payment[] = [];
    for await (const payment of shop.payments.list({ status: 'succeeded', limit: 1 })) found.push(payment);
    expect(found.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(found.map(({ id }) => id)).toEqual([...found.map(({ id }) => id)].sort().reverse());
  });

  it('may be a bare array, as that of routing rules is', async () => {
    const shop = await ownShop();
    const [connection] = (await shop.connections.list()).items;
    for (const name of ['one', 'two'])
      await shop.routingRules.create({ name, connection_id: connection?.id ?? '', countries: ['DE'], priority: 1 });
    const names: string[] = [];
    for await (const { name } of shop.routingRules.list({ limit: 1 })) names.push(name);
    expect(names.sort()).toEqual(['one', 'two']);
  });

  it('sends nothing until it is awaited', async () => {
    let sent = 0;
    const counting = new Payfork({
      baseUrl: host.info.api,
      key: host.info.keys.service,
      fetch: (...request) => {
        sent += 1;
        return fetch(...request);
      },
    });
    const list = counting.payments.list({ limit: 1 });
    expect(sent).toBe(0);
    await list;
    expect(sent).toBe(1);
  });
});

describe('an error', () => {
  it('has the code of the API, its details, and the id of the request', async () => {
    const error = await errorOf(client.payments.create({ amount: 0, currency: 'EUR' }));
    expect(error).toBeInstanceOf(PayforkError);
    expect(error).toMatchObject({ status: 400, code: 'invalid_request', requestId: expect.stringMatching(/^req_/) });
    expect(error.details?.fields).toMatchObject([{ path: 'amount' }]);
    expect(isPayforkError(error, 'not_found', 'invalid_request')).toBe(true);
    expect(isPayforkError(error, 'not_found')).toBe(false);
    expect(isPayforkError(new Error('another'))).toBe(false);
  });

  it('has the idempotency key of what failed, so that it can be repeated', async () => {
    const { id } = await pay();
    const error = await errorOf(client.payments.refund(id, { amount: 9_000 }, { idempotencyKey: 'refund-7' }));
    expect(error).toMatchObject({ code: 'refund_exceeds_remaining', idempotencyKey: 'refund-7' });
    const unnamed = await errorOf(client.payments.refund(id, { amount: 9_000 }));
    expect(unnamed.idempotencyKey).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is not what a declined payment is', async () => {
    const declined = await client.payments.create(aPaymentBody('decline_card_declined'));
    expect(declined).toMatchObject({ status: 'failed', failure: { code: 'card_declined' } });
  });
});

describe('a page of the dashboard', () => {
  it('calls with its session, in the organization of its choice', async () => {
    const user = await signIn(host, 'owner-of-a-client@example.com');
    const page = inPage(user);
    expect(await page.auth.getSession()).toMatchObject({ user: { email: 'owner-of-a-client@example.com' } });
    await page.team.updateOrganization({ name: 'Renamed' });
    expect((await page.organizations.get()).name).toBe('Renamed');
    const elsewhere = await errorOf(page.inOrganization(host.info.org_id).organizations.get());
    expect(elsewhere.status).toBe(403);
  });

  it('is told that its session has ended', async () => {
    const page = inPage(await signIn(host, 'leaving-a-client@example.com'));
    await page.auth.endCurrentSession();
    expect(await errorOf(page.auth.getSession())).toMatchObject({ status: 401, code: 'invalid_session' });
  });
});
