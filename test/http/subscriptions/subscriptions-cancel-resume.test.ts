import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itLimitsItsRate } from '#test/http/payments.support.ts';
import {
  cancel,
  eventsOf,
  INVOICES,
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
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, aShop, moneyOf, type Shop } from '#test/support/payment-steps.ts';

let host: TestHost;
let shop: Shop;
beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { a: {} });
});
afterAll(() => host?.close());

const how = () => ({ key: shop.key });
const UPDATED = { updated_at: expect.any(String) };
const canceledWith = (code: string) => ({ status: 409, body: { error: 'conflict', code } });

describe('POST /v1/subscriptions/{id}/cancel', () => {
  it('cancels it immediately and finally', async () => {
    const made = await subscribe(host, {}, how());
    await invoicesOf(host, made, how());
    const { status, body } = await cancel(host, made.id, undefined, how());
    expect([status, body]).toEqual([
      200,
      { ...made, status: 'canceled', next_renewal_at: null, canceled_at: body.updated_at, ...UPDATED },
    ]);
    expect(await show(host, made.id, how())).toEqual(body);
    await advance(host, '70d');
    expect(await invoicesOf(host, made, how())).toMatchObject([{ status: 'paid' }]);
    const events = await eventsOf(host, made.id, how());
    expect([events.map(({ type }) => type), events[1].data]).toEqual([
      ['subscription.created', 'subscription.canceled'],
      body,
    ]);
  });

  it.each<readonly [string, Body | undefined]>([
    ['no body', undefined],
    ['an empty one', {}],
    ['false', { at_period_end: false }],
  ])('cancels immediately with %s', async (_, body) => {
    const { id } = await subscribeLater(host);
    expect((await cancel(host, id, body)).body.status).toBe('canceled');
  });

  it('cancels its open invoices, and no further attempt is made', async () => {
    const made = await subscribe(
      host,
      { payment_method: { type: 'card', token: 'decline_insufficient_funds' } },
      how(),
    );
    const [open] = await invoicesOf(host, made, how());
    expect([open.status, open.next_retry_at]).toEqual(['open', expect.any(String)]);
    await cancel(host, made.id, undefined, how());
    const canceled = [{ ...open, status: 'canceled', next_retry_at: null, ...UPDATED }];
    expect((await host.call('GET', `${INVOICES}?subscription_id=${made.id}`, undefined, how())).body.invoices).toEqual(
      canceled,
    );
    await advance(host, '10d');
    expect(await invoicesOf(host, made, how())).toEqual(canceled);
    expect(await typesOf(host, open.id, how())).toEqual(['created', 'canceled']);
  });

  it('charges nothing if it has not started', async () => {
    const made = await subscribeLater(host, {}, how());
    await cancel(host, made.id, undefined, how());
    await advance(host, '40d');
    expect(await invoicesOf(host, made, how())).toEqual([]);
  });

  it('leaves it active until the end of the period with `at_period_end`', async () => {
    const made = await subscribe(host, {}, how());
    await invoicesOf(host, made, how());
    const { status, body } = await cancel(host, made.id, { at_period_end: true }, how());
    expect([status, body]).toEqual([200, { ...made, cancel_at_period_end: true, ...UPDATED }]);
    await host.control('POST', '/clock', { set: new Date(Date.parse(made.next_renewal_at) - 60_000).toISOString() });
    expect((await show(host, made.id, how())).status).toBe('active');
    await advance(host, '2m');
    const ended = await show(host, made.id, how());
    expect(ended).toEqual({
      ...body,
      status: 'canceled',
      next_renewal_at: null,
      canceled_at: ended.updated_at,
      ...UPDATED,
    });
    expect(ended.canceled_at >= made.next_renewal_at).toBe(true);
    expect(await invoicesOf(host, made, how())).toMatchObject([{ status: 'paid' }]);
    expect(await typesOf(host, made.id, how())).toEqual(['created', 'updated', 'canceled']);
  });

  it('may be repeated, and changed to an immediate cancel', async () => {
    const { id } = await subscribeLater(host);
    const first = (await cancel(host, id, { at_period_end: true })).body;
    expect((await cancel(host, id, { at_period_end: true })).body).toEqual(first);
    expect((await cancel(host, id)).body).toMatchObject({ status: 'canceled', next_renewal_at: null });
    expect(await typesOf(host, id)).toEqual(['created', 'updated', 'canceled']);
  });

  it('cancels a paused subscription too', async () => {
    const { id } = await subscribeLater(host);
    await update(host, id, { status: 'paused' });
    expect((await cancel(host, id)).body).toMatchObject({ status: 'canceled', canceled_at: expect.any(String) });
  });

  it('returns 409 if it has ended', async () => {
    const { id } = await subscribeLater(host);
    const { body } = await cancel(host, id);
    for (const again of [undefined, { at_period_end: true }])
      expect(await cancel(host, id, again)).toMatchObject(canceledWith('subscription_canceled'));
    expect(await show(host, id)).toEqual(body);
    expect(await typesOf(host, id)).toEqual(['created', 'canceled']);
  });

  it('takes effect once for ten concurrent requests', async () => {
    const made = await subscribe(host, {}, how());
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(host, made.id, undefined, how())));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    const invoices = await invoicesOf(host, made, how());
    expect(invoices.length).toBeLessThanOrEqual(1);
    for (const { status, payment_id } of invoices) {
      const { amount, refunded } = await moneyOf(host, payment_id);
      expect(amount - refunded).toBe(status === 'paid' ? 5_000 : 0);
    }
    expect((await typesOf(host, made.id, how())).filter((type) => type === 'canceled')).toHaveLength(1);
  });
});

describe('POST /v1/subscriptions/{id}/resume', () => {
  it('undoes a scheduled cancel', async () => {
    const made = await subscribe(host, {}, how());
    await invoicesOf(host, made, how());
    await cancel(host, made.id, { at_period_end: true }, how());
    const { status, body } = await resume(host, made.id, how());
    expect([status, body]).toEqual([200, { ...made, ...UPDATED }]);
    await host.control('POST', '/clock', { set: made.next_renewal_at });
    await advance(host, '1m');
    expect(await invoicesOf(host, made, how())).toMatchObject([
      { status: 'paid' },
      { status: 'paid', period_start: made.next_renewal_at },
    ]);
    expect(await typesOf(host, made.id, how())).toEqual(['created', 'updated', 'updated', 'renewed']);
  });

  it('resumes a paused subscription', async () => {
    const made = await subscribeLater(host);
    await update(host, made.id, { status: 'paused' });
    const { status, body } = await resume(host, made.id);
    expect([status, body]).toEqual([200, { ...made, ...UPDATED }]);
    expect(await typesOf(host, made.id)).toEqual(['created', 'paused', 'updated', 'resumed']);
  });

  it('returns 409 if there is nothing to resume, or it has ended', async () => {
    const { id } = await subscribeLater(host);
    const before = await show(host, id);
    expect(await resume(host, id)).toMatchObject(canceledWith('subscription_not_resumable'));
    expect(await show(host, id)).toEqual(before);
    await cancel(host, id);
    expect(await resume(host, id)).toMatchObject(canceledWith('subscription_canceled'));
    expect((await show(host, id)).status).toBe('canceled');
  });
});

describe('an idempotency key', () => {
  it.each<readonly [string, (id: string, how: { idempotencyKey: string }) => ReturnType<typeof cancel>]>([
    ['cancel', (id, key) => cancel(host, id, undefined, key)],
    ['cancel at the end of the period', (id, key) => cancel(host, id, { at_period_end: true }, key)],
  ])('of a %s returns the first response again', async (_, send) => {
    const { id } = await subscribeLater(host);
    const key = { idempotencyKey: randomUUID() };
    const first = await send(id, key);
    const again = await send(id, key);
    expect([first.status, again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      200,
      first.text,
      'true',
    ]);
    expect(verdictOf(await resume(host, id, key))).toEqual([422, 'idempotency_key_reused']);
  });

  it('of a resume returns the first response again, whatever has happened since', async () => {
    const { id } = await subscribeLater(host);
    await update(host, id, { status: 'paused' });
    const key = { idempotencyKey: randomUUID() };
    const first = await resume(host, id, key);
    await update(host, id, { status: 'paused' });
    const again = await resume(host, id, key);
    expect([again.status, again.text, (await show(host, id)).status]).toEqual([200, first.text, 'paused']);
  });
});

describe('callers', () => {
  const about = () => subscribeLater(host);
  const never = 'There is no such subscription.';
  itKnowsItsCallers(() => host, ['POST', `${SUBSCRIPTIONS}/{id}/cancel`, 'subscriptions:write'], about, never);
  itKnowsItsCallers(() => host, ['POST', `${SUBSCRIPTIONS}/{id}/resume`, 'subscriptions:write'], about, never);
  itLimitsItsRate({ method: 'POST', path: (id) => `${SUBSCRIPTIONS}/${id}/cancel` }, 100);
});
