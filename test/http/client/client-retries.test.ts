import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PayforkError } from '#client/typescript/src/errors.ts';
import { Payfork } from '#client/typescript/src/payfork.ts';
import { startProxy, type TestProxy } from '#test/http/client/proxy.support.ts';
import { aPaymentBody, startHost, type TestHost } from '#test/support/host.ts';
import { arrange } from '#test/support/payment-steps.ts';

/** At once, as `Retry-After: 0` allows: no test waits longer than it must. */
const BUSY = { status: 503, headers: { 'retry-after': '0' }, body: '{"message":"Service Unavailable"}' } as const;

let host: TestHost;
let proxy: TestProxy;
let client: Payfork;
beforeAll(async () => {
  host = await startHost();
  proxy = await startProxy(host.info.api);
  client = new Payfork({ baseUrl: proxy.url, key: host.info.keys.service });
});
afterAll(async () => {
  await proxy.close();
  await host.close();
});

let before = 0;
beforeEach(() => {
  before = proxy.seen.length;
});
const sent = () => proxy.seen.slice(before);
const lines = () => sent().map(({ line }) => line);
const keys = () => new Set(sent().map(({ headers }) => headers['idempotency-key']));

const paymentsOf = async (customer: string) =>
  (await host.call('GET', `/v1/payments?customer_id=${customer}`)).body.payments.length;

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );

describe('a change', () => {
  it('whose response is lost is sent again with its key, and happens once', async () => {
    proxy.next('lose');
    const payment = await client.payments.create(aPaymentBody('ok', { customer_id: 'lost-response' }));
    expect(payment.status).toBe('succeeded');
    expect([sent().length, keys().size, await paymentsOf('lost-response')]).toEqual([2, 1, 1]);
  });

  it.each([401, 429])('whose response is lost is not told as refused when its repeat gets a %i', async (status) => {
    const refused = { status, headers: { 'retry-after': '61' }, body: '{"code":"refused","message":"Not now."}' };
    const customer_id = `lost-and-refused-${status}`;
    const idempotencyKey = `key-${status}`;
    proxy.next('lose', refused);
    const error = await failureOf(client.payments.create(aPaymentBody('ok', { customer_id }), { idempotencyKey }));
    expect(error).toMatchObject({ status: 0, code: 'connection_failed', idempotencyKey });
    await client.payments.create(aPaymentBody('ok', { customer_id }), { idempotencyKey });
    expect([sent().length, keys().size, await paymentsOf(customer_id)]).toEqual([3, 1, 1]);
  });

  it('whose response is lost is not told as one that went elsewhere when its repeat is redirected', async () => {
    const customer_id = 'lost-and-redirected';
    proxy.next('lose', { status: 307, headers: { location: 'https://elsewhere.example/' } });
    const error = await failureOf(client.payments.create(aPaymentBody('ok', { customer_id })));
    expect(error).toMatchObject({ status: 0, code: 'connection_failed' });
    expect([sent().length, keys().size, await paymentsOf(customer_id)]).toEqual([2, 1, 1]);
  });

  it('that has no response in time is sent again with its key', async () => {
    proxy.next('hang');
    await client.payments.create(aPaymentBody('ok', { customer_id: 'no-response' }), { timeoutMs: 2_000 });
    expect([sent().length, keys().size, await paymentsOf('no-response')]).toEqual([2, 1, 1]);
  });

  it.each([408, 429, 500, 502, 503])('is sent again after a %i, as soon as Retry-After allows', async (status) => {
    proxy.next({ ...BUSY, status }, { ...BUSY, status });
    await client.webhooks.sendTestEvent().catch(() => undefined);
    expect([sent().length, keys().size]).toEqual([3, 1]);
  });

  it('is sent three times at most, and says then why it failed and with which key', async () => {
    proxy.next(BUSY, BUSY, BUSY);
    const error = await failureOf(client.payments.create(aPaymentBody(), { idempotencyKey: 'order-8' }));
    expect(error).toMatchObject({ status: 503, code: 'unreadable_response', idempotencyKey: 'order-8' });
    expect(lines()).toEqual(Array(3).fill('POST /v1/payments'));
  });

  it('is sent as often as the caller says', async () => {
    proxy.next(BUSY);
    await failureOf(client.payments.create(aPaymentBody(), { maxRetries: 0 }));
    expect(sent().length).toBe(1);
  });

  it('is not sent again where the API asks for a longer wait than a minute', async () => {
    proxy.next({ ...BUSY, headers: { 'retry-after': '61' } });
    expect(await failureOf(client.payments.create(aPaymentBody()))).toMatchObject({ status: 503, retryAfter: 61 });
    expect(sent().length).toBe(1);
  });

  it('waits for its own first try, which is still running', async () => {
    const body = '{"error":"conflict","code":"idempotency_in_progress","message":"Still running."}';
    proxy.next({ ...BUSY, status: 409, body });
    expect((await client.payments.create(aPaymentBody())).status).toBe('succeeded');
    expect([sent().length, keys().size]).toEqual([2, 1]);
  });

  it('is not sent again where its outcome is unknown, although the response has a Retry-After', async () => {
    await arrange(host, 'garbage', { webhook: 'none' });
    const payment = await client.payments.create(aPaymentBody());
    expect(payment.status).toBe('processing');
    before = proxy.seen.length;
    const error = await failureOf(client.payments.cancel(payment.id));
    expect(error).toMatchObject({ status: 409, code: 'outcome_unknown', retryAfter: expect.any(Number) });
    expect(sent().length).toBe(1);
  });

  it.each([
    ['is not sent again where the API says that it would not help', 'false', 503, 1],
    ['is sent again where the API says that it may help', 'true', 422, 2],
  ])('%s', async (_, said, status, times) => {
    const headers = { 'retry-after': '0', 'x-should-retry': said };
    proxy.next({ status, headers, body: '{"code":"a_new_code","message":"Not now."}' });
    await failureOf(client.payments.create(aPaymentBody()));
    expect([sent().length, keys().size]).toEqual([times, 1]);
  });

  it('ends within the time that its caller has for all tries together', async () => {
    proxy.next('hang', 'hang', 'hang');
    const begun = performance.now();
    const limits = { timeoutMs: 200, totalTimeoutMs: 900, maxRetries: 9 };
    const error = await failureOf(client.payments.create(aPaymentBody(), limits));
    expect(error).toMatchObject({ status: 0, code: 'timed_out', idempotencyKey: expect.any(String) });
    // The pause after the third try would be a second at least: the error does not wait for it.
    expect(sent().length).toBeLessThanOrEqual(3);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it('waits for no Retry-After that is longer than the time that its caller has', async () => {
    proxy.next({ ...BUSY, headers: { 'retry-after': '30' } });
    const error = await failureOf(client.payments.create(aPaymentBody(), { totalTimeoutMs: 20_000 }));
    expect(error).toMatchObject({ status: 503, retryAfter: 30 });
    expect(sent().length).toBe(1);
  });

  it('is not sent again where its endpoint ignores keys', async () => {
    proxy.next(BUSY);
    expect(await failureOf(client.auth.sendMagicLink({ email: 'once@example.com' }))).toMatchObject({ status: 503 });
    expect([sent().length, sent()[0]?.headers['idempotency-key']]).toEqual([1, undefined]);
  });

  it('is not sent again after an error that a repeat would not change', async () => {
    await failureOf(client.payments.get('pay_unknown'));
    await failureOf(client.payments.create({ amount: 0, currency: 'EUR' }));
    expect(sent().length).toBe(2);
  });
});

describe('a read', () => {
  it('is sent again when the connection is lost', async () => {
    proxy.next('lose');
    expect((await client.payments.list({ limit: 1 })).items.length).toBe(1);
    expect(sent().length).toBe(2);
  });

  it('that uses up a link is sent once', async () => {
    proxy.next(BUSY);
    await failureOf(client.auth.verifyMagicLink({ token: 'used' }));
    expect(lines()).toEqual(['GET /v1/auth/verify?token=used']);
  });

  it('ends as soon as the caller gives up, also while it waits to be sent again', async () => {
    const given = new AbortController();
    proxy.next({ ...BUSY, headers: { 'retry-after': '30' } });
    const reading = failureOf(client.payments.get('pay_1', {}, { signal: given.signal }));
    await expect.poll(() => sent().length).toBe(1);
    given.abort(new Error('the page was left'));
    expect(await reading).toMatchObject({ message: 'the page was left' });
    proxy.next('hang');
    const later = new AbortController();
    const late = failureOf(client.payments.get('pay_1', {}, { signal: later.signal }));
    await expect.poll(() => sent().length).toBe(2);
    later.abort(new DOMException('It took too long.', 'TimeoutError'));
    expect(await late).toMatchObject({ name: 'TimeoutError' });
  });

  it('may have no limit of time, or one between two milliseconds', async () => {
    for (const limits of [{ timeoutMs: Infinity, totalTimeoutMs: Infinity }, { timeoutMs: 9_999.5 }])
      expect((await client.payments.list({ limit: 1 }, limits)).items.length).toBe(1);
  });

  it('says that it had no response, and which request it was, without its query', async () => {
    const nobody = new Payfork({ baseUrl: 'http://127.0.0.1:9', key: 'pfk_1', maxRetries: 0 });
    const lost = await failureOf(Promise.resolve(nobody.payments.list({ customer_id: 'somebody' })));
    expect(lost).toBeInstanceOf(PayforkError);
    expect(lost).toMatchObject({
      status: 0,
      code: 'connection_failed',
      message: expect.stringMatching(/^GET \/v1\/payments could/),
    });
    proxy.next('hang');
    const late = failureOf(client.payments.get('pay_1', {}, { timeoutMs: 20, maxRetries: 0 }));
    expect(await late).toMatchObject({ status: 0, code: 'timed_out' });
  });
});

describe('every request', () => {
  it('says which client sends it, and on which Node.js', async () => {
    await client.payments.list({ limit: 1 });
    const { version } = JSON.parse(readFileSync('client/typescript/package.json', 'utf8'));
    expect(sent()[0]?.headers['user-agent']).toBe(`payfork-typescript/${version} node/${process.versions.node}`);
  });
});

describe('a list whose Link is lost on the way', () => {
  it('goes on by the cursor in its reply', async () => {
    const body = JSON.stringify({ payments: [], pagination: { next_cursor: 'a&b' } });
    proxy.next({ status: 200, body });
    const page = await client.payments.list({ limit: 2, status: 'failed' });
    expect([page.hasMore, page.nextCursor]).toEqual([true, 'a&b']);
    await failureOf(page.next());
    expect(lines()[1]).toBe('GET /v1/payments?limit=2&status=failed&cursor=a%26b');
  });
});

describe('a response that the API did not write', () => {
  it('is no success, even with the status of one', async () => {
    proxy.next({ status: 200, body: '<html>Welcome to the hotel</html>' });
    expect(await failureOf(client.payments.get('pay_1'))).toMatchObject({ status: 200, code: 'unreadable_response' });
  });

  it('sends the key to no other address', async () => {
    const stranger = await startProxy(host.info.api);
    const location = `${stranger.url}/v1/payments/pay_1`;
    proxy.next({ status: 307, headers: { location } });
    const error = await failureOf(client.payments.get('pay_1'));
    expect(error).toMatchObject({ code: 'unreadable_response', message: expect.stringContaining('baseUrl') });
    expect(lines()).toEqual(['GET /v1/payments/pay_1']);
    expect(stranger.seen).toEqual([]);
    await stranger.close();
  });

  it('leads a list to no other address', async () => {
    const link = '<https://elsewhere.example/v1/secrets?cursor=abc&limit=1>; rel="next"';
    proxy.next({ status: 200, headers: { link }, body: '{"payments":[],"pagination":{}}' });
    const page = await client.payments.list();
    await failureOf(page.next());
    expect(lines()).toEqual(['GET /v1/payments', 'GET /v1/payments?cursor=abc&limit=1']);
  });
});
