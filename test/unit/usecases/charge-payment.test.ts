import { describe, expect, it } from 'vitest';
import { retryPayment } from '#functions/payment-actions/retry-payment.usecase.ts';
import { createPayment, createPaymentIntent } from '#functions/payments/create-payment.usecase.ts';
import type { CreatePaymentInput } from '#shared/domain/payments/payment-input.model.ts';
import { refundPayment } from '#shared/services/payments/refund-payment.service.ts';
import { aConnection } from '#test/support/payment.builder.ts';
import { charges, type World, world } from '#test/support/world.ts';

const input = (about: Partial<CreatePaymentInput> = {}): CreatePaymentInput => ({
  amount: 5_000,
  currency: 'EUR',
  payment_method: { type: 'card', tokens: { stripe: 'tok_1' } },
  ...about,
});
const create = (w: World, about: Partial<CreatePaymentInput> = {}) => createPayment(input(about), w.caller(), w.deps);
const CONNECTIONS = [aConnection({ id: 'conn_a' }), aConnection({ id: 'conn_b' })];
const connectionsOf = (w: World) => w.charged.map(({ connection }) => connection);
const statuses = ({ attempts }: Awaited<ReturnType<World['stored']>>) =>
  attempts.map(({ connection_id, status }) => [connection_id, status]);

describe('a new payment', () => {
  it('is charged once with its amount, and announces that it was created and succeeded', async () => {
    const w = await world();
    const payment = await create(w);
    expect([payment.status, payment.connection_id]).toEqual(['succeeded', 'conn_a']);
    expect(w.charged).toMatchObject([{ connection: 'conn_a', order: { amount: 5_000, currency: 'EUR' } }]);
    expect(await w.outbox(payment.id)).toEqual(['payment.created', 'payment.succeeded']);
  });

  it('fails over to the next connection after a decline that another one may approve', async () => {
    const w = await world({ connections: CONNECTIONS, charges: { conn_a: [charges.declined('do_not_honor')] } });
    const payment = await create(w);
    expect(payment.status).toBe('succeeded');
    expect(statuses(await w.stored(payment.id))).toEqual([
      ['conn_a', 'failed'],
      ['conn_b', 'succeeded'],
    ]);
  });

  it('does not fail over after a decline that no other connection would approve', async () => {
    const w = await world({ connections: CONNECTIONS, charges: { conn_a: [charges.declined('stolen_card')] } });
    const payment = await create(w);
    expect([payment.status, payment.failure?.code, connectionsOf(w)]).toEqual(['failed', 'stolen_card', ['conn_a']]);
    expect(await w.outbox(payment.id)).toEqual(['payment.created', 'payment.failed']);
  });

  it('fails over to the next connection if the first provider was not reached', async () => {
    const w = await world({ connections: CONNECTIONS, charges: { conn_a: [charges.unreachable()] } });
    expect([(await create(w)).status, connectionsOf(w)]).toEqual(['succeeded', ['conn_a', 'conn_b']]);
  });

  it('is processing, without failover, if the provider gave no response', async () => {
    const w = await world({ connections: CONNECTIONS, charges: { conn_a: [charges.unanswered()] } });
    const payment = await create(w);
    expect([payment.status, connectionsOf(w)]).toEqual(['processing', ['conn_a']]);
    expect(await w.outbox(payment.id)).toEqual(['payment.created']);
  });

  it('goes to the next connection if the first one was deleted after it was routed', async () => {
    const w = await world({ connections: CONNECTIONS });
    const { connections } = w.deps;
    const withCredentials: typeof connections.withCredentials = async (routed) => {
      const stored = await connections.get(routed.org_id, routed.id);
      if (routed.id === 'conn_a' && stored && stored.deleted_at === undefined)
        await connections.save({ ...stored, deleted_at: stored.created_at, version: stored.version + 1 });
      return connections.withCredentials(routed);
    };
    const deps = {
      ...w.deps,
      connections: { ...connections, withCredentials, get: connections.get.bind(connections) },
    } as unknown as World['deps'];
    const payment = await createPayment(input(), w.caller(), deps);
    expect([payment.status, payment.connection_id, connectionsOf(w)]).toEqual(['succeeded', 'conn_b', ['conn_b']]);
    expect(statuses(await w.stored(payment.id))[0]).toEqual(['conn_a', 'failed']);
  });

  it('fails once every connection has declined it', async () => {
    const declined = [charges.declined('do_not_honor')];
    const w = await world({ connections: CONNECTIONS, charges: { conn_a: declined, conn_b: declined } });
    expect([(await create(w)).status, connectionsOf(w)]).toEqual(['failed', ['conn_a', 'conn_b']]);
  });

  it.each<[string, Partial<CreatePaymentInput>]>([
    ['method', { payment_method: { type: 'ideal' } }],
    ['currency', { currency: 'JPY' }],
    ['country', { country: 'NG' }],
  ])('fails without a call to a provider if no connection supports its %s', async (_, about) => {
    const only = aConnection({ capabilities: { methods: ['card'], currencies: ['EUR'], countries: ['DE'] } });
    const w = await world({ connections: [only] });
    const { status, failure, attempts } = await create(w, { country: 'DE', ...about });
    expect([status, failure?.code, attempts, w.charged]).toEqual(['failed', 'no_route', [], []]);
  });

  it('is created once for one idempotency key, and a repeat gets the same response', async () => {
    const w = await world();
    const caller = w.caller();
    const first = await createPayment(input(), caller, w.deps);
    const again = await createPayment(input(), caller, w.deps);
    expect([again.id, again.status, first.replayed, again.replayed]).toEqual([first.id, 'succeeded', false, true]);
    expect(w.charged).toHaveLength(1);
  });

  it('waits for its confirmation as an intent, and calls no provider', async () => {
    const w = await world();
    const intent = await createPaymentIntent(input(), w.caller(), w.deps);
    expect([intent.status, w.charged, await w.outbox(intent.id)]).toEqual(['created', [], ['payment.created']]);
    expect(intent.client_secret).toMatch(new RegExp(`^${intent.id}_secret_`));
  });
});

describe('a retry of a failed payment', () => {
  it('charges again, as another attempt of the same payment', async () => {
    const w = await world({ charges: { conn_a: [charges.declined('insufficient_funds'), charges.approved()] } });
    const { id } = await create(w);
    const retried = await retryPayment({ id }, w.caller(), w.deps);
    expect([retried.status, retried.attempts.map(({ status }) => status)]).toEqual([
      'succeeded',
      ['failed', 'succeeded'],
    ]);
    expect(await w.outbox(id)).toEqual(['payment.created', 'payment.failed', 'payment.succeeded']);
  });

  it('is refused for a payment that succeeded, and charges nothing', async () => {
    const w = await world();
    const { id } = await create(w);
    await expect(retryPayment({ id }, w.caller(), w.deps)).rejects.toMatchObject({ code: 'payment_not_retryable' });
    expect(w.charged).toHaveLength(1);
  });

  it('is refused for a decline that is final', async () => {
    const w = await world({ charges: { conn_a: [charges.declined('stolen_card')] } });
    const { id } = await create(w);
    await expect(retryPayment({ id }, w.caller(), w.deps)).rejects.toMatchObject({ code: 'payment_not_retryable' });
  });

  it('is not possible while the outcome of the charge is unknown', async () => {
    const w = await world({ charges: { conn_a: [charges.unanswered()] } });
    const { id } = await create(w);
    await expect(retryPayment({ id }, w.caller(), w.deps)).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(w.charged).toHaveLength(1);
  });
});

describe('a refund of a payment', () => {
  it('is sent once with its amount, and announced', async () => {
    const w = await world();
    const { id } = await create(w);
    const payment = await refundPayment({ id, amount: 2_000 }, w.caller(), w.deps);
    expect([payment.status, payment.amount_refunded]).toEqual(['succeeded', 2_000]);
    expect(w.refunded).toMatchObject([{ amount: 2_000, currency: 'EUR' }]);
    expect(await w.outbox(id)).toContain('payment.refunded');
  });

  it('refunds all that is left if no amount is named', async () => {
    const w = await world();
    const { id } = await create(w);
    await refundPayment({ id, amount: 2_000 }, w.caller(), w.deps);
    const payment = await refundPayment({ id }, w.caller(), w.deps);
    expect([payment.status, payment.amount_refunded, w.refunded.map(({ amount }) => amount)]).toEqual([
      'refunded',
      5_000,
      [2_000, 3_000],
    ]);
  });

  it('is refused if it exceeds what is left, and sends nothing', async () => {
    const w = await world();
    const { id } = await create(w);
    await expect(refundPayment({ id, amount: 5_001 }, w.caller(), w.deps)).rejects.toMatchObject({
      code: 'refund_exceeds_remaining',
      details: { remaining: 5_000 },
    });
    expect(w.refunded).toEqual([]);
  });

  it.each([
    ['nothing', { refunds: false }, undefined],
    ['only whole amounts', { partial_refunds: false }, 2_000],
  ])('is refused if the connection can refund %s', async (_, capabilities, amount) => {
    const w = await world({ connections: [aConnection({ capabilities })] });
    const { id } = await create(w);
    await expect(refundPayment({ id, amount }, w.caller(), w.deps)).rejects.toMatchObject({
      code: 'payment_not_refundable',
    });
    expect(w.refunded).toEqual([]);
  });

  it('of the whole amount is possible where partial refunds are not', async () => {
    const w = await world({ connections: [aConnection({ capabilities: { partial_refunds: false } })] });
    const { id } = await create(w);
    expect((await refundPayment({ id, amount: 5_000 }, w.caller(), w.deps)).status).toBe('refunded');
  });

  it('stays pending while the provider has only accepted it', async () => {
    const w = await world({ refund: () => ({ kind: 'accepted', reference: 're_1' }) });
    const { id } = await create(w);
    const payment = await refundPayment({ id }, w.caller(), w.deps);
    expect([payment.status, payment.refunds.map(({ status }) => status)]).toEqual(['succeeded', ['pending']]);
  });
});
