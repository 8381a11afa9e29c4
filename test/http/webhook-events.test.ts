import { createHmac, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#shared/kernel/ids.ts';
import {
  aConnection,
  anOrganization,
  aPaymentBody,
  type Body,
  callsOf,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { aPaymentSnapshot } from '#test/support/payment.builder.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

type Merchant = TestOrganization & { readonly receiver: string; readonly secret: string };

/** An organization whose events arrive at an endpoint of its own. */
async function aMerchant(answers: Body = {}, config: Body = {}): Promise<Merchant> {
  const org = await anOrganization(host);
  const receiver = randomUUID();
  await host.control('PUT', `/receiver/${receiver}`, answers);
  const url = `${host.controlUrl}/receiver/${receiver}/hook`;
  const { body } = await host.call('POST', '/v1/webhooks/config', { url, events: ['*'], ...config }, { key: org.key });
  return { ...org, receiver, secret: body.signing_secret };
}

const drain = () => host.control('POST', '/drain');
const advance = (by: string) => host.control('POST', '/clock', { advance: by });
const call = (method: string, path: string, { key }: TestOrganization, how = {}) =>
  host.call(method, `/v1/webhooks${path}`, undefined, { key, ...how });
const sendTest = async (org: TestOrganization): Promise<Body> => (await call('POST', '/test', org)).body;
const event = async (id: string, org: TestOrganization): Promise<Body> =>
  (await call('GET', `/events/${id}`, org)).body;
const deliveries = async ({ receiver }: Merchant): Promise<Body[]> =>
  (await host.control('GET', `/receiver/${receiver}`)).body.deliveries;
const keyWith = async (org: TestOrganization, ...scopes: string[]): Promise<TestOrganization> => ({
  ...org,
  key: (await host.call('POST', '/v1/api-keys', { name: 'limited', scopes }, { key: org.key })).body.key,
});

describe('the deliveries of an event', () => {
  /** What the deliveries of such a payment ask the store for. */
  async function callsFor(metadata: Body): Promise<readonly string[]> {
    const merchant = await aMerchant();
    const pay = async () => {
      const intent = { amount: 100, currency: 'EUR', metadata };
      expect((await host.call('POST', '/v1/payments/intents', intent, { key: merchant.key })).status).toBe(201);
      await drain();
    };
    const calls = (await callsOf(host, pay, 'webhook-delivery')).filter(({ point }) => point === 'table');
    const [sent] = await deliveries(merchant);
    expect(JSON.parse(sent.raw_body).data.metadata).toEqual(metadata);
    return calls.map(({ method }) => method);
  }

  it('read the configuration alone, as the message carries the event', async () =>
    expect(await callsFor({ order: 'A-1' })).toEqual(['get', 'update']));

  it('read an event too that is too large for a message', async () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`note-${n}`, 'x'.repeat(450)]));
    expect(await callsFor(metadata)).toEqual(['get', 'get', 'update']);
  });
});

describe('a payment', () => {
  it('is announced to its organization in one signed request for each event', async () => {
    const merchant = await aMerchant();
    await aConnection(host, merchant);
    const payment = (await host.call('POST', '/v1/payments', aPaymentBody(), { key: merchant.key })).body;
    await drain();
    const sent = await deliveries(merchant);
    const bodies = sent.map(({ raw_body }) => JSON.parse(raw_body));
    expect(bodies.map(({ type }) => type).toSorted()).toEqual(['payment.created', 'payment.succeeded']);
    for (const { id, org_id, created_at, data, timestamp } of bodies) {
      expect([org_id, data.id, data.amount, data.currency]).toEqual([merchant.org_id, payment.id, 5_000, 'EUR']);
      expect([id, created_at, timestamp]).toEqual([
        expect.stringMatching(/^evt_/),
        expect.stringMatching(/Z$/),
        expect.any(Number),
      ]);
    }
    for (const { headers, raw_body } of sent) {
      expect(headers['content-type']).toBe('application/json');
      expect(headers['x-service-event-id']).toBe(JSON.parse(raw_body).id);
      expect(headers['x-service-signature']).toBe(
        `sha256=${createHmac('sha256', merchant.secret).update(raw_body).digest('hex')}`,
      );
      // The library compares the timestamp with the system clock, which differs from the host's: only the signature
      // is checked.
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      expect(headers['webhook-signature']).toBe(new Webhook(merchant.secret).sign(headers['webhook-id'], at, raw_body));
    }
  });

  it('is recorded, but not sent, without a subscription to its events', async () => {
    const merchant = await aMerchant({}, { events: ['payment.failed'] });
    await aConnection(host, merchant);
    await host.call('POST', '/v1/payments', aPaymentBody(), { key: merchant.key });
    await drain();
    const { events } = (await call('GET', '/events', merchant)).body;
    expect(events.map(({ type, status, attempts }: Body) => [type, status, attempts])).toEqual([
      ['payment.succeeded', 'skipped', []],
      ['payment.created', 'skipped', []],
    ]);
    expect(await deliveries(merchant)).toEqual([]);
  });
});

describe('a webhook endpoint that fails', () => {
  it('is quoted in the newest failed attempt, without what it echoes of secrets', async () => {
    const merchant = await aMerchant({
      sequence: [500, 503, 200],
      body: 'No such table: orders. whsec_c2VjcmV0c2VjcmV0',
    });
    const { id } = await sendTest(merchant);
    await drain();
    const quoted = 'No such table: orders. [secret]';
    expect((await event(id, merchant)).attempts).toMatchObject([{ status_code: 500, response: quoted }]);
    await advance('10s');
    const [first, second] = (await event(id, merchant)).attempts;
    expect([first.response, second.response]).toEqual([undefined, quoted]);
    await advance('2m');
    expect((await event(id, merchant)).attempts.map(({ response }: Body) => response)).toEqual([
      undefined,
      quoted,
      undefined,
    ]);
  });

  it('receives the event again until it succeeds, with the same id and a new signature each time', async () => {
    const merchant = await aMerchant({ sequence: [500, 503, 200] });
    const { id } = await sendTest(merchant);
    await drain();
    expect(await event(id, merchant)).toMatchObject({
      status: 'pending',
      attempts: [{ status_code: 500 }],
      next_attempt_at: expect.any(String),
    });
    await advance('2m');
    expect(await event(id, merchant)).toMatchObject({
      status: 'delivered',
      attempts: [
        { status_code: 500 },
        { status_code: 503 },
        { status_code: 200, error: null, duration_ms: expect.any(Number) },
      ],
      next_attempt_at: null,
    });
    const sent = await deliveries(merchant);
    expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([id]));
    expect(new Set(sent.map(({ headers }) => headers['x-service-signature'])).size).toBe(3);
    for (const { at, raw_body } of sent)
      expect(Math.abs(JSON.parse(raw_body).timestamp - Date.parse(at) / 1_000)).toBeLessThan(5);
  });

  it('receives no further attempt after nine within two days', async () => {
    const merchant = await aMerchant({ status: 500 });
    const { id } = await sendTest(merchant);
    await advance('3d');
    const { status, attempts } = await event(id, merchant);
    expect([status, attempts.length]).toEqual(['failed', 9]);
    const at = attempts.map((attempt: Body) => Date.parse(attempt.at) / 1_000);
    const usual = [5, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400];
    for (const [n, wait] of usual.entries()) {
      expect(at[n + 1] - at[n]).toBeGreaterThanOrEqual(wait * 0.89);
      expect(at[n + 1] - at[n]).toBeLessThanOrEqual(wait * 1.1 + 62);
    }
  });

  it('is not followed when it redirects', async () => {
    const merchant = await aMerchant({ status: 302 });
    const { id } = await sendTest(merchant);
    await drain();
    expect(await event(id, merchant)).toMatchObject({ status: 'pending', attempts: [{ status_code: 302 }] });
  });

  it('loses no attempt, wherever the delivery crashes', async () => {
    const merchant = await aMerchant({ sequence: [500, 200] });
    for (const [point, nth] of [
      ['table', 1],
      ['vault', 1],
      ['queue', 1],
      ['table', 3],
    ] as const) {
      await host.control('PUT', `/receiver/${merchant.receiver}`, { sequence: [500, 200] });
      host.faults.add({ point, nth, kind: 'crash', when: 'after', handler: 'webhook-delivery' });
      const { id } = await sendTest(merchant);
      await advance('30m');
      expect((await event(id, merchant)).status).toBe('delivered');
    }
  });
});

describe('an event whose first attempt could not start', () => {
  it('is sent once that is possible, even after its message reached the dead-letter queue', async () => {
    const merchant = await aMerchant();
    await aConnection(host, merchant);
    const faults = Array.from({ length: 12 }, (_, n) => ({
      point: 'vault',
      nth: n + 1,
      kind: 'throttle',
      when: 'before',
      handler: 'webhook-delivery',
    }));
    for (const fault of faults) await host.control('POST', '/faults', fault);
    await host.call('POST', '/v1/payments', aPaymentBody('ok'), { key: merchant.key });
    await drain();
    await host.control('DELETE', '/faults');
    const buried = (await host.queue.deadLetters('webhook-delivery')).length;
    expect([buried, await deliveries(merchant)]).toEqual([2, []]);
    await advance('17m');
    const { events } = (await call('GET', '/events', merchant)).body;
    expect(events.map(({ status, attempts }: Body) => [status, attempts.length])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
    ]);
  });
});

describe('GET /v1/webhooks/events', () => {
  let merchant: Merchant;
  let made: string[];
  beforeAll(async () => {
    merchant = await aMerchant({ sequence: [200, 500] });
    made = [];
    for (let n = 0; n < 3; n += 1) {
      made.unshift((await sendTest(merchant)).id);
      await drain();
      await advance('1s');
    }
  });
  const list = async (query = '') => (await call('GET', `/events${query}`, merchant)).body;
  const ids = async (query: string) => (await list(query)).events.map(({ id }: Body) => id);

  it('lists the newest first', async () => {
    const { events, pagination } = await list();
    expect(events.map(({ id }: Body) => id)).toEqual(made);
    expect(pagination).toEqual({ limit: 50, offset: 0, has_more: false, next_cursor: null });
    expect(events[2]).toEqual({
      id: made[2],
      org_id: merchant.org_id,
      type: 'service.webhook.test',
      created_at: expect.stringMatching(/Z$/),
      data: expect.any(Object),
      status: 'delivered',
      attempts: [{ at: expect.any(String), status_code: 200, duration_ms: expect.any(Number), error: null }],
      next_attempt_at: null,
    });
  });

  it('filters by status, type and time', async () => {
    const { created_at } = await event(made[1]!, merchant);
    expect(await ids('?status=delivered')).toEqual([made[2]]);
    expect(await ids('?type=payment.created')).toEqual([]);
    expect(await ids('?type=service.webhook.test&limit=1&offset=1')).toEqual([made[1]]);
    expect(await ids(`?created_after=${created_at}`)).toEqual([made[0], made[1]]);
    expect(await ids(`?created_before=${created_at}`)).toEqual([made[2]]);
  });

  it('leads from page to page by cursor', async () => {
    const first = await call('GET', '/events?limit=2', merchant);
    expect(first.body.pagination).toEqual({ limit: 2, offset: 0, has_more: true, next_cursor: expect.any(String) });
    const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1]!;
    const second = await host.call('GET', next.slice(host.info.api.length), undefined, { key: merchant.key });
    expect([second.body.events.map(({ id }: Body) => id), second.headers.get('link')]).toEqual([[made[2]], null]);
  });

  it('reports has_more only when another event matches the filter', async () => {
    await sendTest(merchant);
    await host.call('POST', '/v1/payments/intents', aPaymentBody(), { key: merchant.key });
    await drain();
    const { events, pagination } = await list('?type=payment.created&limit=1');
    expect([events.length, pagination.has_more]).toEqual([1, false]);
  });

  it('starts from the earlier of a cursor and a time', async () => {
    const { headers } = await call('GET', '/events?limit=1', merchant);
    const cursor = new URL(/^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')![1]!).searchParams.get('cursor');
    const { created_at } = await event(made[1]!, merchant);
    expect(await ids(`?cursor=${cursor}&created_before=${created_at}`)).toEqual([made[2]]);
  });

  it('ends a page before the response exceeds the limit of a Lambda function', async () => {
    const shop = await aMerchant();
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, '\u6F22'.repeat(500)]));
    const made = Array.from({ length: 70 }, () => newId('event', host.clock.now()));
    const plain = {
      org_id: shop.org_id,
      type: 'payment.created',
      status: 'delivered',
      attempts: [],
      next_attempt_at: null,
    } as const;
    const created_at = host.clock.now().toISOString();
    const data = aPaymentSnapshot({ metadata });
    await Promise.all(made.map((id) => host.deps.events.record({ ...plain, id, created_at, data })));
    const seen: string[] = [];
    for (let path: string | undefined = '/v1/webhooks/events?limit=200'; path; ) {
      const { text, body, headers } = await host.call('GET', path, undefined, { key: shop.key });
      expect(Buffer.byteLength(text)).toBeLessThan(5 * 1024 * 1024);
      seen.push(...body.events.map(({ id }: Body) => id));
      path = /\/v1[^>]+/.exec(headers.get('link') ?? '')?.[0];
    }
    expect(seen).toEqual(made.toSorted().toReversed());
  });

  it('lists the failed events, from page to page', async () => {
    const other = await aMerchant({ sequence: [200, 410] });
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      // An endpoint that answers 410 is disabled, so that it has to be enabled each time.
      await host.call(
        'POST',
        '/v1/webhooks/config',
        { url: `${host.controlUrl}/receiver/${other.receiver}/hook`, events: ['*'] },
        { key: other.key },
      );
      ids.unshift((await sendTest(other)).id);
      await drain();
      await advance('1s');
    }
    const failed = async (path: string) => {
      const { body, headers } = await host.call('GET', path, undefined, { key: other.key });
      return { ids: body.events.map(({ id }: Body) => id), next: /\/v1[^>]+/.exec(headers.get('link') ?? '')?.[0] };
    };
    const first = await failed('/v1/webhooks/events?status=failed&limit=2&offset=1');
    const second = await failed(first.next!);
    expect([first.ids, second.ids, second.next]).toEqual([ids.slice(1, 3), ids.slice(3, 5), undefined]);
    expect((await failed('/v1/webhooks/events?status=failed&type=service.webhook.test')).ids).toEqual(ids.slice(0, 5));
    expect((await failed('/v1/webhooks/events?status=failed&type=payment.created')).ids).toEqual([]);
  });

  it.each([
    ['type=payment.exploded', 'query.type'],
    ['status=lost', 'query.status'],
    ['created_after=yesterday', 'query.created_after'],
    ['limit=1000', 'query.limit'],
    ['offset=10001', 'query.offset'],
    ['cursor=a', 'query.cursor'],
    ['colour=red', 'query.colour'],
  ])('answers 400 for ?%s', async (query, path) => {
    const { status, body } = await call('GET', `/events?${query}`, merchant);
    expect([status, body.details.fields[0].path]).toEqual([400, path]);
  });

  it('answers 401 without a key and 403 without the scope', async () => {
    expect((await host.call('GET', '/v1/webhooks/events', undefined, { key: null })).status).toBe(401);
    const { status, body } = await call('GET', '/events', await keyWith(merchant, 'webhooks:write'));
    expect([status, body.message]).toEqual([403, expect.stringContaining('webhooks:read')]);
  });
});

describe('GET /v1/webhooks/events/{id}', () => {
  it('gives the same 404 for an event of another organization and for an unknown one', async () => {
    const merchant = await aMerchant();
    const { id } = await sendTest(merchant);
    const body = { error: 'not_found', code: 'not_found', message: 'There is no such event.' };
    for (const each of [id, id.replace(/.{4}$/, '0000'), 'nonsense']) {
      expect(await host.call('GET', `/v1/webhooks/events/${each}`)).toMatchObject({ status: 404, body });
    }
  });
});

describe('POST /v1/webhooks/events/{id}/replay', () => {
  it('sends a failed event again at once', async () => {
    const merchant = await aMerchant({ status: 500 });
    const { id } = await sendTest(merchant);
    await advance('3d');
    await host.control('PUT', `/receiver/${merchant.receiver}`, { status: 200 });
    expect(await call('POST', `/events/${id}/replay`, merchant)).toMatchObject({
      status: 200,
      body: { id, status: 'failed' },
    });
    await drain();
    expect(await event(id, merchant)).toMatchObject({ status: 'delivered', attempts: { length: 10 } });
    expect((await deliveries(merchant)).at(-1).headers['webhook-id']).toBe(id);
  });

  it('leaves the scheduled attempts of an event unchanged, however often it fails', async () => {
    const merchant = await aMerchant({ status: 500 });
    const { id } = await sendTest(merchant);
    await advance('8m');
    const { next_attempt_at, attempts } = await event(id, merchant);
    for (let n = 0; n < 10; n += 1) {
      await call('POST', `/events/${id}/replay`, merchant);
      await drain();
    }
    expect(await event(id, merchant)).toMatchObject({
      status: 'pending',
      next_attempt_at,
      attempts: { length: attempts.length + 10 },
    });
    await advance('3d');
    expect(await event(id, merchant)).toMatchObject({ status: 'failed', attempts: { length: 9 + 10 } });
  });

  it('repeats the response for the same idempotency key, and sends once', async () => {
    const merchant = await aMerchant();
    const { id } = await sendTest(merchant);
    await drain();
    const how = { idempotencyKey: randomUUID() };
    await call('POST', `/events/${id}/replay`, merchant, how);
    const again = await call('POST', `/events/${id}/replay`, merchant, how);
    await drain();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await deliveries(merchant)).toHaveLength(2);
  });

  it('answers 404 for an event of another organization, 400 without an idempotency key and 403 without the scope', async () => {
    const merchant = await aMerchant();
    const { id } = await sendTest(merchant);
    expect((await host.call('POST', `/v1/webhooks/events/${id}/replay`)).status).toBe(404);
    expect((await call('POST', `/events/${id}/replay`, merchant, { idempotencyKey: null })).body.code).toBe(
      'idempotency_key_required',
    );
    expect(
      (await call('POST', `/events/${id}/replay`, await keyWith(merchant, 'webhooks:read'))).body.message,
    ).toContain('webhooks:write');
  });
});

describe('POST /v1/webhooks/test', () => {
  it('sends a test event with or without a subscription', async () => {
    const merchant = await aMerchant({}, { events: ['payment.created'] });
    const { status, body } = await call('POST', '/test', merchant);
    expect([status, body.type, body.status]).toEqual([200, 'service.webhook.test', 'pending']);
    await drain();
    expect((await deliveries(merchant)).map(({ raw_body }) => JSON.parse(raw_body))).toEqual([
      expect.objectContaining({ id: body.id, type: body.type }),
    ]);
  });

  it('answers 404 before the first configuration, 400 without an idempotency key and 403 without the scope', async () => {
    const org = await anOrganization(host);
    expect((await call('POST', '/test', org)).status).toBe(404);
    expect((await call('POST', '/test', org, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
    expect((await call('POST', '/test', await keyWith(org, 'webhooks:read'))).body.message).toContain('webhooks:write');
  });
});
