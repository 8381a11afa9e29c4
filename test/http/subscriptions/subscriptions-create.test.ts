import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aSubscriptionBody,
  at,
  create,
  DAY,
  eventsOf,
  faultsOf,
  invoicesOf,
  itKnowsItsCallers,
  MINUTE,
  SUBSCRIPTIONS,
  show,
  subscribe,
  subscribeLater,
  typesOf,
  verdictOf,
} from '#test/http/subscriptions/subscriptions.support.ts';
import { anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, aShop, moneyOf } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
  await host.control('POST', '/clock', { set: '2035-01-31T10:00:00Z' });
});
afterAll(() => host?.close());

describe('POST /v1/subscriptions', () => {
  it('creates a subscription', async () => {
    const { status, body, headers } = await create(host);
    expect([status, headers.get('location')]).toEqual([201, `${SUBSCRIPTIONS}/${body.id}`]);
    expect(body).toEqual({
      id: expect.stringMatching(/^sub_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      org_id: host.info.org_id,
      mode: 'sandbox',
      customer_id: 'ann',
      customer_email: null,
      country: null,
      plan_id: 'gold',
      amount: 5_000,
      currency: 'EUR',
      method: 'card',
      interval: 'monthly',
      status: 'active',
      start_at: body.created_at,
      next_renewal_at: expect.stringMatching(/^2035-02-28T10:/),
      cancel_at_period_end: false,
      canceled_at: null,
      metadata: {},
      created_at: expect.stringMatching(/^2035-01-31T10:.*Z$/),
      updated_at: body.created_at,
    });
  });

  it('charges the first period at once, and announces it', async () => {
    const made = await subscribe(host);
    const invoices = await invoicesOf(host, made);
    expect(invoices).toMatchObject([
      { status: 'paid', period_start: made.start_at, period_end: made.next_renewal_at, amount: 5_000, attempts: 1 },
    ]);
    expect(await moneyOf(host, invoices[0]?.payment_id)).toMatchObject({ amount: 5_000, count: 1 });
    const [created, ...more] = await eventsOf(host, made.id);
    expect([created.type, created.data, more]).toEqual(['subscription.created', made, []]);
    expect(await show(host, made.id)).toEqual({ ...made, updated_at: expect.any(String) });
  });

  it('stores every field of the request', async () => {
    const given = {
      customer_id: 'Ann & Bob',
      plan_id: 'silver#2',
      amount: 1,
      currency: 'JPY',
      interval: 'weekly',
      method: 'card',
      start_at: at(host, DAY),
      customer_email: 'ann@shop.example',
      country: 'DE',
      metadata: { seats: 3, vip: true },
    };
    const { id } = await subscribe(host, { ...given, currency: 'jpy', country: 'de' });
    expect(await show(host, id)).toMatchObject(given);
  });

  it.each([
    ['the type of the payment method', { payment_method: { type: 'sepa_debit' } }, 'sepa_debit'],
    ['what it is said to be', { method: 'sepa_debit', payment_method: undefined }, 'sepa_debit'],
    ['a card, where nothing is said', { payment_method: undefined }, 'card'],
  ])('is paid by %s', async (_, more, method) => {
    expect((await subscribeLater(host, more)).method).toBe(method);
  });

  it.each([
    ['daily', '2035-02-01'],
    ['weekly', '2035-02-07'],
    ['monthly', '2035-02-28'],
    ['quarterly', '2035-04-30'],
    ['yearly', '2036-01-31'],
  ])('renews a %s subscription that starts on 31 January on %s', async (interval, day) => {
    const made = await subscribe(host, { interval, start_at: '2035-01-31T10:00:00+00:00' });
    expect([made.start_at, made.next_renewal_at]).toEqual(['2035-01-31T10:00:00.000Z', `${day}T10:00:00.000Z`]);
  });

  it('waits for a start in the future, and charges then', async () => {
    const { key } = await aShop(host, { a: {} });
    const start_at = '2035-02-10T00:00:00.000Z';
    const made = await subscribe(host, { start_at }, { key });
    expect([made.start_at, made.next_renewal_at, await invoicesOf(host, made, { key })]).toEqual([
      start_at,
      start_at,
      [],
    ]);
    await host.control('POST', '/clock', { set: '2035-02-10T00:02:00Z' });
    expect(await invoicesOf(host, made, { key })).toMatchObject([
      { status: 'paid', period_start: start_at, period_end: '2035-03-10T00:00:00.000Z' },
    ]);
    expect((await show(host, made.id, { key })).next_renewal_at).toBe('2035-03-10T00:00:00.000Z');
  });

  it('accepts a start from a slow clock, and the latest possible one', async () => {
    expect((await create(host, { start_at: at(host, -4 * MINUTE) })).status).toBe(201);
    const five = new Date(host.clock.now());
    five.setUTCFullYear(five.getUTCFullYear() + 5);
    const made = await create(host, { start_at: five.toISOString() });
    expect([made.status, made.body.next_renewal_at]).toEqual([201, five.toISOString()]);
  });

  it.each([
    ['that has passed', () => at(host, -6 * MINUTE)],
    ['before all time', () => '1960-01-01T00:00:00Z'],
    ['more than five years ahead', () => at(host, 5 * 366 * DAY)],
  ])('rejects a start %s, and creates nothing', async (_, start_at) => {
    const { key } = await anOrganization(host);
    const answer = await create(host, { start_at: start_at() }, { key });
    expect([verdictOf(answer), faultsOf(answer)]).toEqual([[400, 'invalid_request'], ['start_at']]);
    expect((await host.call('GET', SUBSCRIPTIONS, undefined, { key })).body).toEqual([]);
  });

  it('creates one subscription per idempotency key', async () => {
    const { key } = await anOrganization(host);
    const how = { key, idempotencyKey: randomUUID() };
    const body = aSubscriptionBody({ start_at: at(host, DAY) });
    const send = (more: Body = {}) => host.call('POST', SUBSCRIPTIONS, { ...body, ...more }, how);
    const first = await send();
    const again = await send();
    expect([
      again.status,
      again.text,
      again.headers.get('location'),
      again.headers.get('idempotency-replayed'),
    ]).toEqual([201, first.text, first.headers.get('location'), 'true']);
    expect(verdictOf(await send({ amount: 1 }))).toEqual([422, 'idempotency_key_reused']);
    expect(verdictOf(await create(host, {}, { key, idempotencyKey: null }))).toEqual([400, 'idempotency_key_required']);
    expect((await host.call('GET', SUBSCRIPTIONS, undefined, { key })).body).toHaveLength(1);
  });

  it('creates one subscription for ten concurrent repeats', async () => {
    const { key } = await aShop(host, { a: {} });
    const idempotencyKey = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(host, {}, { key, idempotencyKey })));
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const [made, ...others] = (await host.call('GET', SUBSCRIPTIONS, undefined, { key })).body;
    expect(others).toEqual([]);
    expect(await invoicesOf(host, made, { key })).toMatchObject([{ status: 'paid' }]);
    expect(await typesOf(host, made.id, { key })).toEqual(['created']);
  });

  it('charges a minute later if the queue was down', async () => {
    const { key } = await aShop(host, { a: {} });
    await host.control('POST', '/faults', {
      point: 'queue',
      nth: 1,
      kind: 'error',
      when: 'before',
      handler: 'subscriptions',
    });
    const made = await subscribe(host, {}, { key });
    expect(host.faults.waiting).toEqual([]);
    expect(
      host.logged
        .filter(({ event }) => event === 'renewal_not_sent')
        .map(({ level, fields }) => [level, fields.subscription_id]),
    ).toEqual([['warn', made.id]]);
    await advance(host, '2m');
    expect(await invoicesOf(host, made, { key })).toMatchObject([{ status: 'paid', period_start: made.start_at }]);
  });
});

describe('callers', () => {
  itKnowsItsCallers(
    () => host,
    ['POST', SUBSCRIPTIONS, 'subscriptions:write', aSubscriptionBody()],
    async () => ({ id: '' }),
    '',
  );
  itKnowsItsCallers(
    () => host,
    ['GET', `${SUBSCRIPTIONS}/{id}`, 'subscriptions:read'],
    () => subscribeLater(host),
    'There is no such subscription.',
  );
});
