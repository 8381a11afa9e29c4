import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { derivedId } from '#shared/kernel/ids.ts';
import { keys } from '#shared/store/keys.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { type CrashPoint, crashPointsOf, describePoint, expireLease } from '#test/faults/crash-sweep.support.ts';
import {
  type ApiResponse,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { aPaymentSnapshot } from '#test/support/payment.builder.ts';
import { faultsIn, keyWith } from '#test/support/payment-steps.ts';

let host: TestHost;
let table: TablePort;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (bare) => {
      table = bare;
      return bare;
    },
  });
});
afterAll(() => host?.close());

type Merchant = TestOrganization & { readonly receiver: string };

/** An organization whose events arrive at an endpoint of its own. */
async function aMerchant(answers: Body = {}): Promise<Merchant> {
  const merchant = { ...(await anOrganization(host)), receiver: randomUUID() };
  await respondWith(merchant, answers);
  await configure(merchant, {});
  return merchant;
}

const respondWith = ({ receiver }: Merchant, answers: Body) => host.control('PUT', `/receiver/${receiver}`, answers);
const configure = ({ key, receiver }: Merchant, wish: Body) =>
  host.call(
    'POST',
    '/v1/webhooks/config',
    { url: `${host.controlUrl}/receiver/${receiver}/hook`, events: ['*'], ...wish },
    { key },
  );
const drain = () => host.control('POST', '/drain');
const advance = (by: string) => host.control('POST', '/clock', { advance: by });

const call = (method: string, path: string, { key }: TestOrganization, body?: Body, how = {}): Promise<ApiResponse> =>
  host.call(method, `/v1/webhooks${path}`, body, { key, ...how });
const sendTest = async (org: TestOrganization): Promise<Body> => (await call('POST', '/test', org)).body;
const read = async (org: TestOrganization, id: string): Promise<Body> => (await call('GET', `/events/${id}`, org)).body;
const failedOf = async (org: TestOrganization): Promise<string[]> =>
  (await call('GET', '/events?status=failed&limit=200', org)).body.events.map(({ id }: Body) => id);
const replayAll = (org: TestOrganization, body: Body = { since: LONG_AGO }, how = {}): Promise<ApiResponse> =>
  call('POST', '/events/replay', org, body, how);
const arrived = async ({ receiver }: Merchant): Promise<string[]> =>
  (await host.control('GET', `/receiver/${receiver}`)).body.deliveries.map(
    ({ headers }: Body) => headers['webhook-id'],
  );

const LONG_AGO = '2020-01-01T00:00:00.000Z';

/**
 * Events that failed after nine attempts, written directly to the store; the host would need minutes to fail that
 * many.
 */
async function failures({ org_id }: TestOrganization, count: number, wish: Body = {}): Promise<string[]> {
  const began = host.clock.now().getTime() - 3_600_000;
  const ids = Array.from({ length: count }, (_, n) => derivedId('event', new Date(began + n), randomUUID()));
  const plain = {
    org_id,
    type: 'payment.created',
    data: aPaymentSnapshot(),
    status: 'failed',
    attempts: [],
    next_attempt_at: null,
  } as const;
  await Promise.all(
    ids.map((id, n) =>
      host.deps.events.record({ ...plain, id, created_at: new Date(began + n).toISOString(), ...wish }),
    ),
  );
  return ids;
}

describe('POST /v1/webhooks/events/replay', () => {
  let merchant: Merchant;
  /** Three failed events, a second apart, and a delivered one. */
  let made: Body[];
  beforeEach(async () => {
    merchant = await aMerchant({ status: 500 });
    made = [];
    for (let n = 0; n < 3; n += 1) {
      made.push(await sendTest(merchant));
      await advance('1s');
    }
    await advance('3d');
    await respondWith(merchant, {});
    await sendTest(merchant);
    await drain();
    await respondWith(merchant, {});
  });
  const ids = (...of: readonly number[]) => of.map((n) => made[n].id);
  const newlyArrived = async () => (await arrived(merchant)).slice(3 * 9 + 1);

  it('sends the events again that failed since a time', async () => {
    const { status, body } = await replayAll(merchant, { since: made[1].created_at });
    expect([status, body]).toEqual([
      200,
      { since: made[1].created_at, until: expect.stringMatching(/Z$/), type: null, accepted: true },
    ]);
    await drain();
    expect((await newlyArrived()).toSorted()).toEqual(ids(1, 2));
    expect(await failedOf(merchant)).toEqual(ids(0));
    expect(await read(merchant, made[1].id)).toMatchObject({
      status: 'delivered',
      attempts: { length: 10 },
      next_attempt_at: null,
    });
  });

  it('sends the events again that failed before a time, given in any time zone', async () => {
    const until = made[1].created_at.replace('Z', '+00:00');
    expect((await replayAll(merchant, { since: LONG_AGO, until, type: 'service.webhook.test' })).body).toEqual({
      since: LONG_AGO,
      until: made[1].created_at,
      type: 'service.webhook.test',
      accepted: true,
    });
    await drain();
    expect(await newlyArrived()).toEqual(ids(0));
  });

  it('sends only the events of a type again', async () => {
    const [payment] = await failures(merchant, 1);
    await replayAll(merchant, { since: LONG_AGO, type: 'payment.created' });
    await drain();
    expect(await newlyArrived()).toEqual([payment]);
  });

  it('leaves out events that are no longer subscribed to, unless their type is named', async () => {
    const [payment] = await failures(merchant, 1);
    await configure(merchant, { events: ['invoice.paid'] });
    await replayAll(merchant);
    await drain();
    expect([(await newlyArrived()).toSorted(), await failedOf(merchant)]).toEqual([ids(0, 1, 2), [payment]]);
    await replayAll(merchant, { since: LONG_AGO, type: 'payment.created' });
    await drain();
    expect([(await newlyArrived()).at(-1), await failedOf(merchant)]).toEqual([payment, []]);
  });

  it('leaves an event failed when it fails again, without further attempts', async () => {
    await respondWith(merchant, { status: 503 });
    await replayAll(merchant);
    await advance('2h');
    expect((await newlyArrived()).toSorted()).toEqual(ids(0, 1, 2));
    expect(await failedOf(merchant)).toEqual(ids(2, 1, 0));
    expect(await read(merchant, made[0].id)).toMatchObject({
      status: 'failed',
      attempts: { length: 10, 9: { status_code: 503 } },
      next_attempt_at: null,
    });
  });

  it('does not send the events of another organization', async () => {
    const other = await aMerchant();
    const theirs = await failures(other, 2);
    await replayAll(merchant);
    await drain();
    expect([await arrived(other), await failedOf(other)]).toEqual([[], theirs.toReversed()]);
  });

  it('repeats the response for the same idempotency key, and sends once', async () => {
    const how = { idempotencyKey: randomUUID() };
    const first = await replayAll(merchant, { since: LONG_AGO }, how);
    await advance('1m');
    const again = await replayAll(merchant, { since: LONG_AGO }, how);
    await drain();
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true']);
    expect(await newlyArrived()).toHaveLength(3);
    expect((await replayAll(merchant, { since: made[0].created_at }, how)).status).toBe(422);
  });
});

describe('a replay that cannot be done', () => {
  const asked: readonly (readonly [
    string,
    (org: TestOrganization, id: string, how?: object) => Promise<ApiResponse>,
  ])[] = [
    ['all', (org, _, how) => replayAll(org, { since: LONG_AGO }, how)],
    ['one', (org, id, how) => call('POST', `/events/${id}/replay`, org, undefined, how)],
  ];

  it.each(asked)('answers 409 while webhooks are disabled, and leaves the event failed: %s', async (_, ask) => {
    const merchant = await aMerchant();
    const [id = ''] = await failures(merchant, 1);
    await configure(merchant, { enabled: false });
    const { status, body } = await ask(merchant, id);
    expect([status, body.error, body.code]).toEqual([409, 'conflict', 'webhooks_disabled']);
    await drain();
    expect([await arrived(merchant), await failedOf(merchant)]).toEqual([[], [id]]);
    await configure(merchant, { enabled: true });
    expect((await ask(merchant, id)).status).toBe(200);
    await drain();
    expect([await arrived(merchant), await failedOf(merchant)]).toEqual([[id], []]);
  });

  it.each(asked)(
    'answers with an error without a configuration, an idempotency key, a key or the scope: %s',
    async (_, ask) => {
      const org = await anOrganization(host);
      const [id = ''] = await failures(org, 1);
      expect(await ask(org, id)).toMatchObject({
        status: 404,
        body: { code: 'not_found', message: expect.stringContaining('/v1/webhooks/config') },
      });
      expect((await ask(org, id, { idempotencyKey: null })).body.code).toBe('idempotency_key_required');
      expect((await ask(org, id, { key: null })).status).toBe(401);
      const reading = await keyWith(host, ['webhooks:read'], { key: org.key });
      expect((await ask(org, id, { key: reading })).body).toMatchObject({
        code: 'missing_scope',
        message: expect.stringContaining('webhooks:write'),
      });
    },
  );

  it.each<[string, Body, string[]]>([
    ['an empty body', {}, ['since']],
    ['timestamps that are invalid', { since: 'yesterday', until: '2026-01-31' }, ['since', 'until']],
    ['an unknown type', { since: LONG_AGO, type: 'payment.exploded' }, ['type']],
    ['a list of types', { since: LONG_AGO, type: ['payment.created'] }, ['type']],
    ['an unknown field', { since: LONG_AGO, status: 'failed' }, ['status']],
    ['an end before the start', { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }, ['since']],
    ['an end at the start', { since: '2026-01-02T00:00:00Z', until: '2026-01-02T01:00:00+01:00' }, ['since']],
    ['a start in the future', { since: '2099-01-01T00:00:00Z' }, ['since']],
  ])('answers 400 for %s', async (_, body, paths) => {
    const merchant = await aMerchant();
    const ids = await failures(merchant, 1);
    const answer = await replayAll(merchant, body);
    expect([answer.status, faultsIn(answer)]).toEqual([400, paths]);
    await drain();
    expect([await arrived(merchant), await failedOf(merchant)]).toEqual([[], ids]);
  });
});

describe('a large number', () => {
  it('of failed events is sent again by one request, page after page', async () => {
    const merchant = await aMerchant();
    const ids = await failures(merchant, 1_200);
    expect((await replayAll(merchant)).status).toBe(200);
    await drain();
    expect((await arrived(merchant)).toSorted()).toEqual(ids.toSorted());
    expect(await failedOf(merchant)).toEqual([]);
  }, 240_000);

  it('of replays does not make an event grow, and each is still counted', async () => {
    const merchant = await aMerchant({ status: 500 });
    const [id = ''] = await failures(merchant, 1);
    const replays = 60;
    for (let n = 0; n < replays; n += 1) {
      await respondWith(merchant, { status: 500 + n });
      await call('POST', `/events/${id}/replay`, merchant);
      await drain();
    }
    const { status, attempts } = await read(merchant, id);
    const codes = attempts.map(({ status_code }: Body) => status_code);
    expect([status, codes]).toEqual(['failed', [500, ...Array.from({ length: 49 }, (_, n) => 500 + replays - 49 + n)]]);
    const item = (await table.get(keys.event(merchant.org_id, id), { consistent: true }))!;
    expect(item.tries).toBe(replays);
    expect(itemSize(item)).toBeLessThan(8 * 1024);

    await respondWith(merchant, {});
    await call('POST', `/events/${id}/replay`, merchant);
    await drain();
    expect(await read(merchant, id)).toMatchObject({
      status: 'delivered',
      attempts: { length: 50, 49: { status_code: 200 } },
    });
    expect(await failedOf(merchant)).toEqual([]);
  }, 60_000);
});

describe('replays of an organization whose endpoint fails', () => {
  it.each<[string, (ask: () => Promise<ApiResponse>) => Promise<unknown>]>([
    ['at once', (ask) => Promise.all(Array.from({ length: 20 }, ask))],
    [
      'one after the other',
      async (ask) => {
        for (let n = 0; n < 20; n += 1) {
          expect((await ask()).status).toBe(200);
          await drain();
        }
      },
    ],
  ])('that are requested twenty times %s send each event once, and once more after a while', async (_, ask) => {
    const merchant = await aMerchant({ status: 500 });
    const ids = (await failures(merchant, 30)).toSorted();
    await ask(() => replayAll(merchant));
    await drain();
    expect((await arrived(merchant)).toSorted()).toEqual(ids);
    expect((await replayAll(merchant)).body).toMatchObject({ accepted: true });
    await advance('6m');
    await drain();
    expect((await arrived(merchant)).slice(30).toSorted()).toEqual(ids);
    await respondWith(merchant, {});
    expect((await replayAll(merchant)).body).not.toHaveProperty('joined');
    await advance('6m');
    await drain();
    expect(await failedOf(merchant)).toEqual([]);
  });

  it('do not limit the replay of a single event', async () => {
    const merchant = await aMerchant({ status: 500 });
    const [id = ''] = await failures(merchant, 1);
    await replayAll(merchant);
    await drain();
    for (let n = 0; n < 3; n += 1) {
      await call('POST', `/events/${id}/replay`, merchant);
      await drain();
    }
    expect(await arrived(merchant)).toEqual([id, id, id, id]);
  });
});

describe('simultaneous replays of one event', () => {
  it('are all logged when they fail, and leave a delivered event delivered', async () => {
    const merchant = await aMerchant();
    const { id } = await sendTest(merchant);
    await drain();
    await respondWith(merchant, { status: 500, delay_ms: 50 });
    await Promise.all(Array.from({ length: 20 }, () => call('POST', `/events/${id}/replay`, merchant)));
    await drain();
    const { status, attempts } = await read(merchant, id);
    expect([status, attempts.map(({ status_code }: Body) => status_code)]).toEqual([
      'delivered',
      [200, ...Array(20).fill(500)],
    ]);
    expect((await arrived(merchant)).length).toBe(1 + 20);
  });
});

describe('a crash at any point of a replay of all failed events', () => {
  let merchant: Merchant;
  beforeAll(async () => {
    merchant = await aMerchant();
  });

  /** All of these have arrived, and no failed event is left. */
  async function verifySent(ids: readonly string[], where: string): Promise<void> {
    const known = new Set(await arrived(merchant));
    expect(
      ids.filter((id) => !known.has(id)),
      where,
    ).toEqual([]);
    expect(await failedOf(merchant), where).toEqual([]);
    expect(await host.queue.deadLetters('webhook-delivery'), where).toEqual([]);
  }

  async function planCrash({ point, nth, when }: CrashPoint, handler: string): Promise<void> {
    await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler });
  }

  it('loses no event when the worker of the replay or of a delivery crashes', async () => {
    const work = async () => {
      await failures(merchant, 3);
      await replayAll(merchant);
      await drain();
    };
    const points = await crashPointsOf(host, 'webhook-delivery', work);
    // The call that queues the next page, and the result of each event.
    expect(points.length).toBeGreaterThanOrEqual(2 * 3);
    let missed = 0;
    for (const point of points) {
      const ids = await failures(merchant, 3);
      await planCrash(point, 'webhook-delivery');
      expect((await replayAll(merchant)).status).toBe(200);
      await drain();
      missed += host.faults.waiting.length;
      host.faults.clear();
      await verifySent(ids, describePoint(point));
    }
    // Pages and deliveries run side by side, so that the last calls of a count may not exist.
    expect(missed, 'never reached').toBeLessThanOrEqual(0.15 * points.length);
  }, 120_000);

  it('loses no event between two pages', async () => {
    const points = [1, 2, 3].flatMap((nth) =>
      (['before', 'after'] as const).map((when) => ({ point: 'queue', method: 'send', nth, when }) as const),
    );
    for (const point of points) {
      const ids = await failures(merchant, 101);
      await planCrash(point, 'webhook-delivery');
      await replayAll(merchant);
      await drain();
      expect(host.faults.waiting, describePoint(point)).toEqual([]);
      await verifySent(ids, describePoint(point));
    }
  }, 120_000);

  it('loses no event when the request crashes and is repeated', async () => {
    await failures(merchant, 3);
    const points = await crashPointsOf(host, 'webhooks', () => replayAll(merchant));
    expect(points.some(({ point }) => point === 'queue')).toBe(true);
    for (const point of points) {
      const [ids, how] = [await failures(merchant, 3), { idempotencyKey: randomUUID() }];
      await planCrash(point, 'webhooks');
      expect((await replayAll(merchant, undefined, how)).status, describePoint(point)).toBe(503);
      await expireLease(host);
      expect((await replayAll(merchant, undefined, how)).status, describePoint(point)).toBe(200);
      await drain();
      await verifySent(ids, describePoint(point));
    }
  }, 120_000);

  it('loses no event when a replay of a single event crashes', async () => {
    const again = (id: string, how = {}) => call('POST', `/events/${id}/replay`, merchant, undefined, how);
    const [probe = ''] = await failures(merchant, 1);
    const points = await crashPointsOf(host, 'webhooks', () => again(probe));
    for (const point of points) {
      const [[id = ''], how] = [await failures(merchant, 1), { idempotencyKey: randomUUID() }];
      await planCrash(point, 'webhooks');
      expect((await again(id, how)).status, describePoint(point)).toBe(503);
      await expireLease(host);
      expect((await again(id, how)).status, describePoint(point)).toBe(200);
      await drain();
      await verifySent([id], describePoint(point));
    }
  }, 120_000);
});

describe('a webhook endpoint that answers with Retry-After', () => {
  let server: Server;
  let retryAfter: string | undefined;
  let merchant: Merchant;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(503, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    merchant = await aMerchant();
    await configure(merchant, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` });
  });
  afterAll(() => new Promise((resolve) => server?.close(resolve)));

  /** Seconds from the first attempt to the second. */
  async function waitOf(header: string | undefined): Promise<number> {
    retryAfter = header;
    const { id } = await sendTest(merchant);
    await drain();
    const { attempts, next_attempt_at } = await read(merchant, id);
    expect(attempts).toHaveLength(1);
    return (Date.parse(next_attempt_at) - Date.parse(attempts[0].at)) / 1_000;
  }
  const inSeconds = (seconds: number) => new Date(host.clock.now().getTime() + seconds * 1_000).toUTCString();

  it.each<[string, () => string | undefined, least: number, most: number]>([
    ['missing is retried on schedule', () => undefined, 4.5, 7],
    ['in seconds is retried at that time', () => '600', 600, 602],
    ['as a date is retried at that date', () => inSeconds(600), 598, 602],
    ['beyond the maximum delay of the queue is retried at that time', () => '3600', 3_600, 3_602],
    ['of more than a day is retried after a day', () => '999999', 86_400, 86_402],
    ['as a date next year is retried after a day', () => inSeconds(400 * 86_400), 86_400, 86_402],
    ['shorter than the schedule is retried on schedule', () => '1', 4.5, 7],
    ['as a date in the past is retried on schedule', () => inSeconds(-60), 4.5, 7],
    ['that is invalid is retried on schedule', () => 'soon', 4.5, 7],
  ])('%s', async (_, header, least, most) => {
    const wait = await waitOf(header());
    expect(wait).toBeGreaterThanOrEqual(least);
    expect(wait).toBeLessThanOrEqual(most);
  });

  it('receives no attempt before that time', async () => {
    retryAfter = '3600';
    const { id } = await sendTest(merchant);
    await drain();
    await advance('59m');
    expect((await read(merchant, id)).attempts).toHaveLength(1);
    await advance('2m');
    expect((await read(merchant, id)).attempts).toHaveLength(2);
  });
});
