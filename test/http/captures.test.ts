import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Body, type CallOptions, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  anIntent,
  arrange,
  aShop,
  drain,
  eventTypesOf,
  moneyOf,
  operationsOf,
  pay,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS });
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(() => host.close());

const authorize = (more: Body = {}, how: CallOptions = {}): Promise<Body> =>
  pay(host, 'ok', { capture: 'manual', ...more }, how);
const atCaptures = (behaviour: string, times = 1) =>
  arrange(host, behaviour, { times, match: { operation: 'capture' }, webhook: 'none' });
const capturesAt = async (id: string): Promise<number> =>
  (await operationsOf(host, id)).filter((operation) => operation === 'capture').length;

/** The amounts of the service's record and of the provider's books. */
async function bothBooks(id: string): Promise<readonly [ours: Body, theirs: Body]> {
  await drain(host);
  const { status, captured_amount, amount_refunded, captures } = await read(host, id);
  const { amount, refunded } = await moneyOf(host, id);
  const taken = captures.filter((each: Body) => each.status === 'succeeded');
  return [
    { status, captured_amount, amount_refunded, sum: taken.reduce((sum: number, each: Body) => sum + each.amount, 0) },
    { amount, refunded },
  ];
}

describe('a payment with manual capture', () => {
  it('is authorized first, and succeeds with its capture', async () => {
    const authorized = await authorize();
    expect(authorized).toMatchObject({
      status: 'authorized',
      capture: 'manual',
      authorized_amount: 5_000,
      captured_amount: 0,
      released_amount: 0,
      captures: [],
      attempts: [{ status: 'authorized' }],
    });
    expect(Date.parse(authorized.capturable_until)).toBeGreaterThan(host.clock.now().getTime());
    expect(await moneyOf(host, authorized.id)).toMatchObject({ amount: 0 });

    const { status, body } = await act(host, authorized.id, 'capture');
    expect([status, body]).toMatchObject([
      200,
      { status: 'succeeded', captured_amount: 5_000, released_amount: 0, attempts: [{ status: 'succeeded' }] },
    ]);
    const [capture] = body.captures;
    expect(capture).toMatchObject({ amount: 5_000, status: 'succeeded', final: true, failure: null });
    expect(capture.id).toMatch(/^cap_/);
    expect(await moneyOf(host, authorized.id)).toMatchObject({ amount: 5_000, count: 1 });
    expect((await eventTypesOf(host, authorized.id)).toSorted()).toEqual([
      'authorized',
      'captured',
      'created',
      'succeeded',
    ]);
  });

  it('releases what its last capture leaves, and refunds no more than was captured', async () => {
    const { id } = await authorize();
    const { body } = await act(host, id, 'capture', { amount: 3_000 });
    expect(body).toMatchObject({ status: 'succeeded', captured_amount: 3_000, released_amount: 2_000 });
    const tooMuch = await act(host, id, 'refund', { amount: 3_001 });
    expect(tooMuch.body).toMatchObject({ code: 'refund_exceeds_remaining', details: { remaining: 3_000 } });
    const refunded = await act(host, id, 'refund');
    expect(refunded.body).toMatchObject({ status: 'refunded', amount_refunded: 3_000 });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 3_000, refunded: 3_000 });
  });

  it('is captured in parts until one of them is final', async () => {
    const { id } = await authorize();
    const first = await act(host, id, 'capture', { amount: 1_000, final: false });
    expect(first.body).toMatchObject({ status: 'authorized', captured_amount: 1_000, released_amount: 0 });
    await act(host, id, 'capture', { amount: 2_000, final: false });
    const last = await act(host, id, 'capture', { amount: 500 });
    expect(last.body).toMatchObject({ status: 'succeeded', captured_amount: 3_500, released_amount: 1_500 });
    expect(last.body.captures.map(({ amount, final }: Body) => [amount, final])).toEqual([
      [1_000, false],
      [2_000, false],
      [500, true],
    ]);
    expect(await bothBooks(id)).toMatchObject([{ sum: 3_500 }, { amount: 3_500 }]);
  });

  it('succeeds when its parts have taken all of it', async () => {
    const { id } = await authorize();
    await act(host, id, 'capture', { amount: 4_000, final: false });
    const { body } = await act(host, id, 'capture', { final: false });
    expect(body).toMatchObject({ status: 'succeeded', captured_amount: 5_000, released_amount: 0 });
  });

  it('says so if the issuer approved only a part of it', async () => {
    await arrange(host, 'partial_approval');
    const authorized = await authorize();
    expect(authorized).toMatchObject({ status: 'authorized', authorized_amount: 2_500, partially_approved: true });
    const tooMuch = await act(host, authorized.id, 'capture', { amount: 2_501 });
    expect(tooMuch.body).toMatchObject({ code: 'capture_exceeds_authorized', details: { remaining: 2_500 } });
    const { body } = await act(host, authorized.id, 'capture');
    expect(body).toMatchObject({ status: 'succeeded', amount: 5_000, captured_amount: 2_500 });
    expect(await moneyOf(host, authorized.id)).toMatchObject({ amount: 2_500 });
  });

  it('can be an intent that is confirmed later', async () => {
    const intent = await anIntent(host, 'ok', { capture: 'manual' });
    expect(intent).toMatchObject({ status: 'created', capture: 'manual', authorized_amount: null });
    expect((await act(host, intent.id, 'confirm')).body).toMatchObject({ status: 'authorized' });
  });

  it('is refused a refund before its capture, with what to do', async () => {
    const { id } = await authorize();
    const { status, body } = await act(host, id, 'refund');
    expect([status, body]).toMatchObject([
      409,
      { code: 'payment_not_refundable', message: expect.stringContaining('cancel') },
    ]);
  });

  it('counts neither as succeeded nor as failed while it is authorized', async () => {
    const shop = await aShop(host, { conn_a: {} });
    const how = { key: shop.key };
    const stats = async () => {
      await drain(host);
      return (await host.call('GET', '/v1/payments/stats', undefined, how)).body;
    };
    const { id } = await authorize({}, how);
    expect(await stats()).toMatchObject({ total: 1, by_status: { authorized: 1 }, success_rate: null });
    await act(host, id, 'capture', { amount: 1_200 }, how);
    expect(await stats()).toMatchObject({
      by_status: { authorized: 0, succeeded: 1 },
      success_rate: 1,
      by_currency: [{ volume: 1_200 }],
    });
  });

  it('is listed by its status', async () => {
    const shop = await aShop(host, { conn_a: {} });
    const how = { key: shop.key };
    const { id } = await authorize({}, how);
    const listed = async () =>
      (await host.call('GET', '/v1/payments?status=authorized', undefined, how)).body.payments.map((p: Body) => p.id);
    expect(await listed()).toEqual([id]);
    await act(host, id, 'capture', undefined, how);
    expect(await listed()).toEqual([]);
  });
});

describe('a payment that is captured at once', () => {
  it('shows no fields of a later capture, and refuses one', async () => {
    const payment = await pay(host, 'ok', { capture: 'automatic' });
    expect(payment).toMatchObject({ status: 'succeeded', capture: 'automatic' });
    expect(Object.keys(payment).filter((name) => /captur|authorized|released/.test(name))).toEqual(['capture']);
    const { status, body } = await act(host, payment.id, 'capture');
    expect([status, body.code, body.message]).toEqual([
      409,
      'payment_not_capturable',
      'This payment is captured at once (capture is automatic); it is succeeded.',
    ]);
  });
});

describe('a capture', () => {
  it('takes no more than was authorized when twenty come at once', async () => {
    const { id } = await authorize();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => act(host, id, 'capture', { amount: 700, final: false })),
    );
    const taken = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ body }) => body.code === 'capture_exceeds_authorized').length;
    const busy = answers.filter(({ body }) => body.code === 'write_conflict').length;
    expect(taken + refused + busy).toBe(20);
    expect(taken).toBeLessThanOrEqual(7);
    const [ours, theirs] = await bothBooks(id);
    expect([ours.sum, theirs.amount]).toEqual([taken * 700, taken * 700]);
  });

  it('is made once by twenty that each want all of it', async () => {
    const { id } = await authorize();
    const answers = await Promise.all(Array.from({ length: 20 }, () => act(host, id, 'capture')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await bothBooks(id)).toMatchObject([{ status: 'succeeded', sum: 5_000 }, { amount: 5_000 }]);
  });

  it('is made once if its request is repeated with its key', async () => {
    const { id } = await authorize();
    const how = { idempotencyKey: 'one-capture' };
    const first = await act(host, id, 'capture', { amount: 1_000, final: false }, how);
    const again = await act(host, id, 'capture', { amount: 1_000, final: false }, how);
    expect(again.body).toEqual(first.body);
    expect([await capturesAt(id), (await read(host, id)).captured_amount]).toEqual([1, 1_000]);
  });

  it('is not made by another organization', async () => {
    const { id } = await authorize();
    const stranger = await aShop(host, { conn_a: {} });
    const { status } = await act(host, id, 'capture', undefined, { key: stranger.key });
    expect([status, await capturesAt(id)]).toEqual([404, 0]);
  });

  it.each([
    ['the provider took it and its response was lost', 'timeout_after_charge'],
    ['the provider did not get it', 'timeout_before_charge'],
    ['the provider answered nothing readable', 'garbage'],
    ['the provider was not reached', 'refuse_connection'],
    ['the provider was too busy', 'rate_limited'],
  ])('is found by the timer, and made once, where %s', async (_, behaviour) => {
    const { id } = await authorize();
    await atCaptures(behaviour);
    const { body } = await act(host, id, 'capture', { amount: 4_000 });
    expect(body).toMatchObject({ status: 'authorized', captures: [{ status: 'pending' }] });
    const blocked = await act(host, id, 'cancel');
    expect(blocked.body).toMatchObject({ code: 'payment_not_cancelable', message: expect.stringMatching(/pending/) });
    await advance(host, '10m');
    expect(await read(host, id)).toMatchObject({ status: 'succeeded', captured_amount: 4_000, released_amount: 1_000 });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 4_000, count: 1 });
  });

  it('that the provider declines leaves the payment authorized, and is announced', async () => {
    const { id } = await authorize();
    await atCaptures('decline:card_declined');
    const { status, body } = await act(host, id, 'capture');
    expect([status, body]).toMatchObject([
      200,
      { status: 'authorized', captures: [{ status: 'failed', failure: { code: expect.any(String) } }] },
    ]);
    expect(await eventTypesOf(host, id)).toContain('capture_failed');
    expect((await act(host, id, 'capture')).body).toMatchObject({ status: 'succeeded', captured_amount: 5_000 });
  });

  it.each([0, -1, 1.5, '5', 100_000_000_000])('of %j is refused before anything is sent', async (amount) => {
    const { id } = await authorize();
    const { status, body } = await act(host, id, 'capture', { amount });
    expect([status, body.details.fields[0].path, await capturesAt(id)]).toEqual([400, 'amount', 0]);
  });
});

describe('a connection', () => {
  const shopWith = async (capabilities: Body) => ({ key: (await aShop(host, { conn_a: { capabilities } })).key });

  it('tells what it can capture, and a merchant can switch it off', async () => {
    const how = await shopWith({ multi_capture: false });
    const { body } = await host.call('GET', '/v1/connections/conn_a', undefined, how);
    expect(body.capabilities).toMatchObject({ manual_capture: true, partial_capture: true, multi_capture: false });
  });

  it('that captures nothing later gets no such payment', async () => {
    const how = await shopWith({ manual_capture: false });
    const payment = await authorize({}, how);
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { code: 'no_route' },
      routing: { considered: [{ connection_id: 'conn_a', usable: false, reason: 'capture_not_supported' }] },
    });
    expect((await pay(host, 'ok', {}, how)).status).toBe('succeeded');
  });

  it('that captures once refuses a part that is not the last, and names the capability', async () => {
    const how = await shopWith({ multi_capture: false });
    const { id } = await authorize({}, how);
    const { status, body } = await act(host, id, 'capture', { amount: 1_000, final: false }, how);
    expect([status, body]).toMatchObject([
      409,
      { code: 'payment_not_capturable', message: expect.stringContaining('capabilities.multi_capture') },
    ]);
    expect((await act(host, id, 'capture', { amount: 1_000 }, how)).body.status).toBe('succeeded');
  });

  it('that captures only all refuses a part, and names the capability', async () => {
    const how = await shopWith({ partial_capture: false });
    const { id } = await authorize({}, how);
    const { body } = await act(host, id, 'capture', { amount: 1_000 }, how);
    expect(body).toMatchObject({
      code: 'payment_not_capturable',
      message: expect.stringContaining('capabilities.partial_capture'),
    });
    expect((await act(host, id, 'capture', undefined, how)).body.status).toBe('succeeded');
  });
});
