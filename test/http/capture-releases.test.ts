import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Body, type CallOptions, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  complete,
  drain,
  eventTypesOf,
  moneyOf,
  operationsOf,
  pay,
  payOnPage,
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
const atCancels = (behaviour: string, more: Body = {}) =>
  arrange(host, behaviour, { times: 1, match: { operation: 'cancel' }, ...more });

type Held = { readonly authorized: number; readonly captured: number; readonly released: number };
/** What the provider holds of the customer's money. */
const heldOf = async (id: string): Promise<Held | undefined> =>
  (await host.control('GET', `/psp/calls?payment_id=${id}`)).body.holds?.[id];

describe('the cancel of an authorized payment', () => {
  it('releases it at the provider, and it cannot be captured then', async () => {
    const { id } = await authorize();
    expect((await act(host, id, 'cancel')).body).toMatchObject({
      status: 'canceled',
      captured_amount: 0,
      released_amount: 5_000,
      attempts: [{ status: 'canceled' }],
    });
    expect(await heldOf(id)).toMatchObject({ captured: 0, released: 5_000 });
    expect((await act(host, id, 'capture')).body).toMatchObject({ code: 'payment_not_capturable' });
    expect(await operationsOf(host, id)).not.toContain('capture');
    expect((await eventTypesOf(host, id)).toSorted()).toEqual(['authorized', 'canceled', 'created']);
  });

  it('of which a part was captured releases the rest: the payment has succeeded', async () => {
    const { id } = await authorize();
    await act(host, id, 'capture', { amount: 1_500, final: false });
    const { status, body } = await act(host, id, 'cancel');
    expect([status, body]).toMatchObject([
      200,
      { status: 'succeeded', captured_amount: 1_500, released_amount: 3_500 },
    ]);
    expect(await heldOf(id)).toMatchObject({ captured: 1_500, released: 3_500 });
    expect((await act(host, id, 'refund')).body).toMatchObject({ status: 'refunded', amount_refunded: 1_500 });
  });

  it('leaves it capturable where the provider was not reached', async () => {
    const { id } = await authorize();
    await atCancels('refuse_connection');
    expect((await act(host, id, 'cancel')).body).toMatchObject({ code: 'provider_error' });
    expect((await act(host, id, 'capture')).body).toMatchObject({ status: 'succeeded' });
  });

  it('blocks captures while its outcome is unknown, and is finished by the timer', async () => {
    const { id } = await authorize();
    await atCancels('timeout_after_charge', { webhook: 'none' });
    expect((await act(host, id, 'cancel')).body).toMatchObject({ code: 'outcome_unknown' });
    expect((await act(host, id, 'capture')).body).toMatchObject({ code: 'payment_not_capturable' });
    await advance(host, '10m');
    expect(await read(host, id)).toMatchObject({ status: 'canceled', released_amount: 5_000 });
  });

  it('is refused on a connection without cancels, and its provider is not called', async () => {
    const { key } = await aShop(host, { conn_a: { capabilities: { cancel: false } } });
    const { id } = await authorize({}, { key });
    const { body } = await act(host, id, 'cancel', undefined, { key });
    expect(body.message).toMatch(/conn_a .*capabilities\.cancel/);
    expect(await operationsOf(host, id)).not.toContain('cancel');
    expect((await act(host, id, 'capture', undefined, { key })).body.status).toBe('succeeded');
  });

  it('that runs beside captures ends in one state, which the provider agrees with', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await authorize();
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          n % 2 === round % 2 ? act(host, id, 'cancel') : act(host, id, 'capture', { amount: 900, final: false }),
        ),
      );
      await drain(host);
      await advance(host, '15m');
      const { status, captured_amount, released_amount, captures } = await read(host, id);
      const held = await heldOf(id);
      expect([captured_amount, captures.filter((each: Body) => each.status === 'pending')]).toEqual([
        held?.captured,
        [],
      ]);
      expect((await moneyOf(host, id)).amount).toBe(captured_amount);
      if (status !== 'authorized') expect(released_amount).toBe(held?.released);
      if (status === 'canceled') expect(captured_amount).toBe(0);
    }
  });
});

describe('an authorization that nobody captures', () => {
  it('is announced a day before it ends, and then fails the payment', async () => {
    const { id } = await authorize();
    await advance(host, '143h');
    expect(await eventTypesOf(host, id)).not.toContain('authorization_expiring');
    await advance(host, '2h');
    expect((await eventTypesOf(host, id)).filter((type) => type === 'authorization_expiring')).toHaveLength(1);
    await advance(host, '24h');
    expect(await read(host, id)).toMatchObject({
      status: 'failed',
      failure: { code: 'authorization_expired', category: 'expired' },
      released_amount: 5_000,
      attempts: [{ status: 'failed' }],
    });
    expect(await heldOf(id)).toMatchObject({ captured: 0, released: 5_000 });
    expect((await eventTypesOf(host, id)).filter((type) => type === 'authorization_expiring')).toHaveLength(1);
  });

  it('leaves a payment of which a part was captured succeeded', async () => {
    const { id } = await authorize();
    await act(host, id, 'capture', { amount: 100, final: false });
    await advance(host, '8d');
    expect(await read(host, id)).toMatchObject({ status: 'succeeded', captured_amount: 100, released_amount: 4_900 });
  });

  it('can be followed by a new one, if the payment is retried', async () => {
    const { id } = await authorize();
    await advance(host, '8d');
    const { body } = await act(host, id, 'retry', { payment_method: { type: 'card', token: 'ok' } });
    expect(body).toMatchObject({ status: 'authorized', released_amount: 0 });
    expect((await act(host, id, 'capture')).body).toMatchObject({ status: 'succeeded', captured_amount: 5_000 });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000 });
  });
});

describe('an authorization that the payment may not keep', () => {
  it('is released, and not refunded, if it comes after the cancel', async () => {
    const { id } = await pay(host, 'needs_3ds', { capture: 'manual' });
    expect((await act(host, id, 'cancel')).body.status).toBe('canceled');
    await complete(host, id, 'succeeded');
    const payment = await read(host, id);
    expect([payment.status, payment.refunds, payment.captured_amount]).toEqual(['canceled', [], 0]);
    expect(await heldOf(id)).toMatchObject({ authorized: 5_000, captured: 0, released: 5_000 });
  });

  it('is released in the end, if the provider cannot be reached at first', async () => {
    const { id } = await pay(host, 'needs_3ds', { capture: 'manual' });
    await act(host, id, 'cancel');
    await atCancels('refuse_connection');
    await complete(host, id, 'succeeded');
    expect(await heldOf(id)).toMatchObject({ released: 0 });
    await advance(host, '10m');
    expect(await heldOf(id)).toMatchObject({ released: 5_000 });
  });

  it('is released, and not refunded, if the customer pays a page twice over', async () => {
    const first = await payOnPage(host, { capture: 'manual' });
    const reference = first.psp_reference;
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference, outcome: 'failed' });
    await advance(host, '26h');
    const { body: second } = await act(host, first.id, 'retry');
    expect(second.attempts).toHaveLength(2);
    await complete(host, second.psp_reference, 'succeeded');
    expect(await read(host, first.id)).toMatchObject({ status: 'authorized' });
    await complete(host, reference, 'succeeded');
    const payment = await read(host, first.id);
    const held = await heldOf(first.id);
    expect([payment.status, payment.refunds]).toEqual(['authorized', []]);
    expect((held?.authorized ?? 0) - (held?.released ?? 0)).toBe(5_000);
    expect((await act(host, first.id, 'capture')).body).toMatchObject({ status: 'succeeded', captured_amount: 5_000 });
    expect(await moneyOf(host, first.id)).toMatchObject({ amount: 5_000, refunded: 0 });
  });
});

describe('what a merchant does in the dashboard of the provider', () => {
  it('is taken over: a capture succeeds the payment', async () => {
    const { id } = await authorize();
    expect(host.simulators.captureInDashboard('stripe', id, 3_000)).toBe(200);
    await drain(host);
    expect(await read(host, id)).toMatchObject({
      status: 'succeeded',
      captured_amount: 3_000,
      released_amount: 2_000,
      captures: [{ amount: 3_000, status: 'succeeded' }],
    });
  });

  it('is taken over beside our own captures', async () => {
    const { id } = await authorize();
    await act(host, id, 'capture', { amount: 1_000, final: false });
    expect(host.simulators.captureInDashboard('stripe', id, 500, false)).toBe(200);
    await drain(host);
    await act(host, id, 'capture', { amount: 700 });
    await drain(host);
    expect(await read(host, id)).toMatchObject({ status: 'succeeded', captured_amount: 2_200, released_amount: 2_800 });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 2_200 });
  });

  it('is taken over: a void cancels the payment', async () => {
    const { id } = await authorize();
    expect(host.simulators.voidInDashboard('stripe', id)).toBe(200);
    await drain(host);
    expect(await read(host, id)).toMatchObject({ status: 'canceled', released_amount: 5_000 });
  });

  it('is found even if no callback tells, by the next capture', async () => {
    await arrange(host, 'approve', { webhook: 'none' });
    const { id } = await authorize();
    expect(host.simulators.captureInDashboard('stripe', id, 5_000)).toBe(200);
    const { body } = await act(host, id, 'capture');
    expect(body).toMatchObject({ status: 'succeeded', captured_amount: 5_000 });
    expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000 });
  });
});
