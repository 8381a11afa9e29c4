import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { randomText, sha256Hex } from '#shared/kernel/ids.ts';
import { keys } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import {
  type ApiResponse,
  anOrganization,
  aPaymentBody,
  type CallOptions,
  callsOf,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { signIn } from '#test/support/people.ts';

let host: TestHost;
let table: TablePort;
let org: TestOrganization;
/** The clock is stopped at the start of a minute that no other test uses; a test can move it from there. */
let minute: Date;

beforeAll(async () => {
  const wrapTable = (bare: TablePort): TablePort => {
    table = bare;
    return bare;
  };
  host = await startHost({ rateLimits: true, wrapTable });
});
afterAll(() => host?.close());
beforeEach(async () => {
  org = await anOrganization(host);
  minute = new Date(Math.ceil(host.clock.now().getTime() / MINUTE + 1) * MINUTE);
  await host.clock.stand(minute);
});

const at = (seconds: number) => host.clock.stand(plus(minute, seconds * SECOND));
const times = <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act));

/** The number of responses of each status. */
function statuses(answers: readonly ApiResponse[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const intent = (how: CallOptions = {}) =>
  host.call('POST', '/v1/payments/intents', aPaymentBody(), { key: org.key, ...how });
const payment = (how: CallOptions = {}) => host.call('POST', '/v1/payments', aPaymentBody(), { key: org.key, ...how });
const read = (how: CallOptions = {}) => host.call('GET', '/v1/payments?limit=1', undefined, { key: org.key, ...how });
const write = (how: CallOptions = {}) => host.call('DELETE', '/v1/api-keys/none', undefined, { key: org.key, ...how });
const stranger = (how: CallOptions = {}) =>
  host.call('GET', '/v1/payments', undefined, { key: `pfk_test_${'0'.repeat(26)}${'x'.repeat(32)}`, ...how });

const shown = ({ headers }: ApiResponse) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
const endOf = (seconds: number) => plus(minute, seconds * SECOND).getTime() / SECOND;

function refusedFor(answer: ApiResponse, seconds: number): void {
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, String(seconds)]);
  expect(answer.body).toEqual({
    error: 'rate_limited',
    code: 'rate_limited',
    message: expect.stringMatching(/^Too many requests.*\.$/),
    retry_after: seconds,
    doc_url: expect.any(String),
  });
}

describe('every response', () => {
  const everything = 'x'.repeat(300 * 1024);
  it.each<readonly [string, number, () => Promise<ApiResponse>]>([
    ['a list', 200, () => read()],
    ['a payment', 201, () => intent()],
    ['an invalid request', 400, () => host.call('POST', '/v1/payments', {}, { key: org.key })],
    [
      'a missing header',
      400,
      () => host.call('GET', '/v1/payments', undefined, { key: null, headers: { 'x-service-key': org.key } }),
    ],
    ['a request without a key', 401, () => read({ key: null })],
    ['a request with a wrong key', 401, () => stranger()],
    ['another organization', 403, () => read({ headers: { 'x-org-id': host.info.org_id } })],
    ['an unknown resource', 404, () => write()],
    ['an unknown path', 404, () => host.call('GET', '/v2', undefined, { key: org.key })],
    ['a body too large', 413, () => host.call('POST', '/v1/payments', everything, { key: org.key })],
    ['a callback', 404, () => host.call('POST', '/webhooks/acme', {}, { key: null })],
    ['a page', 404, () => host.call('GET', '/pay/return/none', undefined, { key: null })],
  ])('has the rate-limit headers: %s', async (_, status, send) => {
    const answer = await send();
    const [limit, remaining, reset] = shown(answer);
    expect([
      answer.status,
      [100, 200, 500].includes(limit!),
      remaining! < limit! || [404, 413].includes(status),
    ]).toEqual([status, true, true]);
    expect([endOf(10), endOf(60)]).toContain(reset);
  });

  it('has the window that is closest to its limit', async () => {
    expect(shown(await intent())).toEqual([100, 99, endOf(60)]);
    expect(shown(await read())).toEqual([200, 198, endOf(10)]);
    await at(10);
    await times(5, read);
    expect(shown(await read())).toEqual([200, 194, endOf(20)]);
    await at(20);
    expect(shown(await read())).toEqual([500, 492, endOf(60)]);
  });
});

describe('a key', () => {
  it('creates exactly 100 payments a minute, also when more requests are concurrent', async () => {
    await at(20);
    const answers = (await Promise.all([times(70, intent), times(70, payment)])).flat();
    expect(statuses(answers)).toEqual({ 201: 100, 429: 40 });
    for (const answer of answers.filter(({ status }) => status === 429)) refusedFor(answer, 40);
    const left = answers.filter(({ status }) => status === 201).map((answer) => shown(answer)[1]);
    expect(left.toSorted((a, b) => a! - b!)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect((await read({})).status).toBe(200);
    expect((await host.call('GET', '/v1/payments?limit=200', undefined, { key: org.key })).body.payments).toHaveLength(
      100,
    );
  });

  it('makes 100 other writes a minute in addition', async () => {
    expect(statuses(await times(101, write))).toEqual({ 404: 100, 429: 1 });
    expect((await intent()).status).toBe(201);
    refusedFor(await write(), 60);
  });

  it('reads 500 times a minute', async () => {
    for (const [seconds, count] of [
      [0, 200],
      [10, 200],
      [20, 100],
    ] as const) {
      await at(seconds);
      expect(statuses(await times(count, read))).toEqual({ 200: count });
    }
    refusedFor(await read(), 40);
    expect((await intent()).status).toBe(201);
  });

  it('makes 200 requests of any kind in ten seconds', async () => {
    await at(30);
    const answers = (await Promise.all([times(90, read), times(60, write), times(50, intent)])).flat();
    expect(statuses(answers)).toEqual({ 200: 90, 404: 60, 201: 50 });
    await at(33);
    for (const send of [read, write, intent]) refusedFor(await send(), 7);
    await at(40);
    for (const send of [read, write, intent]) expect((await send()).status).not.toBe(429);
  });

  it('is not counted for requests over the limit', async () => {
    await times(160, intent);
    expect(statuses(await times(100, read))).toEqual({ 200: 100 });
    refusedFor(await read(), 10);
  });

  it('is counted for invalid requests and for replays', async () => {
    const how = { idempotencyKey: randomUUID() };
    await intent(how);
    expect((await intent(how)).headers.get('idempotency-replayed')).toBe('true');
    await host.call('POST', '/v1/payments', {}, { key: org.key });
    await intent({ headers: { 'x-org-id': host.info.org_id } });
    expect(shown(await intent())[1]).toBe(95);
  });

  it('starts a new window with the minute of the clock, not a minute after the first request', async () => {
    await at(59);
    await times(100, intent);
    const how = { idempotencyKey: randomUUID() };
    await host.clock.stand(plus(minute, MINUTE - 1));
    refusedFor(await intent(how), 1);
    await at(60);
    const answer = await intent(how);
    expect([answer.status, shown(answer)]).toEqual([201, [100, 99, endOf(120)]]);
  });

  it('is counted separately from other keys', async () => {
    const other = (
      await host.call(
        'POST',
        '/v1/api-keys',
        { name: 'Other', scopes: ['payments:read', 'payments:write'] },
        { key: org.key },
      )
    ).body.key;
    const third = (await anOrganization(host)).key;
    await times(101, intent);
    expect((await intent()).status).toBe(429);
    for (const key of [other, third]) expect(shown(await intent({ key }))).toEqual([100, 99, endOf(60)]);
  });

  it('is counted together as X-Service-Key and as Bearer', async () => {
    const asService = { key: null, headers: { 'x-service-key': org.key, 'x-org-id': org.org_id } };
    await Promise.all([times(50, () => intent(asService)), times(50, intent)]);
    for (const how of [asService, {}]) refusedFor(await intent(how), 60);
  });
});

describe('an IP address without a valid key', () => {
  it('gets 401 until its window is full, then 429', async () => {
    const answers = await times(200, stranger);
    expect(statuses(answers)).toEqual({ 401: 200 });
    refusedFor(await stranger(), 10);
    refusedFor(await read({ key: null }), 10);
    refusedFor(await read({ key: `pfk_live_${'0'.repeat(26)}${'x'.repeat(32)}` }), 10);
    await at(10);
    expect((await stranger()).status).toBe(401);
  });

  it('can try 500 keys a minute, at any endpoint', async () => {
    const guess = (how: CallOptions) => intent({ key: null, ...how });
    for (const [seconds, count] of [
      [0, 200],
      [10, 200],
      [20, 100],
    ] as const) {
      await at(seconds);
      expect(statuses(await times(count, () => guess({})))).toEqual({ 401: count });
    }
    await at(30);
    refusedFor(await stranger(), 30);
  });

  it('is not counted as another address because of its headers', async () => {
    await times(200, stranger);
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' };
    expect((await stranger({ headers })).status).toBe(429);
  });

  it('does not limit the valid keys that are used from there', async () => {
    await times(201, stranger);
    expect((await read()).status).toBe(200);
  });

  it('is counted for hosted pages', async () => {
    for (let again = 0; again < 2; again += 1) await host.call('GET', '/pay/return/none', undefined, { key: null });
    await host.call('GET', '/pay/plink_none', undefined, { key: null });
    expect(shown(await host.call('POST', '/webhooks/acme', {}, { key: null }))).toEqual([200, 197, endOf(10)]);
  });

  it('has a window that is shown without being counted where no key is required', async () => {
    await times(7, stranger);
    const uncounted = [
      () => host.call('POST', '/v1/payments', 'x'.repeat(300 * 1024), { key: org.key }),
      () => host.call('POST', '/webhooks/acme', {}, { key: null }),
      async () => {
        const { status, headers } = await fetch(`${host.info.function_url}/webhooks/stripe`, {
          method: 'POST',
          body: '{}',
        });
        return { status, headers, body: undefined, text: '' };
      },
    ];
    for (const send of uncounted)
      for (let again = 0; again < 2; again += 1) expect(shown(await send())).toEqual([200, 193, endOf(10)]);
  });

  it('asks no store for its window at an address that no endpoint has, and is shown an unused one', async () => {
    await times(7, stranger);
    const calls = await callsOf(host, async () => {
      const { headers } = await host.call('GET', '/v2', undefined, { key: null });
      expect(headers.get('x-ratelimit-remaining')).toBe(headers.get('x-ratelimit-limit'));
    });
    expect(calls.filter(({ group }) => group === '$default')).toEqual([]);
  });

  it('can still send callbacks when its window is full', async () => {
    await times(201, stranger);
    const answer = await host.call('POST', '/webhooks/acme', {}, { key: null });
    expect([answer.status, shown(answer)]).toEqual([404, [200, 0, endOf(10)]]);
  });
});

describe('a session cookie', () => {
  const cookie = (text: string) => ({ key: null, headers: { cookie: `service_session=${text}` } });
  const session = (text: string) => host.call('GET', '/v1/auth/session', undefined, cookie(text));
  const madeUp = () => session(randomText(43));
  const lookUps = async (act: () => Promise<unknown>): Promise<number> => {
    let count = 0;
    const stop = host.onCall(({ point, group }) => {
      if (point === 'table' && group === 'auth') count += 1;
    });
    await act();
    stop();
    return count;
  };
  const signedIn = async () => (await signIn(host, 'cookies@example.com')).cookie.split('=')[1] ?? '';
  /** As an earlier release has made it: without a tag. */
  const earlier = async (): Promise<string> => {
    const [made, text] = [await signedIn(), randomText(43)];
    const item = await table.get(keys.session(sha256Hex(made)), { consistent: true });
    await table.put({ ...item, ...keys.session(sha256Hex(text)) });
    return text;
  };

  it('that is made up costs no look-up once ten others from there were wrong', async () => {
    expect(statuses(await times(10, madeUp))).toEqual({ 401: 10 });
    expect(await lookUps(async () => refusedFor(await madeUp(), 60))).toBe(0);
    expect(await lookUps(async () => expect(statuses(await times(50, madeUp))).toEqual({ 429: 50 }))).toBe(0);
    expect((await read()).status).toBe(200);
    await at(60);
    expect((await madeUp()).status).toBe(401);
  });

  it('of ours works while strangers from there make some up', async () => {
    const own = await signedIn();
    await times(20, madeUp);
    expect((await session(own)).status).toBe(200);
  });

  it('of an earlier release works, except while strangers from there make some up', async () => {
    const old = await earlier();
    expect(statuses(await times(20, () => session(old)))).toEqual({ 200: 20 });
    await times(20, madeUp);
    refusedFor(await session(old), 60);
    await at(60);
    expect((await session(old)).status).toBe(200);
  });
});

describe('with the limits lifted', () => {
  let free: TestHost;
  beforeAll(async () => {
    free = await startHost({ rateLimits: false });
    await free.clock.stand(minute);
  });
  afterAll(() => free?.close());

  it('no request is rejected, and every request is counted and has the headers', async () => {
    const answers = await times(120, () => free.call('POST', '/v1/payments/intents', aPaymentBody()));
    expect(statuses(answers)).toEqual({ 201: 120 });
    const left = answers.map((answer) => shown(answer)[1]!);
    expect([Math.max(...left), left.filter((n) => n === 0).length]).toEqual([99, 21]);
  });

  it('a wrong key is still rejected', async () => {
    expect(statuses(await times(210, () => free.call('GET', '/v1/payments', undefined, { key: 'wrong' })))).toEqual({
      401: 210,
    });
  });
});
