import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { randomCredentials } from '#lib/local/demo.ts';
import { type ApiResponse, aConnection, type Body, callsOf, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  complete,
  create,
  drain,
  moneyOf,
  pay,
  payAnywhere,
  payOnPage,
  read,
  type Shop,
} from '#test/support/payment-steps.ts';
import { PER_DAY, PER_MONTH } from '#test/support/retry-limits.ts';

const CARD = 'decline_card_declined';
const OTHER_CARD = 'decline_do_not_honor';
const DAY = 86_400_000;

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const card = (token: Body) => ({ payment_method: { type: 'card', token } });
const cards = (tokens: Body) => ({ payment_method: { type: 'card', tokens } });
const retry = ({ key }: Shop, { id }: Body, body?: Body): Promise<ApiResponse> => act(host, id, 'retry', body, { key });

/** Payments that are declined once each: a single token never fails over. The oldest comes first. */
async function declines({ key }: Shop, count: number, token: Body = CARD): Promise<Body[]> {
  const made: Body[] = [];
  for (let n = 0; n < count; n += 1) made.push(await pay(host, token, {}, { key }));
  expect(made.map(({ status, attempts }) => [status, attempts.length])).toEqual(made.map(() => ['failed', 1]));
  return made;
}

const refusal = { status: 409, body: { error: 'conflict', code: 'retry_budget_exhausted' } };
const startedAt = ({ attempts }: Body, later: number): string =>
  new Date(Date.parse(attempts.at(-1).started_at) + later).toISOString();

describe('a retry with a card that has reached its declines of a day', () => {
  it('is refused with the remedy and the time, and leaves the payment unchanged', async () => {
    const shop = await aShop(host, { a: {} });
    const made = await declines(shop, PER_DAY);
    const available_at = startedAt(made[0], DAY);
    const { status, body } = await retry(shop, made[PER_DAY - 1]);
    expect([status, body]).toEqual([
      409,
      {
        error: 'conflict',
        code: 'retry_budget_exhausted',
        message: expect.stringMatching(`another.*${available_at}`),
        details: { available_at },
        doc_url: expect.any(String),
      },
    ]);
    expect(await read(host, made[PER_DAY - 1].id, shop)).toEqual(made[PER_DAY - 1]);
  });

  it('continues with another card, which has a budget of its own', async () => {
    const shop = await aShop(host, { a: {} });
    const [payment, other] = await declines(shop, PER_DAY);
    expect((await retry(shop, payment, card('ok'))).body.status).toBe('succeeded');
    expect((await retry(shop, other, card(OTHER_CARD))).body.attempts).toHaveLength(2);
    expect(await retry(shop, other, card(CARD))).toMatchObject(refusal);
  });

  it('continues a day after the first decline', async () => {
    const shop = await aShop(host, { a: {} });
    const [first, last] = [(await declines(shop, 1))[0], (await declines(shop, PER_DAY - 1)).at(-1)];
    await advance(host, '23h');
    expect(await retry(shop, first)).toMatchObject(refusal);
    await advance(host, '2h');
    expect((await retry(shop, first)).body.attempts).toHaveLength(2);
    expect((await retry(shop, last)).body.attempts).toHaveLength(2);
  });

  it('gets the same response when it is repeated', async () => {
    const shop = await aShop(host, { a: {} });
    const [payment] = await declines(shop, PER_DAY);
    const how = { key: shop.key, idempotencyKey: randomUUID() };
    const [first, again] = [
      await act(host, payment.id, 'retry', undefined, how),
      await act(host, payment.id, 'retry', undefined, how),
    ];
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  });

  it('does not stop first attempts, whose declines count', async () => {
    const shop = await aShop(host, { a: {} });
    const [first] = await declines(shop, PER_DAY);
    const [ninth] = await declines(shop, 1);
    for (let n = 0; n < PER_MONTH - PER_DAY - 1; n += 1) {
      if (n % PER_DAY === 0) await advance(host, '25h');
      expect((await retry(shop, ninth)).status).toBe(200);
    }
    expect((await retry(shop, ninth)).body.details).toEqual({ available_at: startedAt(first, 30 * DAY) });
  });
});

describe('a retry with a card that has reached its declines of thirty days', () => {
  it('is refused until the first decline is thirty days old', async () => {
    const shop = await aShop(host, { a: {} });
    const [first] = await declines(shop, PER_DAY);
    await advance(host, '25h');
    const [payment] = await declines(shop, PER_MONTH - PER_DAY);
    expect((await retry(shop, payment)).body.details).toEqual({ available_at: startedAt(first, 30 * DAY) });
    await advance(host, '28d');
    expect(await retry(shop, payment)).toMatchObject(refusal);
    await advance(host, '1d');
    expect((await retry(shop, payment)).status).toBe(200);
  });
});

describe('failover with a card that has reached its declines of a day', () => {
  it('does not happen; the payment fails as declined and shows why it stopped', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    await declines(shop, PER_DAY - 2);
    const last = await payAnywhere(host, CARD, {}, shop);
    expect([last.attempts.length, last.routing.stopped]).toEqual([2, undefined]);
    const stopped = await payAnywhere(host, CARD, {}, shop);
    expect(stopped).toMatchObject({
      status: 'failed',
      failure: { code: 'card_declined', retryable: true },
      routing: { stopped: 'retry_budget_exhausted' },
    });
    expect(stopped.attempts.map(({ connection_id }: Body) => connection_id)).toEqual(['a']);
    expect(await read(host, stopped.id, shop)).toEqual(stopped);
  });

  it('counts the decline that has just happened', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    await declines(shop, PER_DAY - 1);
    expect((await payAnywhere(host, CARD, {}, shop)).attempts).toHaveLength(1);
  });

  it('does not happen even if the first connection was not reached', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    await declines(shop, PER_DAY);
    await arrange(host, 'refuse_connection');
    const stopped = await payAnywhere(host, CARD, {}, shop);
    expect([stopped.failure.code, stopped.attempts.length, stopped.routing.stopped]).toEqual([
      'provider_unavailable',
      1,
      'retry_budget_exhausted',
    ]);
  });

  it('happens for all simultaneous payments while the first connection is not reached, because none was declined', async () => {
    const shop = await aShop(host, {
      a: {},
      b: { provider: 'adyen', credentials: randomCredentials('adyen', 'sandbox') },
    });
    const all = 40;
    await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'refuse_connection', times: all });
    const body = {
      amount: 100,
      currency: 'EUR',
      payment_method: { type: 'card', tokens: { stripe: 'ok', adyen: 'ok' } },
    };
    const payments = await Promise.all(
      Array.from({ length: all }, async () => (await create(host, body, { key: shop.key })).body),
    );
    await host.control('DELETE', '/psp/scenario');
    expect(payments.map(({ status, routing }) => [status, routing.stopped])).toEqual(
      payments.map(() => ['succeeded', undefined]),
    );
    expect(payments.some(({ attempts }) => attempts.length > 1)).toBe(true);
  });

  it('is shown as stopped until the payment is routed again', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    await declines(shop, PER_DAY - 1);
    const stopped = await payAnywhere(host, CARD, {}, shop);
    expect((await retry(shop, stopped, cards({ stripe: 'ok' }))).body).toMatchObject({
      status: 'succeeded',
      routing: expect.not.objectContaining({ stopped: expect.anything() }),
    });
  });
});

describe('the retry budget of a payment method', () => {
  it('is the same for `token` and `tokens` of its provider', async () => {
    const shop = await aShop(host, { a: {} });
    const made = await declines(shop, PER_DAY);
    expect(await retry(shop, made[0], cards({ stripe: CARD }))).toMatchObject(refusal);
    await aConnection(host, shop, { id: 'b', provider: 'adyen' });
    await aConnection(host, shop, { id: 'a', status: 'inactive' });
    expect((await retry(shop, made[0], card(CARD))).body.attempts.map(({ provider }: Body) => provider)).toEqual([
      'stripe',
      'adyen',
    ]);
  });

  it('is used up if that of any of its tokens is', async () => {
    const shop = await aShop(host, { a: {} });
    await aConnection(host, shop, { id: 'b', provider: 'adyen' });
    await aConnection(host, shop, { id: 'a', status: 'inactive' });
    await declines(shop, PER_DAY);
    await aConnection(host, shop, { id: 'a', status: 'active' });
    const { body } = await create(
      host,
      { amount: 5_000, currency: 'EUR', ...cards({ stripe: OTHER_CARD, adyen: CARD }) },
      shop,
    );
    expect([body.attempts.length, body.routing.stopped]).toEqual([1, 'retry_budget_exhausted']);
    expect((await retry(shop, body, cards({ stripe: OTHER_CARD }))).status).toBe(200);
  });

  it('counts a decline for each of its tokens', async () => {
    const shop = await aShop(host, { a: {} });
    for (let n = 0; n < PER_DAY; n += 1)
      await create(host, { amount: 5_000, currency: 'EUR', ...cards({ stripe: OTHER_CARD, adyen: CARD }) }, shop);
    await aConnection(host, shop, { id: 'b', provider: 'adyen' });
    await aConnection(host, shop, { id: 'a', status: 'inactive' });
    const [payment] = await declines(shop, 1);
    expect(await retry(shop, payment)).toMatchObject(refusal);
  });

  it('exists for a token that is an object, in any order of fields', async () => {
    const shop = await aShop(host, {});
    await aConnection(host, shop, { id: 'a', provider: 'adyen' });
    const stored = { storedPaymentMethodId: CARD, shopperReference: 'shopper-1' };
    const made = await declines(shop, PER_DAY, stored);
    const turned = { shopperReference: 'shopper-1', storedPaymentMethodId: CARD };
    expect(await retry(shop, made[0], card(turned))).toMatchObject(refusal);
    expect((await retry(shop, made[0], card({ ...turned, shopperReference: 'shopper-2' }))).status).toBe(200);
  });

  it('is separate for each organization', async () => {
    const [shop, other] = [await aShop(host, { a: {} }), await aShop(host, { a: {} })];
    await declines(shop, PER_DAY);
    const [payment] = await declines(other, 1);
    expect((await retry(other, payment)).body.attempts).toHaveLength(2);
  });

  it("does not exist for a method that is entered on the provider's page", async () => {
    const shop = await aShop(host, { a: {} });
    const payment = await payOnPage(host, {}, shop);
    for (let n = 0; n < PER_DAY + 2; n += 1) {
      await complete(host, payment.id, 'failed');
      expect((await retry(shop, payment)).body.status).toBe('requires_action');
    }
  });
});

describe('what uses up a retry budget', () => {
  it.each(['processing_error', 'authentication_failed', 'authentication_required'])(
    'does not include %s',
    async (code) => {
      const shop = await aShop(host, { a: {} });
      const failed: Body[] = [];
      for (let n = 0; n < PER_DAY + 1; n += 1) {
        await arrange(host, `decline:${code}`);
        failed.push(await pay(host, 'ok', {}, shop));
      }
      expect(failed.map(({ failure }) => failure.code)).toEqual(failed.map(() => code));
      expect((await retry(shop, failed[0])).body.status).toBe('succeeded');
    },
  );

  it('does not include a retry that succeeds, or fails before the issuer is asked', async () => {
    const shop = await aShop(host, { a: {} });
    await arrange(host, 'decline:card_declined', { times: PER_DAY - 1 });
    const made = await Promise.all(Array.from({ length: PER_DAY - 1 }, () => pay(host, 'ok', {}, shop)));
    for (const payment of made) {
      await arrange(host, 'refuse_connection');
      expect((await retry(shop, payment)).body.failure.code).toBe('provider_unavailable');
      expect((await retry(shop, payment)).body.status).toBe('succeeded');
    }
  });

  it('includes a retry while its outcome is open', async () => {
    const shop = await aShop(host, { a: {} });
    await arrange(host, 'decline:card_declined', { times: PER_DAY - 1 });
    const [open, next, last] = await Promise.all(Array.from({ length: PER_DAY - 1 }, () => pay(host, 'ok', {}, shop)));
    await arrange(host, 'requires_action');
    expect((await retry(shop, open)).body.status).toBe('requires_action');
    expect(await retry(shop, next)).toMatchObject(refusal);
    await complete(host, open.id, 'succeeded');
    await arrange(host, 'requires_action');
    expect((await retry(shop, next)).body.status).toBe('requires_action');
    expect(await retry(shop, last)).toMatchObject(refusal);
    await act(host, next.id, 'cancel', undefined, shop);
    expect((await retry(shop, last)).body.status).toBe('succeeded');
  });

  it('does not include a retry that was refused for another reason', async () => {
    const shop = await aShop(host, { a: {} });
    const [payment] = await declines(shop, 1);
    const answers = await Promise.all(Array.from({ length: 20 }, () => retry(shop, payment, card('ok'))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await arrange(host, 'decline:card_declined', { times: PER_DAY - 1 });
    for (const each of await Promise.all(Array.from({ length: PER_DAY - 1 }, () => pay(host, 'ok', {}, shop))))
      expect((await retry(shop, each)).status).toBe(200);
  });
});

/** Declines a payment with this card, each in another way. */
const WAYS: readonly (readonly [string, (shop: Shop) => Promise<Body>])[] = [
  ['in the response of the provider', (shop) => pay(host, CARD, {}, shop)],
  [
    'after the customer has authenticated',
    async (shop) => {
      const payment = await pay(host, 'pm_card_threeDSecureRequiredChargeDeclined', {}, shop);
      await complete(host, payment.id, 'succeeded');
      return payment;
    },
  ],
  [
    'by a callback',
    async (shop) => {
      await arrange(host, 'garbage');
      const payment = await pay(host, CARD, {}, shop);
      await drain(host);
      return payment;
    },
  ],
  [
    'by a GET',
    async (shop) => {
      await arrange(host, 'garbage', { webhook: 'none' });
      const payment = await pay(host, CARD, {}, shop);
      await advance(host, '11s');
      await read(host, payment.id, shop);
      return payment;
    },
  ],
  [
    'by the timer',
    async (shop) => {
      await arrange(host, 'garbage', { webhook: 'none' });
      const payment = await pay(host, CARD, {}, shop);
      await advance(host, '2m');
      return payment;
    },
  ],
];

describe('a decline counts once when it is found', () => {
  it.each(WAYS)('%s', async (_, decline) => {
    const shop = await aShop(host, { a: {} });
    const payments: Body[] = [];
    for (let n = 0; n < PER_DAY - 1; n += 1) payments.push(await decline(shop));
    const seen = await Promise.all(payments.map(({ id }) => read(host, id, shop)));
    expect(seen.map(({ status, failure }) => [status, failure?.code])).toEqual(
      seen.map(() => ['failed', 'card_declined']),
    );
    expect((await retry(shop, payments[0])).status).toBe(200);
    expect(await retry(shop, payments[1])).toMatchObject(refusal);
    expect((await moneyOf(host, payments[0].id)).count).toBe(0);
  });
});

describe('the retry budget costs', () => {
  const calls = async (work: () => Promise<unknown>) =>
    (await callsOf(host, work, 'payments'))
      .flatMap(({ point, method }) => (point === 'table' || point === 'psp' ? [`${point}.${method}`] : []))
      .sort();
  // The snapshot and the summary of the organization, and the credentials of the chosen connection.
  const READS = ['table.get', 'table.get', 'table.get'];
  const PLAIN = ['psp.send', ...READS, 'table.put', 'table.put', 'table.update'];

  // Between two payments, what routing reads is summed up.
  it('nothing while the first attempt succeeds', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    await payAnywhere(host, 'ok', {}, shop);
    await drain(host);
    expect(await calls(() => payAnywhere(host, 'ok', {}, shop))).toEqual(PLAIN);
  });

  it('a write for a decline, and one for a failover', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    await declines(shop, 1);
    await drain(host);
    expect(await calls(() => declines(shop, 1))).toEqual([...PLAIN, 'table.update']);
    await arrange(host, 'decline:card_declined');
    expect(await calls(() => payAnywhere(host, 'ok', {}, shop))).toEqual(
      ['psp.send', ...PLAIN, 'table.get', 'table.put', 'table.update', 'table.update'].sort(),
    );
  });

  it('a read for a failover before any decline', async () => {
    const shop = await aShop(host, { a: {}, b: {} });
    await payAnywhere(host, 'ok', {}, shop);
    await drain(host);
    await arrange(host, 'refuse_connection');
    const made = await calls(() => payAnywhere(host, 'ok', {}, shop));
    expect(made.filter((call) => call.startsWith('table.'))).toEqual(
      [...PLAIN.filter((call) => call.startsWith('table.')), 'table.get', 'table.get', 'table.put'].sort(),
    );
  });
});
