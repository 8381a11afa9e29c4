import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeSubscription, moveSubscription, subscribe } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, aShop, drain, keyWith, type Shop } from '#test/support/payment-steps.ts';

let host: TestHost;
let shop: Shop;
const days: string[] = [];
const how = () => ({ key: shop.key });
const today = () => host.clock.now().toISOString().slice(0, 10);
const stats = (query = '', key = shop.key) => host.call('GET', `/v1/subscriptions/stats${query}`, undefined, { key });
const ofCurrency = async (currency: string, query = ''): Promise<Body> =>
  (await stats(query)).body.by_currency.find((each: Body) => each.currency === currency);

/** Three days: four start, one of them in dollars and one later; then amounts change, and one pauses; then one is canceled. */
beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { conn_a: { capabilities: { currencies: ['EUR', 'USD'] } } });
  days.push(today());
  const [monthly, yearly] = [
    await subscribe(host, { amount: 1_000 }, how()),
    await subscribe(host, { amount: 12_000, interval: 'yearly' }, how()),
  ];
  const weekly = await subscribe(host, { amount: 300, interval: 'weekly' }, how());
  await subscribe(host, { amount: 500, currency: 'USD' }, how());
  const later = new Date(host.clock.now().getTime() + 40 * 86_400_000).toISOString();
  const scheduled = await subscribe(host, { amount: 700, start_at: later }, how());
  const unwanted = await subscribe(host, { amount: 900, start_at: later }, how());
  await moveSubscription(host, unwanted, 'cancel', undefined, how());
  await advance(host, '24h');
  days.push(today());
  await changeSubscription(host, monthly, { amount: 1_500 }, how());
  await changeSubscription(host, yearly, { amount: 6_000 }, how());
  await changeSubscription(host, weekly, { status: 'paused' }, how());
  await drain(host);
  await advance(host, '24h');
  days.push(today());
  await moveSubscription(host, yearly, 'cancel', undefined, how());
  await moveSubscription(host, weekly, 'resume', undefined, how());
  await moveSubscription(host, monthly, 'cancel', { at_period_end: true }, how());
  expect(scheduled.status).toBe('active');
  await drain(host);
});
afterAll(() => host.close());

describe('GET /v1/subscriptions/stats', () => {
  it('says how subscriptions stand now, with a twelfth of their yearly revenue', async () => {
    // 1,500 a month, and 300 for each of 52 weeks.
    const mrr = Math.round((1_500 * 12 + 300 * 52) / 12);
    expect((await ofCurrency('EUR')).now).toEqual({
      ...{ active: 2, paused: 0, canceled: 1, scheduled: 1, ending: 1, mrr },
    });
    expect((await ofCurrency('USD')).now).toMatchObject({ active: 1, mrr: 500 });
  });

  it('tells the five movements of revenue day by day, and the level that each day ended with', async () => {
    const { by_day } = await ofCurrency('EUR', `?from=${days[0]}&to=${days[2]}`);
    const weekly = 1_300;
    const none = {
      ...{ new: 0, canceled: 0, paused: 0, churned: 0, reactivated: 0 },
      ...{ mrr_new: 0, mrr_expansion: 0, mrr_contraction: 0, mrr_churned: 0, mrr_reactivated: 0 },
    };
    expect(by_day).toEqual([
      { day: days[0], active: 3, mrr: 2_000 + weekly, ...none, new: 3, mrr_new: 2_000 + weekly },
      {
        ...{ day: days[1], active: 2, mrr: 2_000, ...none },
        ...{ paused: 1, churned: 1, mrr_churned: weekly, mrr_expansion: 500, mrr_contraction: 500 },
      },
      {
        ...{ day: days[2], active: 2, mrr: 1_500 + weekly, ...none },
        ...{ canceled: 1, churned: 1, reactivated: 1, mrr_churned: 500, mrr_reactivated: weekly },
      },
    ]);
  });

  it('gives churn by what was active before the first day', async () => {
    const body = await ofCurrency('EUR', `?from=${days[1]}&to=${days[2]}`);
    expect(body).toMatchObject({ start: { active: 3, mrr: 3_300 }, end: { active: 2, mrr: 2_800 } });
    expect(body).toMatchObject({ churn_rate: 0.6667, mrr_churn_rate: Number((1_800 / 3_300).toFixed(4)) });
    expect((await ofCurrency('EUR', `?from=${days[0]}&to=${days[0]}`)).churn_rate).toBeNull();
  });

  it('tells of past days what was then, and of one currency alone if asked to', async () => {
    const past = await ofCurrency('EUR', `?from=${days[0]}&to=${days[1]}`);
    expect(past.end).toEqual({ active: 2, mrr: 2_000 });
    expect((await stats('?currency=usd')).body.by_currency.map(({ currency }: Body) => currency)).toEqual(['USD']);
  });

  it('counts a renewal as no movement, and a later start on the day of its first period', async () => {
    await advance(host, '41d');
    await drain(host);
    const { now, by_day } = await ofCurrency('EUR', `?from=${days[0]}`);
    expect(now).toMatchObject({ scheduled: 0, active: 2, ending: 0, canceled: 2, mrr: 700 + 1_300 });
    expect(by_day.reduce((sum: number, each: Body) => sum + each.new, 0)).toBe(4);
    expect(by_day.at(-1)).toMatchObject({ active: 2, mrr: 2_000 });
  });

  it('refuses days that do not fit, and keys without the scope', async () => {
    expect((await stats('?from=2020-01-01')).body.details.fields).toEqual([
      { path: 'query.from', message: 'Must be at most 731 days ago.' },
    ]);
    expect((await stats('?from=2027-06-02&to=2026-06-01')).status).toBe(400);
    const key = await keyWith(host, ['payments:read'], how());
    expect((await stats('', key)).body).toMatchObject({ code: 'missing_scope' });
  });
});
