import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  charge,
  page,
  SECRET,
  startProcess,
  startTestbed,
  type Testbed,
} from '#test/contract/stripe-simulator.support.ts';

const INTENTS = '/v1/payment_intents';
const SESSIONS = '/v1/checkout/sessions';

let s: Testbed;
beforeEach(async () => {
  s = await startTestbed();
});
afterEach(() => s.close());

const script = (behaviour: string, more: object = {}) =>
  s.simulators().setScenario({ provider: 'stripe', behaviour, ...more });
const complete = (reference: string) => s.simulators().complete('stripe', reference, 'succeeded');

describe('a scenario', () => {
  it.each([
    ['approve', 'pm_card_chargeDeclined', 200, 'succeeded', 1],
    ['decline:do_not_honor', 'ok', 402, undefined, undefined],
    ['requires_action', 'ok', 200, 'requires_action', undefined],
    ['pending', 'ok', 200, 'processing', undefined],
    ['http_500', 'ok', 500, undefined, undefined],
    ['rate_limited', 'ok', 429, undefined, undefined],
    ['slow:10', 'ok', 200, 'succeeded', 1],
  ])('%s', async (behaviour, payment_method, status, state, count) => {
    script(behaviour);
    const response = await s.post(INTENTS, charge('pay_1', { payment_method }));
    expect([response.status, response.body.status, s.money('pay_1')?.count]).toEqual([status, state, count]);
    expect((await s.post(INTENTS, charge('pay_2'))).body.status).toBe('succeeded');
  });

  it.each([
    ['timeout_after_charge', 1],
    ['timeout_before_charge', undefined],
  ])('%s holds the connection, and the repeat with the same key gets the result', async (behaviour, count) => {
    script(behaviour);
    await expect(s.post(INTENTS, charge('pay_1'), { key: 'k', signal: AbortSignal.timeout(200) })).rejects.toThrow();
    expect([s.money('pay_1')?.count, s.simulators().calls({}).calls[0]?.status]).toEqual([count, 0]);
    const again = await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect([again.body.status, s.money('pay_1')?.count]).toEqual(['succeeded', 1]);
    expect(again.headers.get('idempotent-replayed')).toBe(count === 1 ? 'true' : null);
  });

  it('http_500 is stored for its key, rate_limited is not', async () => {
    script('http_500');
    await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect((await s.post(INTENTS, charge('pay_1'), { key: 'k' })).status).toBe(500);
    script('rate_limited');
    expect((await s.post(INTENTS, charge('pay_2'), { key: 'l' })).headers.get('retry-after')).toBe('2');
    expect((await s.post(INTENTS, charge('pay_2'), { key: 'l' })).status).toBe(200);
    expect([s.money('pay_1'), s.money('pay_2')?.count]).toEqual([undefined, 1]);
  });

  it('garbage charges and responds with garbage, wrong_amount charges one unit more', async () => {
    script('garbage');
    const response = await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect([response.status, response.text, s.money('pay_1')?.count]).toEqual([200, '<html>', 1]);
    expect((await s.post(INTENTS, charge('pay_1'), { key: 'k' })).body.status).toBe('succeeded');
    script('wrong_amount');
    expect((await s.post(INTENTS, charge('pay_2'))).body).toMatchObject({ amount: 2001, amount_received: 2001 });
    expect(s.money('pay_2')?.amount).toBe(2001);
  });

  it('applies to matching calls, as often as it says, oldest first', async () => {
    script('rate_limited', { times: 2, match: { payment_id: 'pay_2' } });
    script('http_500', { match: { operation: 'fetch' } });
    script('decline:lost_card', { match: { customer_id: 'cus_1' } });
    script('pending');
    script('requires_action');
    const first = await s.post(INTENTS, charge('pay_1'));
    expect(first.body.status).toBe('processing');
    expect((await s.get(`${INTENTS}/${first.body.id}`)).status).toBe(500);
    expect([(await s.post(INTENTS, charge('pay_2'))).status, (await s.post(INTENTS, charge('pay_2'))).status]).toEqual([
      429, 429,
    ]);
    expect((await s.post(INTENTS, charge('pay_3', { customer: 'cus_1' }))).status).toBe(402);
    expect((await s.post(INTENTS, charge('pay_2'))).body.status).toBe('requires_action');
    script('pending');
    s.simulators().clearScenarios();
    expect((await s.post(INTENTS, charge('pay_4'))).body.status).toBe('succeeded');
  });

  it('raw sends its response unchanged, and the same key is executed afterwards', async () => {
    script('raw', { raw: { status: 418, headers: { 'X-Shop': 'a', 'Content-Length': '1' }, body: '{"a": 1.0}\n' } });
    const raw = await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect([raw.status, raw.headers.get('x-shop'), raw.text]).toEqual([418, 'a', '{"a": 1.0}\n']);
    expect([raw.headers.get('content-type'), s.money('pay_1')]).toEqual(['application/json', undefined]);
    expect(await s.webhooks()).toEqual([]);
    expect((await s.post(INTENTS, charge('pay_1'), { key: 'k' })).body.status).toBe('succeeded');
    expect(s.money('pay_1')?.count).toBe(1);
  });

  it('raw also answers the repeat of a call that was executed', async () => {
    await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    script('raw', { raw: { status: 503, body: '' } });
    expect((await s.post(INTENTS, charge('pay_1'), { key: 'k' })).status).toBe(503);
    expect([(await s.post(INTENTS, charge('pay_1'), { key: 'k' })).status, s.money('pay_1')?.count]).toEqual([200, 1]);
  });

  it('raw fills in fields of the request, and a number stays one', async () => {
    const body = { id: 'pi_{{request.metadata.payment_id}}', of: '{{request.amount}}', none: '{{request.none}}' };
    script('raw', { raw: { status: 200, body } });
    script('raw', { raw: { status: 200, body: '[{{request.amount}}]' } });
    const [first, second] = [await s.post(INTENTS, charge('pay_1')), await s.post(INTENTS, charge('pay_1'))];
    expect(first.body).toEqual({ id: 'pi_pay_1', of: '2000', none: '{{request.none}}' });
    expect(second.text).toBe('[2000]');
  });

  it('refuse_connection applies once, before the call is sent', async () => {
    script('refuse_connection', { match: { payment_id: 'pay_1' } });
    const refuses = (paymentId: string) => s.simulators().refusesConnection('stripe', 'create', paymentId);
    expect([refuses('pay_2'), refuses('pay_1'), refuses('pay_1')]).toEqual([false, true, false]);
    expect(() => script('explode')).toThrow('Unknown behaviour explode.');
    expect(() => script('approve', { webhook: 'sometimes' })).toThrow('Unknown webhook mode sometimes.');
  });
});

describe('a webhook', () => {
  const CHARGED = ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded'];

  it('is sent with Stripe’s signature', async () => {
    const { body, headers } = await s.post(INTENTS, charge('pay_1'), { key: 'k' });
    const webhooks = await s.webhooks();
    expect(webhooks.map(({ event }) => event.type).sort()).toEqual(CHARGED.toSorted());
    for (const hook of webhooks) expect(s.verify(hook).id).toBe(hook.event.id);
    const succeeded = webhooks.find(({ event }) => event.type === 'payment_intent.succeeded');
    expect(succeeded?.event).toMatchObject({
      api_version: '2026-10-28.endive',
      data: { object: body },
      request: { id: headers.get('request-id'), idempotency_key: 'k' },
    });
    expect(succeeded?.raw).toBe(JSON.stringify(succeeded?.event, null, 2));
    expect(() => s.verify(webhooks[0]!, 'whsec_other')).toThrow();
  });

  it('has a signature for each secret', async () => {
    s.simulators().registerAccount('stripe', { secret_key: 'sk_test_two', webhook_secret: ['whsec_new', 'whsec_old'] });
    await s.post(INTENTS, charge('pay_1'), { secret: 'sk_test_two' });
    const [hook] = await s.webhooks();
    expect([s.verify(hook!, 'whsec_new').id, s.verify(hook!, 'whsec_old').id]).toEqual([
      hook!.event.id,
      hook!.event.id,
    ]);
  });

  it('is not sent for an unregistered account', async () => {
    await s.post(INTENTS, charge('pay_1'), { secret: 'sk_test_unknown' });
    expect(await s.webhooks()).toEqual([]);
  });

  it('is retried until the receiver accepts it', async () => {
    s.endpoint.statuses.push(500, 500, 500, 302);
    await s.post(INTENTS, charge('pay_1'));
    await s.webhooks();
    await expect.poll(() => s.endpoint.webhooks.length, { timeout: 5_000 }).toBe(7);
    expect(new Set(s.endpoint.webhooks.map(({ event }) => event.id)).size).toBe(3);
  });

  it('is not sent in mode none', async () => {
    script('approve', { webhook: 'none' });
    await s.post(INTENTS, charge('pay_1'));
    expect(await s.webhooks()).toEqual([]);
  });

  it('arrives before the response in mode early', async () => {
    script('approve', { webhook: 'early' });
    s.endpoint.slow(100);
    await s.post(INTENTS, charge('pay_1'));
    expect(s.endpoint.types().sort()).toEqual(CHARGED.toSorted());
  });

  it('is sent twice in mode duplicate', async () => {
    script('approve', { webhook: 'duplicate' });
    await s.post(INTENTS, charge('pay_1'));
    const ids = (await s.webhooks()).map(({ event }) => event.id);
    expect([ids.length, new Set(ids).size]).toEqual([6, 3]);
  });

  it('is sent after the given real time in mode late', async () => {
    script('approve', { webhook: 'late:300' });
    await s.post(INTENTS, charge('pay_1'));
    expect(await s.webhooks()).toEqual([]);
    await expect.poll(() => s.endpoint.webhooks.length).toBe(3);
  });

  it('is sent in reverse order in mode reordered', async () => {
    script('approve', { webhook: 'reordered' });
    s.endpoint.slow(50);
    await s.post(INTENTS, charge('pay_1'));
    const webhooks = await s.webhooks();
    expect(webhooks.map(({ event }) => event.type)).toEqual(CHARGED.toReversed());
    expect(webhooks[1]!.at).toBeGreaterThanOrEqual(webhooks[0]!.respondedAt);
  });

  it('uses the mode of the hosted page’s scenario', async () => {
    script('approve', { webhook: 'none' });
    await s.post(SESSIONS, page('pay_1'));
    complete('pay_1');
    expect([await s.webhooks(), s.money('pay_1')?.count]).toEqual([[], 1]);
  });
});

describe('the database file', () => {
  let database: string;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'simulators-'));
    database = join(folder, `${randomUUID()}.db`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('keeps objects, keys, calls, accounts and unsent webhooks over a restart', async () => {
    await using kept = await startTestbed({ database });
    kept.simulators().setScenario({ provider: 'stripe', behaviour: 'requires_action', webhook: 'late:60000' });
    const first = await kept.post(INTENTS, charge('pay_1'), { key: 'k' });
    await kept.restart();
    expect((await kept.webhooks()).map(({ event }) => event.type).sort()).toEqual([
      'payment_intent.created',
      'payment_intent.requires_action',
    ]);
    kept.verify(kept.endpoint.webhooks[0]!);
    const again = await kept.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([first.body.id, 'true']);
    expect(kept.simulators().complete('stripe', first.body.id, 'succeeded')).toBe(true);
    expect([kept.money('pay_1')?.count, kept.simulators().calls({}).calls.length]).toEqual([1, 2]);
    expect(new URL(again.body.next_action.redirect_to_url.url).origin).toBe(kept.simulators().base);
  });

  it('contains no plain secret', async () => {
    await using kept = await startTestbed({ database });
    await kept.post(INTENTS, charge('pay_1'));
    const stored = readFileSync(database, 'latin1') + readFileSync(`${database}-wal`, 'latin1');
    expect([stored.includes('pay_1'), stored.includes('sk_test_shop'), stored.includes(SECRET)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('keeps all responses that were sent before the process was killed', async () => {
    const child = await startProcess(database);
    const first = await child.post(INTENTS, charge('pay_1'), { key: 'k' });
    await child.kill();
    await using kept = await startTestbed({ database });
    const again = await kept.post(INTENTS, charge('pay_1'), { key: 'k' });
    expect([again.body, again.headers.get('idempotent-replayed'), kept.money('pay_1')?.count]).toEqual([
      first.body,
      'true',
      1,
    ]);
  });
});
