import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  aDebtor,
  aRenewal,
  changeMethod,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  FIRST_RENEWAL_EVENTS,
  millisecondsBetween,
  SOFT_DECLINE,
  throughAllRetries,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { goTo } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  askProvider,
  begin,
  bring,
  complete,
  drain,
  eventText,
  operationsOf,
  read,
} from '#test/support/payment-steps.ts';
import { relayGate } from '#test/support/relay-gate.ts';

/**
 * Money that arrives outside of the running attempt: late, twice, or because the merchant retried the payment.
 */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ pspBudgetMs: 500 });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const DAY = 86_400_000;
const PAID = [1, 1_990] as const;

const declines = (times: number) => arrange(host, 'decline:insufficient_funds', { times });
const succeeds = (reference: string) => complete(host, reference, 'succeeded');
const refundsOf = ({ refunds }: Body) => refunds.map(({ amount, reason, status }: Body) => [amount, reason, status]);
const card = (token: string) => ({ payment_method: { type: 'card', token } });
const retryPayment = async (debtor: Debtor, body?: Body) => {
  const answer = await act(host, (await debtor.payment()).id, 'retry', body, debtor.how);
  await drain(host);
  return answer;
};

describe('a failed attempt that was charged after all', () => {
  it('pays the invoice, and the planned retry is not made', async () => {
    const debtor = await aRenewal(host, () => declines(1));
    const { id, psp_reference } = await debtor.payment();
    await succeeds(psp_reference);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 1, next_retry_at: null, payment_id: id });
    await advance(host, '10d');
    expect(await debtor.payment()).toMatchObject({
      status: 'succeeded',
      late_success: true,
      attempts: [{ status: 'succeeded' }],
    });
    expect(await debtor.taken()).toEqual([PAID, PAID]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it.each([0, 1, 2, 3])(
    'pays an invoice that has failed since, and does not resume the subscription (attempt %i of four)',
    async (n) => {
      const debtor = await aRenewal(host, () => declines(4));
      await throughAllRetries(host, debtor);
      expect((await debtor.invoice()).status).toBe('failed');
      await succeeds((await debtor.payment()).attempts[n].psp_reference);
      expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 4, next_retry_at: null });
      expect((await debtor.subscription()).status).toBe('paused');
      await advance(host, '40d');
      expect([await debtor.taken(), (await debtor.payment()).attempts.length]).toEqual([[PAID, PAID], 4]);
      expect(await debtor.events()).toEqual({
        ...FIRST_RENEWAL_EVENTS,
        'payment.failed': 4,
        'payment.succeeded': 2,
        'invoice.failed': 1,
        'invoice.paid': 2,
        'subscription.paused': 1,
        'subscription.renewed': 1,
      });
    },
  );

  it('pays the invoice once if its callback comes twice', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const { secret_key, webhook_secret } = debtor.shop.credentials.a!;
    const { psp_reference } = await debtor.payment();
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: psp_reference, outcome: 'succeeded' });
    const object = await askProvider(host, secret_key, 'GET', `/v1/payment_intents/${psp_reference}`);
    const texts = [1, 2, 3].map(() => eventText({ type: 'payment_intent.succeeded', object }));
    await Promise.all([...texts, ...texts].map((text) => bring(host, text, webhook_secret)));
    await drain(host);
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [PAID]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it('is refunded once if the next attempt has paid already', async () => {
    await declines(1);
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    const { psp_reference } = await debtor.payment();
    await toNextRetry(host, debtor);
    const paid = await debtor.invoice();
    for (let n = 0; n < 2; n += 1) await succeeds(psp_reference);
    await advance(host, '2m');
    expect([await debtor.invoice(), await debtor.taken()]).toEqual([paid, [[2, 1_990]]]);
    expect(refundsOf(await debtor.payment())).toEqual([[1_990, 'duplicate_charge', 'succeeded']]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it('pays with one of two charges if the next attempt is running, and the other one is refunded', async () => {
    await declines(1);
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    const { psp_reference } = await debtor.payment();
    await arrange(host, 'timeout_after_charge', { webhook: 'none' });
    await toNextRetry(host, debtor);
    await succeeds(psp_reference);
    expect((await debtor.invoice()).status).toBe('paid');
    await advance(host, '30m');
    expect([(await debtor.invoice()).attempts, await debtor.taken()]).toEqual([2, [[2, 1_990]]]);
    expect(refundsOf(await debtor.payment())).toEqual([[1_990, 'duplicate_charge', 'succeeded']]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });
});

describe('the first of two payments of an invoice', () => {
  const another = async (): Promise<{ readonly debtor: Debtor; readonly first: Body }> => {
    const debtor = await aDebtor(host, 'decline_lost_card', { interval: 'yearly' });
    const first = await debtor.payment();
    await changeMethod(host, debtor, 'ok');
    return { debtor, first };
  };

  it('is refunded once if it is charged after the second one has paid', async () => {
    const { debtor, first } = await another();
    await debtor.retry();
    const paid = await debtor.invoice();
    expect([paid.status, await debtor.taken()]).toEqual(['paid', [[0, 0], PAID]]);
    for (let n = 0; n < 2; n += 1) await succeeds(first.psp_reference);
    await advance(host, '2m');
    expect([await debtor.invoice(), await debtor.taken()]).toEqual([paid, [[1, 0], PAID]]);
    const late = await read(host, first.id, debtor.how);
    expect([late.status, late.late_success, refundsOf(late)]).toEqual([
      'succeeded',
      true,
      [[1_990, 'duplicate_charge', 'succeeded']],
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.created': 2,
      'payment.failed': 1,
      'payment.succeeded': 2,
      'invoice.failed': 1,
      'invoice.paid': 1,
      'subscription.paused': 1,
      'subscription.updated': 1,
    });
  });

  it('pays if it is charged while the second one is running, whose charge is refunded once', async () => {
    const { debtor, first } = await another();
    await arrange(host, 'timeout_after_charge', { webhook: 'none' });
    expect((await debtor.retry()).body.status).toBe('failed');
    await succeeds(first.psp_reference);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', payment_id: first.id });
    await advance(host, '10m');
    expect([(await debtor.invoice()).payment_id, await debtor.taken()]).toEqual([first.id, [PAID, [1, 0]]]);
    const [, second] = await debtor.payments();
    expect(refundsOf(second)).toEqual([[1_990, 'duplicate_charge', 'succeeded']]);
    expect((await debtor.events())['invoice.paid']).toBe(1);
  });

  it('pays if it is charged after the second one has failed too', async () => {
    const { debtor, first } = await another();
    await declines(1);
    expect((await debtor.retry()).body).toMatchObject({ status: 'failed', attempts: 2 });
    await succeeds(first.psp_reference);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2, payment_id: first.id });
    expect([await debtor.taken(), (await debtor.events())['invoice.paid']]).toEqual([[PAID, [0, 0]], 1]);
  });

  it('leaves exactly one charge if both are charged at the same moment', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { debtor, first } = await another();
      const retry = await debtor.ready('retry');
      await Promise.all([retry(), succeeds(first.psp_reference)]);
      await advance(host, '2m');
      const taken = await debtor.taken();
      expect([(await debtor.invoice()).status, taken.reduce((sum, [, kept]) => sum + kept, 0)]).toEqual([
        'paid',
        1_990,
      ]);
      expect((await debtor.events())['invoice.paid']).toBe(1);
      const keeping = (await debtor.payments()).filter(
        ({ status, refunds }) => status === 'succeeded' && refunds.length === 0,
      );
      expect(keeping.map(({ id }) => id)).toEqual([(await debtor.invoice()).payment_id]);
    }
  });
});

describe("a merchant's retry of the payment itself", () => {
  it('pays the invoice, and no later attempt is made', async () => {
    const debtor = await aRenewal(host, () => declines(1));
    expect((await retryPayment(debtor)).body.status).toBe('succeeded');
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', next_retry_at: null });
    await advance(host, '10d');
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([2, [PAID, PAID]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('leaves the invoice and its planned retry as they are if it fails', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const before = await debtor.invoice();
    expect((await retryPayment(debtor)).body.status).toBe('failed');
    expect(await debtor.invoice()).toEqual(before);
    await toNextRetry(host, debtor);
    const { attempts, updated_at, next_retry_at } = await debtor.invoice();
    expect([attempts, updated_at, millisecondsBetween(updated_at, next_retry_at)]).toEqual([
      2,
      before.next_retry_at,
      3 * DAY,
    ]);
    expect((await debtor.payment()).attempts).toHaveLength(3);
  });

  it("leaves the planned retries to the subscription's card if its own card is lost", async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    expect((await retryPayment(debtor, card('decline_lost_card'))).body.failure.code).toBe('lost_card');
    expect((await debtor.invoice()).status).toBe('open');
    await changeMethod(host, debtor, 'ok');
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect((await debtor.taken()).map(([, kept]) => kept).toSorted()).toEqual([0, 1_990]);
  });

  it('delays the planned retry while its outcome is unknown', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    const { next_retry_at } = await debtor.invoice();
    await arrange(host, 'http_500', { webhook: 'none' });
    expect((await retryPayment(debtor, card('ok'))).body.status).toBe('processing');
    await goTo(host, next_retry_at);
    await advance(host, '3h');
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 1 });
    expect([(await debtor.payment()).status, (await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([
      'processing',
      2,
      [[0, 0]],
    ]);
    expect(await debtor.retry()).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
  });

  it('pays a failed invoice, and the subscription stays paused', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    await throughAllRetries(host, debtor);
    expect((await retryPayment(debtor, card('ok'))).body.status).toBe('succeeded');
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status, await debtor.taken()]).toEqual([
      'paid',
      'paused',
      [PAID],
    ]);
    expect(await debtor.events()).toMatchObject({ 'invoice.failed': 1, 'invoice.paid': 1, 'subscription.paused': 1 });
  });

  it('does not charge beside a running planned retry', async () => {
    await declines(1);
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    await arrange(host, 'slow:200');
    const { answer } = await begin(host, 'create', () => toNextRetry(host, debtor));
    expect((await retryPayment(debtor)).status).toBe(409);
    await answer;
    expect([(await debtor.invoice()).attempts, await debtor.taken()]).toEqual([2, [PAID]]);
  });

  it.each(Array.from({ length: 5 }, (_, n) => [n]))(
    'charges once together with the planned retry at the same moment (round %i)',
    async () => {
      await declines(1);
      const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
      const [{ id }, { next_retry_at }] = [await debtor.payment(), await debtor.invoice()];
      await Promise.all([act(host, id, 'retry', undefined, debtor.how), goTo(host, next_retry_at)]);
      await advance(host, '5d');
      expect([(await debtor.invoice()).status, (await debtor.payment()).attempts.length, await debtor.taken()]).toEqual(
        ['paid', 2, [PAID]],
      );
      expect(await debtor.events()).toEqual({
        ...FIRST_CHARGE_EVENTS,
        'payment.failed': 1,
        'payment.succeeded': 1,
        'invoice.paid': 1,
      });
    },
  );
});

describe("a merchant's cancel of a payment that waits for the customer", () => {
  it('ends that attempt, and the next retry makes another payment', async () => {
    const debtor = await aDebtor(host, 'needs_3ds', { interval: 'yearly' });
    const first = await debtor.payment();
    expect((await act(host, first.id, 'cancel', undefined, debtor.how)).body.status).toBe('canceled');
    await drain(host);
    const invoice = await debtor.invoice();
    expect([invoice.status, invoice.attempts, millisecondsBetween(invoice.updated_at, invoice.next_retry_at)]).toEqual([
      'open',
      1,
      DAY,
    ]);
    await changeMethod(host, debtor, 'ok');
    await toNextRetry(host, debtor);
    const second = await debtor.payment();
    expect([second.id === first.id, second.status, second.attempts.length]).toEqual([false, 'succeeded', 1]);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2, payment_id: second.id });
    expect([await debtor.taken(), await operationsOf(host, first.id)]).toEqual([
      [[0, 0], PAID],
      expect.arrayContaining(['cancel']),
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.created': 2,
      'payment.canceled': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
      'subscription.updated': 1,
    });
  });

  it("uses up the policy's retries when repeated, each with its own payment", async () => {
    const debtor = await aDebtor(host, 'needs_3ds', { interval: 'yearly' });
    for (let tries = 1; tries <= 4; tries += 1) {
      expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: tries });
      await act(host, (await debtor.payment()).id, 'cancel', undefined, debtor.how);
      await drain(host);
      if (tries < 4) await toNextRetry(host, debtor);
    }
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 4 });
    expect([(await debtor.payments()).length, (await debtor.subscription()).status]).toEqual([4, 'paused']);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.created': 4,
      'payment.canceled': 4,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });

  it("refunds the customer's late payment, and the other payment pays", async () => {
    const debtor = await aDebtor(host, 'needs_3ds', { interval: 'yearly' });
    const first = await debtor.payment();
    await act(host, first.id, 'cancel', undefined, debtor.how);
    await drain(host);
    await succeeds(first.psp_reference);
    await changeMethod(host, debtor, 'ok');
    await toNextRetry(host, debtor);
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 0], PAID]]);
    expect(refundsOf(await read(host, first.id, debtor.how))).toEqual([[1_990, 'after_cancel', 'succeeded']]);
  });
});

describe('a payment that was refunded before its invoice was settled', () => {
  it('still pays the invoice', async () => {
    await arrange(host, 'timeout_after_charge', { webhook: 'none' });
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    const { id } = await debtor.payment();
    await advance(host, '11s');
    // The relay is late, and sees only the final state of the payment.
    const relay = relayGate(host);
    onTestFinished(() => relay.set('works'));
    relay.set('holds');
    expect((await read(host, id, debtor.how)).status).toBe('succeeded');
    expect((await act(host, id, 'refund', undefined, debtor.how)).body.status).toBe('refunded');
    expect((await debtor.invoice()).status).toBe('open');
    relay.set('works');
    await drain(host);
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 0]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.succeeded': 1,
      'payment.refunded': 1,
      'invoice.paid': 1,
    });
  });
});

/** A charge for the invoice's payment that the service never requested. */
async function chargedBeside(debtor: Debtor, amount: string): Promise<void> {
  const { org_id, credentials } = debtor.shop;
  const names = {
    'metadata[org_id]': org_id,
    'metadata[connection_id]': 'a',
    'metadata[payment_id]': (await debtor.payment()).id,
  };
  const form = {
    amount,
    currency: 'eur',
    confirm: 'true',
    payment_method: 'ok',
    return_url: 'https://shop.example/',
    ...names,
  };
  await askProvider(host, credentials.a!.secret_key, 'POST', '/v1/payment_intents', form);
  await drain(host);
}

describe('a charge of another amount', () => {
  it('postpones retries until a person ends the review, so that nobody is charged twice', async () => {
    await declines(1);
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    await chargedBeside(debtor, '700');
    const payment = await debtor.payment();
    expect([payment.status, payment.review.reason]).toEqual(['failed', 'amount_mismatch']);
    await advance(host, '3d');
    expect([await debtor.invoice(), await debtor.taken()]).toEqual([
      expect.objectContaining({ status: 'open', attempts: 1 }),
      [[1, 700]],
    ]);
    const refused = await debtor.retry();
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'invoice_not_retryable',
      expect.stringContaining('review'),
    ]);
    await act(host, payment.id, 'cancel', undefined, debtor.how);
    expect(await debtor.taken()).toEqual([[1, 0]]);
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2, payment_id: payment.id });
    expect([await debtor.taken(), (await debtor.events())['invoice.paid']]).toEqual([[[2, 1_990]], 1]);
  });

  it('does not pay the invoice: its review refunds it, and the next retry makes another payment', async () => {
    await arrange(host, 'wrong_amount');
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    const first = await debtor.payment();
    expect([first.status, first.review.reason, (await debtor.invoice()).status]).toEqual([
      'processing',
      'amount_mismatch',
      'open',
    ]);
    expect((await debtor.retry()).body.code).toBe('invoice_not_retryable');
    await act(host, first.id, 'cancel', undefined, debtor.how);
    await drain(host);
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect([await debtor.taken(), refundsOf(await read(host, first.id, debtor.how))]).toEqual([
      [[1, 0], PAID],
      [[1_991, 'after_cancel', 'succeeded']],
    ]);
  });
});
