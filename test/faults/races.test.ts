import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiResponse, aPaymentBody, type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  anIntent,
  arrange,
  begin,
  complete,
  drain,
  eventTypesOf,
  moneyOf,
  pay,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';
import { timesOf } from '#test/support/whole-run.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const ROUNDS = 50;
const rounds = Array.from({ length: ROUNDS }, (_, n) => n);
const codesOf = (answers: readonly ApiResponse[]) =>
  answers.map(({ status, body }) => (status < 300 ? status : `${status} ${body.code}`)).toSorted();
const madeBy = async (customer: string): Promise<Body[]> =>
  (await host.call('GET', `/v1/payments?customer_id=${customer}&limit=200`)).body.payments;

/** Canceled: the provider kept nothing. Succeeded: it charged once and keeps the money. */
async function verifyEnd(id: string): Promise<'canceled' | 'succeeded'> {
  const { status, refunds } = await read(host, id);
  const { amount, refunded, count } = await moneyOf(host, id);
  const types = await eventTypesOf(host, id);
  if (status === 'canceled') {
    expect([amount - refunded, refunds.length, types]).toEqual([0, count, ['created', 'canceled']]);
    return 'canceled';
  }
  expect([status, amount, refunded, count, types]).toEqual(['succeeded', 5_000, 0, 1, ['created', 'succeeded']]);
  return 'succeeded';
}

describe('fifty simultaneous requests with one idempotency key', () => {
  it.each([
    ['payment', '/v1/payments', () => arrange(host, 'slow:100')],
    ['intent', '/v1/payments/intents', async () => undefined],
  ])('create one %s, and get the same response ever after', async (_, path, prepare) => {
    await prepare();
    const customer = randomUUID();
    const ask = () =>
      host.call('POST', path, aPaymentBody('ok', { customer_id: customer }), { idempotencyKey: customer });
    const answers = await Promise.all(rounds.map(ask));
    const first = answers.filter(
      ({ status, headers }) => status === 201 && headers.get('idempotency-replayed') === null,
    );
    const others = answers.filter((answer) => !first.includes(answer));
    expect(first).toHaveLength(1);
    for (const { status, text, body } of others) {
      if (status === 201) expect(text).toBe(first[0]?.text);
      else expect([status, body.code]).toEqual([409, 'idempotency_in_progress']);
    }
    for (const { status, text } of await Promise.all(rounds.map(ask)))
      expect([status, text]).toEqual([201, first[0]?.text]);
    const payments = await madeBy(customer);
    expect(payments).toHaveLength(1);
    expect((await moneyOf(host, payments[0].id)).count).toBe(path.endsWith('intents') ? 0 : 1);
  });

  it('confirm an intent once', async () => {
    const { id } = await anIntent(host);
    const how = { idempotencyKey: randomUUID() };
    const answers = await Promise.all(rounds.map(() => act(host, id, 'confirm', undefined, how)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(new Set(winners.map(({ text }) => text)).size).toBe(1);
    expect(new Set(codesOf(answers).filter((code) => code !== 200))).toEqual(
      new Set(winners.length < ROUNDS ? ['409 idempotency_in_progress'] : []),
    );
    expect([(await read(host, id)).attempts.length, await verifyEnd(id)]).toEqual([1, 'succeeded']);
  });

  it('refund once', async () => {
    const { id } = await pay(host);
    const how = { idempotencyKey: randomUUID() };
    await Promise.all(rounds.map(() => act(host, id, 'refund', { amount: 100 }, how)));
    expect([(await read(host, id)).amount_refunded, (await moneyOf(host, id)).refunded]).toEqual([100, 100]);
  });
});

describe('fifty simultaneous requests with fifty idempotency keys', () => {
  it('create fifty payments, each charged once', async () => {
    const customer = randomUUID();
    const answers = await Promise.all(
      rounds.map(() => host.call('POST', '/v1/payments', aPaymentBody('ok', { customer_id: customer }))),
    );
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(rounds.map(() => [201, 'succeeded']));
    const ids = (await madeBy(customer)).map(({ id }) => id);
    expect(ids.toSorted()).toEqual(answers.map(({ body }) => body.id).toSorted());
    for (const id of ids) expect(await moneyOf(host, id)).toMatchObject({ amount: 5_000, count: 1 });
  });

  it('confirm an intent once', async () => {
    const { id } = await anIntent(host);
    const answers = await Promise.all(rounds.map(() => act(host, id, 'confirm')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body } of answers)
      if (status !== 200)
        expect([status, ['payment_not_confirmable', 'outcome_unknown']]).toEqual([
          409,
          expect.arrayContaining([body.code]),
        ]);
    expect([(await read(host, id)).attempts.length, await verifyEnd(id)]).toEqual([1, 'succeeded']);
  });

  it('retry a failed payment once', async () => {
    const { id } = await pay(host, 'decline_card_declined');
    const answers = await Promise.all(
      rounds.map(() => act(host, id, 'retry', { payment_method: { type: 'card', token: 'ok' } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([(await read(host, id)).attempts.length, (await moneyOf(host, id)).count]).toEqual([2, 1]);
  });

  it('cancel a payment once', async () => {
    const { id } = await payOnPage(host);
    const answers = await Promise.all(rounds.map(() => act(host, id, 'cancel')));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    for (const { status, body } of answers)
      expect(status === 200 ? body.status : body.code).toMatch(/^(canceled|payment_not_cancelable)$/);
    expect(await verifyEnd(id)).toBe('canceled');
  });
});

describe('simultaneous refunds', () => {
  it('of 60 and 60 out of 100 refund 60', async () => {
    for (let n = 0; n < timesOf(10, 4); n += 1) {
      const { id } = await pay(host, 'ok', { amount: 100 });
      const answers = await Promise.all([1, 2].map(() => act(host, id, 'refund', { amount: 60 })));
      expect(codesOf(answers)).toEqual([200, '400 refund_exceeds_remaining']);
      expect(await read(host, id)).toMatchObject({ status: 'succeeded', amount_refunded: 60 });
      expect((await moneyOf(host, id)).refunded).toBe(60);
    }
  });

  it('of ten times 20 out of 100 refund five times 20', async () => {
    const { id } = await pay(host, 'ok', { amount: 100 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(host, id, 'refund', { amount: 20 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    const payment = await read(host, id);
    expect([payment.status, payment.amount_refunded, payment.refunds.map((r: Body) => [r.amount, r.status])]).toEqual([
      'refunded',
      100,
      Array(5).fill([20, 'succeeded']),
    ]);
    expect((await moneyOf(host, id)).refunded).toBe(100);
    expect((await eventTypesOf(host, id)).filter((type) => type === 'refunded')).toHaveLength(5);
  });

  it('reserve their amounts while they are pending', async () => {
    const { id } = await pay(host, 'pm_card_pendingRefund', { amount: 100 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(host, id, 'refund', { amount: 30 })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const { refunds } = await read(host, id);
    await Promise.all(refunds.map(({ psp_reference }: Body) => complete(host, psp_reference, 'succeeded')));
    expect([(await read(host, id)).amount_refunded, (await moneyOf(host, id)).refunded]).toEqual([90, 90]);
  });
});

describe('a confirmation concurrent with a cancel', () => {
  // Each of the orders below, and either way to the customer's page, twice.
  const cancelRounds = rounds.slice(0, timesOf(ROUNDS, 12));

  it('of an intent has one winner, and the provider agrees', async () => {
    for (const n of cancelRounds) {
      const { id } = await anIntent(host);
      const asks = [() => act(host, id, 'confirm'), () => act(host, id, 'cancel')];
      const answers = await Promise.all((n % 2 === 0 ? asks : asks.toReversed()).map((ask) => ask()));
      const won = await verifyEnd(id);
      const winner = answers.filter(({ status }) => status === 200);
      expect(winner.map(({ body }) => body.status)).toEqual([won]);
      for (const { status } of answers) expect([200, 409]).toContain(status);
    }
  });

  it('of a payment that the customer is completing has one outcome, and the provider agrees', async () => {
    const ends: string[] = [];
    for (const n of cancelRounds) {
      const { id } = n % 2 === 0 ? await payOnPage(host) : await pay(host, 'needs_3ds');
      const [pays, confirms, cancels] = [
        () => complete(host, id, 'succeeded'),
        () => act(host, id, 'confirm'),
        () => act(host, id, 'cancel'),
      ];
      if (n % 3 === 0) {
        const canceling = await begin(host, 'cancel', cancels);
        await Promise.all([pays(), confirms(), canceling.answer]);
      } else {
        await Promise.all((n % 3 === 1 ? [pays, confirms, cancels] : [cancels, confirms, pays]).map((step) => step()));
      }
      await drain(host);
      ends.push(await verifyEnd(id));
    }
    expect(new Set(ends)).toEqual(new Set(['canceled', 'succeeded']));
  });
});

describe('a refund concurrent with a callback for the same payment', () => {
  it('loses neither', async () => {
    for (let n = 0; n < timesOf(20, 8); n += 1) {
      const { id } = await pay(host, 'pm_card_pendingRefund');
      const { refunds } = (await act(host, id, 'refund', { amount: 1_000 })).body;
      await Promise.all([
        complete(host, refunds[0].psp_reference, 'succeeded'),
        act(host, id, 'refund', { amount: 2_000 }),
      ]);
      const payment = await read(host, id);
      expect([payment.amount_refunded, payment.refunds.map((r: Body) => r.status)]).toEqual([
        1_000,
        ['succeeded', 'pending'],
      ]);
    }
  });
});
