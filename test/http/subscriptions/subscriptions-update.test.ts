import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cancel,
  eventsOf,
  faultsOf,
  invoicesOf,
  itKnowsItsCallers,
  resume,
  SUBSCRIPTIONS,
  show,
  subscribe,
  subscribeLater,
  typesOf,
  update,
  verdictOf,
} from '#test/http/subscriptions/subscriptions.support.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, aShop, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const UPDATED = { updated_at: expect.any(String) };
async function changed(id: string, changes: Body, how = {}): Promise<Body> {
  const answer = await update(host, id, changes, how);
  expect(answer.status, answer.text).toBe(200);
  expect(await show(host, id, how)).toEqual(answer.body);
  return answer.body;
}

describe('PATCH /v1/subscriptions/{id}', () => {
  it.each<readonly [string, Body]>([
    ['amount', { amount: 7_000 }],
    ['plan', { plan_id: 'silver' }],
    ['metadata, whole', { metadata: { seats: 3 } }],
    ['metadata, to none', { metadata: {} }],
    ['time of change, where nothing was sent', {}],
    ['all of these', { amount: 1, plan_id: 'b', metadata: { vip: true } }],
  ])('changes its %s, and nothing else', async (_, changes) => {
    const made = await subscribeLater(host, { metadata: { order: 'A-1' } });
    await advance(host, '1s');
    const after = await changed(made.id, changes);
    expect(after).toEqual({ ...made, ...changes, ...UPDATED });
    expect(after.updated_at > made.updated_at).toBe(true);
    const [, told, ...more] = await eventsOf(host, made.id);
    expect([told.type, told.data, more]).toEqual(['subscription.updated', after, []]);
  });

  it('applies from the next period on', async () => {
    const { key } = await aShop(host, { a: {} });
    const made = await subscribe(host, { plan_id: 'gold' }, { key });
    const [first] = await invoicesOf(host, made, { key });
    await changed(
      made.id,
      { amount: 7_000, plan_id: 'silver', payment_method: { type: 'card', token: 'decline_insufficient_funds' } },
      { key },
    );
    expect(await invoicesOf(host, made, { key })).toEqual([first]);
    await host.control('POST', '/clock', { set: made.next_renewal_at });
    await advance(host, '1m');
    const [again, second, ...more] = await invoicesOf(host, made, { key });
    expect([again, more]).toEqual([first, []]);
    expect(second).toMatchObject({ status: 'open', amount: 7_000, plan_id: 'silver', attempts: 1 });
    expect((await read(host, second.payment_id, { key })).failure.code).toBe('insufficient_funds');
  });

  it.each<readonly [string, Body, Body, string]>([
    ['a new payment method of another type', {}, { payment_method: { type: 'sepa_debit', token: 'ok' } }, 'sepa_debit'],
    ['both', {}, { method: 'sepa_debit', payment_method: { type: 'sepa_debit' } }, 'sepa_debit'],
    [
      'a method, where no payment method is saved',
      { payment_method: { type: 'card' } },
      { method: 'sepa_debit' },
      'sepa_debit',
    ],
    ['the method that it has', {}, { method: 'card' }, 'card'],
  ])('accepts %s', async (_, more, changes, method) => {
    const { id } = await subscribeLater(host, more);
    expect((await changed(id, changes)).method).toBe(method);
  });

  it('rejects a method that differs from the stored payment method', async () => {
    const made = await subscribeLater(host);
    const answer = await update(host, made.id, { method: 'ideal', amount: 1 });
    expect([verdictOf(answer), faultsOf(answer), await show(host, made.id)]).toEqual([
      [400, 'invalid_request'],
      ['method'],
      made,
    ]);
  });

  it('pauses, and resumes at the next date ahead', async () => {
    const { key } = await aShop(host, { a: {} });
    const made = await subscribe(host, { interval: 'daily' }, { key });
    await invoicesOf(host, made, { key });
    expect(await changed(made.id, { status: 'paused' }, { key })).toEqual({
      ...made,
      status: 'paused',
      next_renewal_at: null,
      ...UPDATED,
    });
    await advance(host, '5d');
    expect(await invoicesOf(host, made, { key })).toHaveLength(1);
    const back = await changed(made.id, { status: 'active' }, { key });
    const [now, tomorrow] = [
      host.clock.now().toISOString(),
      new Date(host.clock.now().getTime() + 86_400_000).toISOString(),
    ];
    expect([back.status, back.next_renewal_at > now, back.next_renewal_at <= tomorrow]).toEqual(['active', true, true]);
    expect(back.next_renewal_at.slice(11)).toBe(made.start_at.slice(11));
    await advance(host, '1d');
    expect(await invoicesOf(host, made, { key })).toMatchObject([
      { status: 'paid' },
      { status: 'paid', period_start: back.next_renewal_at },
    ]);
    expect(await typesOf(host, made.id, { key })).toEqual([
      'created',
      'paused',
      'updated',
      'resumed',
      'updated',
      'renewed',
    ]);
  });

  it('accepts the current status, and announces only the other changes', async () => {
    const made = await subscribeLater(host);
    expect((await changed(made.id, { status: 'active' })).next_renewal_at).toBe(made.next_renewal_at);
    await advance(host, '1s');
    await changed(made.id, { status: 'paused', amount: 1 });
    await advance(host, '1s');
    await changed(made.id, { status: 'paused', amount: 2 });
    expect(await typesOf(host, made.id)).toEqual(['created', 'updated', 'paused', 'updated', 'updated']);
    const [, , paused, updated] = await eventsOf(host, made.id);
    expect([paused.data.amount, paused.data.status, updated.data]).toEqual([1, 'paused', paused.data]);
  });

  it('keeps a scheduled cancel', async () => {
    const made = await subscribeLater(host);
    await cancel(host, made.id, { at_period_end: true });
    expect(await changed(made.id, { status: 'active', amount: 1 })).toMatchObject({
      cancel_at_period_end: true,
      amount: 1,
    });
  });

  it.each<readonly [string, Body]>([
    ['an amount', { amount: 1 }],
    ['a status', { status: 'active' }],
    ['a pause', { status: 'paused' }],
    ['a payment method', { payment_method: { type: 'card', token: 'ok' } }],
  ])('returns 409 for %s once it is canceled', async (_, changes) => {
    const { id } = await subscribeLater(host);
    const canceled = (await cancel(host, id)).body;
    expect(await update(host, id, changes)).toMatchObject({
      status: 409,
      body: { error: 'conflict', code: 'subscription_canceled' },
    });
    expect(await show(host, id)).toEqual(canceled);
  });

  it('applies each idempotency key once', async () => {
    const { id } = await subscribeLater(host);
    const how = { idempotencyKey: randomUUID() };
    const first = await update(host, id, { amount: 1 }, how);
    await advance(host, '1s');
    await update(host, id, { amount: 2 });
    const again = await update(host, id, { amount: 1 }, how);
    expect([again.text, again.headers.get('idempotency-replayed'), (await show(host, id)).amount]).toEqual([
      first.text,
      'true',
      2,
    ]);
    expect(verdictOf(await update(host, id, { amount: 3 }, how))).toEqual([422, 'idempotency_key_reused']);
    expect(verdictOf(await resume(host, id, how))).toEqual([422, 'idempotency_key_reused']);
  });

  it('loses none of twenty concurrent changes, and announces each', async () => {
    const { id } = await subscribeLater(host);
    const answers = await Promise.all(
      Array.from(
        { length: 20 },
        (_, n): Promise<ApiResponse> => update(host, id, n % 2 ? { amount: n + 1 } : { plan_id: `plan-${n}` }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const last = await show(host, id);
    expect(answers.map(({ body }) => body)).toContainEqual(last);
    expect([last.amount % 2, last.plan_id.startsWith('plan-')]).toEqual([0, true]);
    expect((await typesOf(host, id)).filter((type) => type === 'updated')).toHaveLength(20);
  });
});

describe('callers', () => {
  itKnowsItsCallers(
    () => host,
    ['PATCH', `${SUBSCRIPTIONS}/{id}`, 'subscriptions:write', { amount: 1 }],
    () => subscribeLater(host),
    'There is no such subscription.',
  );
});
