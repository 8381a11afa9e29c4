import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  aDebtor,
  aRenewal,
  changeMethod,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  FIRST_RENEWAL_EVENTS,
  millisecondsBetween,
  SOFT_DECLINE,
  savePolicy,
  throughAllRetries,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { changeSubscription, goTo, moveSubscription } from '#test/support/billing.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, aShop, begin, complete, drain, operationsOf, pay } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ pspBudgetMs: 500 });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const DAY = 86_400_000;

const declines = (times: number, code = 'insufficient_funds') => arrange(host, `decline:${code}`, { times });
const silence = (behaviour: string) => arrange(host, behaviour, { webhook: 'none' });
const verdict = ({ status, body }: ApiResponse) => [status, body.code];
const codesOf = (answers: readonly ApiResponse[]) =>
  answers.map(({ status, body }) => (status === 200 ? '200' : `${status} ${body.code}`)).toSorted();

/** An invoice whose first attempt failed, and whose card would be accepted now. */
const open = async (more: Body = {}): Promise<Debtor> => {
  await declines(1);
  return aDebtor(host, 'ok', { interval: 'yearly', ...more });
};

/** Everything that a rejected request must not change. */
const all = async (debtor: Debtor) => [
  await debtor.invoice(),
  await debtor.payments(),
  await debtor.subscription(),
  await debtor.events(),
];

async function refuses(debtor: Debtor, code: string): Promise<ApiResponse> {
  const before = await all(debtor);
  const answer = await debtor.retry();
  expect([verdict(answer), answer.body.error]).toEqual([[409, code], 'conflict']);
  expect(await all(debtor)).toEqual(before);
  return answer;
}

describe('a requested retry of an open invoice', () => {
  it('pays it, and the planned retry is not made', async () => {
    const debtor = await open();
    const { id, payment_id } = await debtor.invoice();
    const { status, body } = await debtor.retry();
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ id, status: 'paid', attempts: 2, next_retry_at: null, payment_id }),
    ]);
    expect(await debtor.invoice()).toEqual(body);
    await advance(host, '20d');
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([2, [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it("keeps the planned retry when it fails, and uses up none of the policy's retries", async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const { next_retry_at } = await debtor.invoice();
    await advance(host, '5h');
    for (const attempts of [2, 3]) {
      expect(await debtor.retry()).toMatchObject({ status: 200, body: { status: 'open', attempts, next_retry_at } });
    }
    await toNextRetry(host, debtor);
    const { updated_at, next_retry_at: second, attempts } = await debtor.invoice();
    expect([updated_at, attempts, millisecondsBetween(updated_at, second)]).toEqual([next_retry_at, 4, 3 * DAY]);
    await throughAllRetries(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 6 });
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 6,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });

  it('fails the invoice at once on a hard decline', async () => {
    const debtor = await open();
    await declines(1, 'lost_card');
    expect((await debtor.retry()).body).toMatchObject({ status: 'failed', attempts: 2, next_retry_at: null });
    expect((await debtor.subscription()).status).toBe('paused');
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 2,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });

  it('keeps the planned retry while its own outcome is unknown, and after it failed', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const { next_retry_at } = await debtor.invoice();
    await silence('timeout_before_charge');
    expect((await debtor.retry()).body).toMatchObject({ status: 'open', attempts: 2 });
    await advance(host, '61s');
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 2, next_retry_at });
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ attempts: 3, updated_at: next_retry_at });
  });

  it('delays the planned retry if its own outcome was unknown at that time', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const { next_retry_at } = await debtor.invoice();
    await goTo(host, new Date(Date.parse(next_retry_at) - 30_000).toISOString());
    await silence('timeout_before_charge');
    await debtor.retry();
    await advance(host, '40s');
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 2 });
    await advance(host, '2m');
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 3 });
    expect((await debtor.payment()).attempts).toHaveLength(3);
  });

  it('is made while the subscription is paused, which stays paused', async () => {
    const debtor = await open();
    await changeSubscription(host, debtor, { status: 'paused' }, debtor.how);
    expect((await debtor.retry()).body.status).toBe('paid');
    expect([(await debtor.subscription()).status, await debtor.taken()]).toEqual(['paused', [[1, 1_990]]]);
  });
});

describe('a requested retry of a failed invoice', () => {
  const failed = async (): Promise<Debtor> => {
    const debtor = await aRenewal(host, () => declines(4));
    await throughAllRetries(host, debtor);
    expect((await debtor.invoice()).status).toBe('failed');
    return debtor;
  };
  const BEFORE = { ...FIRST_RENEWAL_EVENTS, 'invoice.failed': 1, 'subscription.paused': 1 };

  it('pays it, and the subscription stays paused', async () => {
    const debtor = await failed();
    expect((await debtor.retry()).body).toMatchObject({ status: 'paid', attempts: 5, next_retry_at: null });
    expect([await debtor.subscription(), await debtor.taken()]).toEqual([
      expect.objectContaining({ status: 'paused', next_renewal_at: null }),
      [
        [1, 1_990],
        [1, 1_990],
      ],
    ]);
    await advance(host, '70d');
    expect(await debtor.payments()).toHaveLength(2);
    expect(await debtor.events()).toEqual({
      ...BEFORE,
      'payment.failed': 4,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('leaves it failed when it fails, and announces that only once', async () => {
    const debtor = await failed();
    await declines(2);
    for (const attempts of [5, 6])
      expect((await debtor.retry()).body).toMatchObject({ status: 'failed', attempts, next_retry_at: null });
    await advance(host, '30d');
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 6 });
    expect(await debtor.events()).toEqual({
      ...BEFORE,
      'payment.failed': 6,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it('leaves it failed until an unknown outcome is known, and then pays it', async () => {
    const debtor = await failed();
    await silence('timeout_after_charge');
    expect((await debtor.retry()).body).toMatchObject({ status: 'failed', attempts: 5 });
    await refuses(debtor, 'outcome_unknown');
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual([
      'paid',
      [
        [1, 1_990],
        [1, 1_990],
      ],
    ]);
    expect(await debtor.events()).toMatchObject({
      'invoice.failed': 1,
      'invoice.paid': 2,
      'subscription.paused': 1,
      'subscription.renewed': 1,
    });
  });

  it('pays it even if its subscription is resumed or canceled meanwhile', async () => {
    const [going, ended] = [await failed(), await failed()];
    await moveSubscription(host, going, 'resume', undefined, going.how);
    await moveSubscription(host, ended, 'cancel', undefined, ended.how);
    expect([(await going.retry()).body.status, (await ended.retry()).body.status]).toEqual(['paid', 'paid']);
    expect([(await going.subscription()).status, (await ended.subscription()).status]).toEqual(['active', 'canceled']);
    expect([await going.taken(), await ended.taken()]).toEqual(
      Array(2).fill([
        [1, 1_990],
        [1, 1_990],
      ]),
    );
  });
});

describe('a requested retry is rejected', () => {
  it('for a paid invoice', async () => {
    await refuses(await aDebtor(host, 'ok', { interval: 'yearly' }), 'invoice_not_retryable');
  });

  it('for a canceled invoice', async () => {
    const debtor = await open();
    await debtor.cancel();
    await refuses(debtor, 'invoice_not_retryable');
  });

  it('while its payment waits for the customer', async () => {
    const debtor = await aDebtor(host, 'needs_3ds', { interval: 'yearly' });
    expect((await refuses(debtor, 'invoice_not_retryable')).body.message).toContain('customer');
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
  });

  it('while its payment is accepted and not decided', async () => {
    const debtor = await aDebtor(host, 'pending', { interval: 'yearly' });
    await refuses(debtor, 'invoice_not_retryable');
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    expect(await debtor.taken()).toEqual([[1, 1_990]]);
  });

  it('while the outcome of the last attempt is unknown, without using up the idempotency key', async () => {
    await declines(1);
    await silence('timeout_before_charge');
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    await debtor.retry();
    const answer = await refuses(debtor, 'outcome_unknown');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const same = { idempotencyKey: randomUUID() };
    expect(verdict(await debtor.retry(same))).toEqual([409, 'outcome_unknown']);
    await changeMethod(host, debtor, SOFT_DECLINE);
    await advance(host, '61s');
    // Paid by now: the same request is decided again.
    expect([verdict(await debtor.retry(same)), await debtor.taken()]).toEqual([
      [409, 'invoice_not_retryable'],
      [[1, 1_990]],
    ]);
  });

  it('while its payment is in review', async () => {
    await arrange(host, 'http_500', { webhook: 'none' });
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    await advance(host, '8d');
    expect((await debtor.payment()).review.reason).toBe('no_verdict');
    await refuses(debtor, 'invoice_not_retryable');
    await host.call('POST', `/v1/payments/${(await debtor.payment()).id}/cancel`, undefined, debtor.how);
    expect((await debtor.retry()).body).toMatchObject({ status: 'paid', attempts: 2 });
    expect(await debtor.taken()).toEqual([
      [0, 0],
      [1, 1_990],
    ]);
  });

  it('for a card that was declined eight times in a day, with the time of the next possible attempt', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const { attempts } = await debtor.payment();
    for (let n = 0; n < 7; n += 1) await pay(host, SOFT_DECLINE, {}, debtor.how);
    const { body } = await refuses(debtor, 'retry_budget_exhausted');
    expect(body.details).toEqual({ available_at: new Date(Date.parse(attempts[0].started_at) + DAY).toISOString() });
    await changeMethod(host, debtor, 'ok');
    expect((await debtor.retry()).body.status).toBe('paid');
  });
});

describe.each(['lost_card', 'stolen_card', 'fraud_suspected'])('after the decline %s', (code) => {
  it('does not charge the same card again', async () => {
    const debtor = await aDebtor(host, `decline_${code}`);
    const { body } = await refuses(debtor, 'invoice_not_retryable');
    expect(body.message).toContain(code);
    expect(
      (await operationsOf(host, (await debtor.payment()).id)).filter((operation) => operation === 'create'),
    ).toHaveLength(1);
  });

  it('pays with another card, and a new payment', async () => {
    const debtor = await aDebtor(host, `decline_${code}`);
    const first = await debtor.payment();
    await changeMethod(host, debtor, 'ok');
    const { status, body } = await debtor.retry();
    expect([status, body.status, body.attempts, body.payment_id === first.id]).toEqual([200, 'paid', 2, false]);
    expect(await debtor.payment()).toMatchObject({
      status: 'succeeded',
      invoice_id: body.id,
      amount: 1_990,
      attempts: [{ status: 'succeeded' }],
    });
    expect([await debtor.taken(), (await debtor.subscription()).status]).toEqual([
      [
        [0, 0],
        [1, 1_990],
      ],
      'paused',
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.created': 2,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.failed': 1,
      'invoice.paid': 1,
      'subscription.paused': 1,
      'subscription.updated': 1,
    });
  });

  it('may retry another card that was soft-declined, with the same payment', async () => {
    const debtor = await aDebtor(host, `decline_${code}`);
    await changeMethod(host, debtor, SOFT_DECLINE);
    const { payment_id } = (await debtor.retry()).body;
    await changeMethod(host, debtor, 'ok');
    expect((await debtor.retry()).body).toMatchObject({ status: 'paid', attempts: 3, payment_id });
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([
      2,
      [
        [0, 0],
        [1, 1_990],
      ],
    ]);
  });
});

describe('after an expired card', () => {
  it('asks the provider nothing until the subscription has another card', async () => {
    const debtor = await aDebtor(host, 'decline_expired_card');
    const before = await debtor.payment();
    const { status, body } = await debtor.retry();
    expect([status, body.code]).toEqual([409, 'invoice_not_retryable']);
    expect(body.message).toMatch(/failed with expired_card\. Update the payment method/);
    expect([await debtor.payment(), (await debtor.invoice()).attempts]).toEqual([before, 1]);
  });

  it('pays with another card, and the same payment', async () => {
    const debtor = await aDebtor(host, 'decline_expired_card');
    const { payment_id } = await debtor.invoice();
    await changeMethod(host, debtor, 'ok');
    expect((await debtor.retry()).body).toMatchObject({ status: 'paid', attempts: 2, payment_id });
    expect(await debtor.taken()).toEqual([[1, 1_990]]);
  });
});

describe('a requested retry that is repeated with its idempotency key', () => {
  it('returns the same response, and makes one attempt', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const same = { idempotencyKey: randomUUID() };
    const first = await debtor.retry(same);
    const again = await debtor.retry(same);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect([(await debtor.invoice()).attempts, (await debtor.payment()).attempts.length]).toEqual([2, 2]);
  });

  it('reports that the first request is running, and later returns the same response', async () => {
    const debtor = await open();
    await arrange(host, 'slow:200');
    const same = { idempotencyKey: randomUUID() };
    const { answer } = await begin(host, 'create', () => debtor.retry(same));
    expect(verdict(await debtor.retry(same))).toEqual([409, 'idempotency_in_progress']);
    expect((await debtor.retry(same)).status).toBe(409);
    const first = await answer;
    expect([first.body.status, (await debtor.retry(same)).text, await debtor.taken()]).toEqual([
      'paid',
      first.text,
      [[1, 1_990]],
    ]);
  });
});

describe('two concurrent retries', () => {
  it('make one attempt while the provider is slow', async () => {
    const debtor = await open();
    await arrange(host, 'slow:200');
    const { answer } = await begin(host, 'create', () => debtor.retry());
    expect(verdict(await debtor.retry())).toEqual([409, 'outcome_unknown']);
    expect((await answer).body.status).toBe('paid');
    expect([(await debtor.invoice()).attempts, await debtor.taken()]).toEqual([2, [[1, 1_990]]]);
  });

  it.each(Array.from({ length: 6 }, (_, n) => [n]))('make one attempt in any order (round %i)', async () => {
    const debtor = await open();
    const retry = await debtor.ready('retry');
    const answers = await Promise.all(Array.from({ length: 4 }, () => retry()));
    const codes = codesOf(answers);
    expect(codes.filter((code) => code === '200')).toHaveLength(1);
    for (const code of codes.slice(1))
      expect(['409 write_conflict', '409 outcome_unknown', '409 invoice_not_retryable']).toContain(code);
    await drain(host);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([2, [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });
});

describe('a requested retry at the moment of the planned one', () => {
  // If both start at once, the schedule is usually faster.
  it.each([...Array(4).fill('at once'), ...Array(4).fill('a little later')])('charges once (%s)', async (when) => {
    const debtor = await open();
    const { next_retry_at } = await debtor.invoice();
    await goTo(host, new Date(Date.parse(next_retry_at) - 60_000).toISOString());
    const retry = when === 'at once' ? await debtor.ready('retry') : debtor.retry;
    const [answer] = await Promise.all([retry(), goTo(host, next_retry_at)]);
    expect(['200', '409 write_conflict', '409 outcome_unknown', '409 invoice_not_retryable']).toContain(
      codesOf([answer])[0],
    );
    await advance(host, '10d');
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2, next_retry_at: null });
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([2, [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it('counts beside it if both are declined: neither replaces the other', async () => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, { delays: ['1h'], max_retries: 2 });
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' }, shop);
    const { next_retry_at } = await debtor.invoice();
    const [answer] = await Promise.all([debtor.retry(), goTo(host, next_retry_at)]);
    const own = answer.status === 200 ? 1 : 0;
    await throughAllRetries(host, debtor);
    const { status, attempts } = await debtor.invoice();
    expect([status, attempts, (await debtor.payment()).attempts.length]).toEqual(['failed', 3 + own, 3 + own]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 3 + own,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });
});
