import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDebtor, savePolicy, throughAllRetries, toNextRetry } from '#test/http/invoices/dunning.support.ts';
import { changeSubscription, goTo, moveSubscription, subscribe } from '#test/support/billing.ts';
import { type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';
import { aShop } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const HOUR = 3_600_000;
const dunning = async (id: string, how: CallOptions): Promise<Body> =>
  (await host.call('GET', `/v1/invoices/${id}/dunning`, undefined, how)).body;
const upcoming = async (id: string, how: CallOptions): Promise<Body> =>
  (await host.call('GET', `/v1/subscriptions/${id}/upcoming`, undefined, how)).body;

describe('GET /v1/invoices/{id}/dunning', () => {
  it('names the policy, and each retry that it would make', async () => {
    const debtor = await aDebtor(host);
    const { id, next_retry_at } = await debtor.invoice();
    const body = await dunning(id, debtor.how);
    const hoursLater = (hours: number) => new Date(Date.parse(next_retry_at) + hours * HOUR).toISOString();
    expect(body).toEqual({
      ...{ invoice_id: id, status: 'open', attempts: 1, collecting: false, retries_used: 1, retries_left: 2 },
      policy: { source: 'default', delays: ['24h', '72h', '120h'], max_retries: 3 },
      planned: [
        { retry: 1, at: next_retry_at },
        { retry: 2, at: hoursLater(72) },
        { retry: 3, at: hoursLater(72 + 120) },
      ],
    });
    const planned = body.planned;
    await toNextRetry(host, debtor);
    expect((await dunning(id, debtor.how)).planned).toEqual(planned.slice(1));
    await throughAllRetries(host, debtor);
    expect(await dunning(id, debtor.how)).toMatchObject({
      ...{ status: 'failed', attempts: 4, retries_left: 0, planned: [] },
    });
  });

  it.each([
    ['organization', { delays: ['1h'], max_retries: 2 }],
    ['plan', { plan_id: 'basic', delays: ['30m'], max_retries: 1 }],
  ])('says that the policy is that of the %s', async (source, policy) => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, policy);
    const debtor = await aDebtor(host, undefined, {}, shop);
    const { id } = await debtor.invoice();
    const { delays, max_retries } = policy;
    expect((await dunning(id, debtor.how)).policy).toEqual({ source, delays, max_retries });
  });

  it("answers 404 for another organization's invoice", async () => {
    const [debtor, other] = [await aDebtor(host), await aShop(host, { a: {} })];
    const { id } = await debtor.invoice();
    expect((await host.call('GET', `/v1/invoices/${id}/dunning`, undefined, { key: other.key })).status).toBe(404);
  });
});

describe('GET /v1/subscriptions/{id}/upcoming', () => {
  it('lists the next periods from the anchor, with a change of terms from the next one on', async () => {
    const shop = await aShop(host, { a: {} });
    const how = { key: shop.key };
    const made = await subscribe(host, { interval: 'monthly' }, how);
    await changeSubscription(host, made, { amount: 2_500 }, how);
    const { periods } = await upcoming(made.id, how);
    expect(periods).toHaveLength(6);
    expect(periods[0]).toMatchObject({ number: 2, start: made.next_renewal_at, started: false, amount: 2_500 });
    expect(periods.map((each: Body) => each.start).slice(1)).toEqual(
      periods.map((each: Body) => each.end).slice(0, -1),
    );
    await goTo(host, made.next_renewal_at);
    expect((await upcoming(made.id, how)).periods).toEqual([...periods.slice(1), expect.anything()]);
  });

  it('ends with the period that is the last one, and is empty while nothing renews', async () => {
    const shop = await aShop(host, { a: {} });
    const how = { key: shop.key };
    const made = await subscribe(host, { interval: 'weekly', start_at: later(3) }, how);
    const before = await upcoming(made.id, how);
    expect(before.periods[0]).toMatchObject({ number: 1, start: made.start_at, charged_at: made.start_at });
    await changeSubscription(host, made, { status: 'paused' }, how);
    expect((await upcoming(made.id, how)).periods).toEqual([]);
    await moveSubscription(host, made, 'resume', undefined, how);
    await moveSubscription(host, made, 'cancel', { at_period_end: true }, how);
    expect((await upcoming(made.id, how)).periods).toEqual([]);
  });
});

const later = (days: number) => new Date(host.clock.now().getTime() + days * 24 * HOUR).toISOString();
