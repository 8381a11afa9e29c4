import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  arrange,
  aShop,
  create,
  drain,
  faultsIn,
  keyWith,
  pay,
  type Shop,
} from '#test/support/payment-steps.ts';

let host: TestHost;
let shop: Shop;
beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { conn_a: {}, conn_b: { routing_hints: { fallback_only: true } } });
  const how = { key: shop.key };
  const paid = await pay(host, 'ok', {}, how);
  await act(host, paid.id, 'refund', { amount: 1_000 }, how);
  const refunded = await pay(host, 'ok', { currency: 'USD', amount: 700 }, how);
  await act(host, refunded.id, 'refund', {}, how);
  await pay(host, 'decline_insufficient_funds', {}, how);
  await anIntent(host, 'ok', {}, how);
  await drain(host);
});
afterAll(() => host.close());

const stats = (query = '', key = shop.key) => host.call('GET', `/v1/payments/stats${query}`, undefined, { key });
const connection = async (id: string): Promise<Body> =>
  (await host.call('GET', `/v1/connections/${id}`, undefined, { key: shop.key })).body;
const today = () => host.clock.now().toISOString().slice(0, 10);

describe('GET /v1/payments/stats', () => {
  it('counts the payments by status, and their money by currency', async () => {
    const { status, body } = await stats();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      to: today(),
      total: 4,
      by_status: { created: 1, processing: 0, requires_action: 0, succeeded: 1, failed: 1, canceled: 0, refunded: 1 },
      success_rate: 0.6667,
      by_currency: [
        { currency: 'EUR', total: 3, volume: 5_000, refunded_amount: 1_000 },
        { currency: 'USD', total: 1, volume: 700, refunded_amount: 700, success_rate: 1 },
      ],
      by_day: [{ day: today(), total: 4 }],
    });
    expect(body.by_provider.find(({ provider }: Body) => provider === 'stripe')).toMatchObject({
      by_status: { succeeded: 1, failed: 1, refunded: 1 },
    });
  });

  it('filters by days, currency and connection', async () => {
    expect((await stats('?currency=usd')).body).toMatchObject({ total: 1, by_status: { refunded: 1 } });
    expect((await stats('?connection_id=conn_a')).body).toMatchObject({
      by_status: { succeeded: 1, failed: 1, refunded: 1 },
    });
    expect((await stats('?connection_id=conn_b')).body).toMatchObject({ total: 0, success_rate: null, by_day: [] });
    expect((await stats(`?from=${today()}&to=${today()}T23:00:00Z`)).body).toMatchObject({
      from: today(),
      to: today(),
      total: 4,
    });
    expect((await stats('?from=2020-01-01&to=2020-01-31')).body.total).toBe(0);
  });

  it('reports all invalid fields at once', async () => {
    const bad = await stats('?from=soon&currency=XXY&limit=1');
    expect([bad.status, faultsIn(bad).sort()]).toEqual([400, ['query.currency', 'query.from', 'query.limit']]);
  });

  it.each([
    ['an invalid day', 'from=soon', 'query.from'],
    ['a day that does not exist', 'from=2026-02-30', 'query.from'],
    ['two days in one parameter', 'from=2026-01-01&from=2026-01-02', 'query.from'],
    ['an empty day', 'to=', 'query.to'],
    ['a day of the year 10000', 'to=9999-12-31T23:59:59-23:00', 'query.to'],
    ['days from the last to the first', 'from=2026-02-01&to=2026-01-31', 'query.from'],
    ['a day in the future', 'from=2999-01-01', 'query.from'],
    ['367 days', 'from=2025-01-01&to=2026-01-02', 'query.from'],
    ['367 days because of a time zone', 'from=2025-01-02T00:30:00%2B01:00&to=2026-01-02', 'query.from'],
    ['all days until today', 'from=0000-01-01', 'query.from'],
    ['an invalid currency', 'currency=euro', 'query.currency'],
    ['an invalid connection', 'connection_id=', 'query.connection_id'],
  ])('answers 400 for %s', async (_, query, path) => {
    const answer = await stats(`?${query}`);
    expect([answer.status, answer.body.code, faultsIn(answer)]).toEqual([400, 'invalid_request', [path]]);
    for (const { message } of answer.body.details.fields) expect(message).toMatch(/^(Must|Is|Has) .*\.$/);
  });

  it.each([
    ['366 days', 'from=2025-01-01&to=2026-01-01', ['2025-01-01', '2026-01-01']],
    ['30 days up to a day', 'to=2026-03-01', ['2026-01-31', '2026-03-01']],
    ['one day', 'from=2026-03-01&to=2026-03-01', ['2026-03-01', '2026-03-01']],
    [
      'a time, for its day in UTC',
      'from=2026-03-01T23:30:00-02:00&to=2026-03-03T00:00:00Z',
      ['2026-03-02', '2026-03-03'],
    ],
    ['1970 as the earliest day', 'from=0000-01-01&to=1969-07-20', ['1970-01-01', '1970-01-01']],
  ])('accepts %s', async (_, query, span) => {
    const { status, body } = await stats(`?${query}`);
    expect([status, [body.from, body.to], body.total, body.by_day]).toEqual([200, span, 0, []]);
  });

  it('covers one organization, and needs payments:read', async () => {
    expect((await stats('', host.info.keys.service)).body.total).toBe(0);
    const limited = await stats('', await keyWith(host, ['connections:read'], { key: shop.key }));
    expect([limited.status, limited.body.message]).toEqual([403, expect.stringContaining('payments:read')]);
  });
});

describe('the calls of a connection', () => {
  it('are counted in the connection and in the list, with a decline as a success', async () => {
    const one = await connection('conn_a');
    expect(one).toMatchObject({
      total_calls: 3,
      successful_calls: 3,
      failed_calls: 0,
      health_score: 100,
      health_status: 'healthy',
      last_failure_at: null,
    });
    expect([one.total_latency_ms >= 0, one.last_success_at]).toEqual([true, expect.stringMatching(/Z$/)]);
    const { connections } = (await host.call('GET', '/v1/connections', undefined, { key: shop.key })).body;
    expect(
      connections.map(({ id, total_calls, health_status }: Body) => [id, total_calls, health_status]).sort(),
    ).toEqual([
      ['conn_a', 3, 'healthy'],
      ['conn_b', 0, 'unknown'],
    ]);
  });

  it('make it down when the provider is not reached, and unknown again when they are old', async () => {
    await advance(host, '30m');
    await arrange(host, 'refuse_connection', { times: 24 });
    for (let n = 0; n < 10; n += 1)
      await create(
        host,
        { amount: 100, currency: 'EUR', payment_method: { type: 'card', token: 'ok' } },
        { key: shop.key },
      );
    await drain(host);
    expect(await connection('conn_a')).toMatchObject({
      total_calls: 13,
      failed_calls: 10,
      health_score: 0,
      health_status: 'down',
      last_failure_at: expect.any(String),
    });
    await advance(host, '1h');
    expect(await connection('conn_a')).toMatchObject({ total_calls: 13, health_score: null, health_status: 'unknown' });
  });
});
