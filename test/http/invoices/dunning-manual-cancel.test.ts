import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  aDebtor,
  aRenewal,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  FIRST_RENEWAL_EVENTS,
  SOFT_DECLINE,
  throughAllRetries,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { changeSubscription, goTo } from '#test/support/billing.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  begin,
  complete,
  drain,
  operationsOf,
  read,
} from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ pspBudgetMs: 500 });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const declines = (times: number) => arrange(host, 'decline:insufficient_funds', { times });
const silence = (behaviour: string) => arrange(host, behaviour, { webhook: 'none' });
const verdict = ({ status, body }: ApiResponse) => [status, body.code];
const refundsOf = ({ refunds }: Body) => refunds.map(({ amount, reason, status }: Body) => [amount, reason, status]);

const open = async (token = 'ok'): Promise<Debtor> => {
  await declines(1);
  return aDebtor(host, token, { interval: 'yearly' });
};
const all = async (debtor: Debtor) => [
  await debtor.invoice(),
  await debtor.payments(),
  await debtor.subscription(),
  await debtor.events(),
];

async function refuses(debtor: Debtor, code: string): Promise<void> {
  const before = await all(debtor);
  expect(verdict(await debtor.cancel())).toEqual([409, code]);
  expect(await all(debtor)).toEqual(before);
}

describe('a cancel of an invoice', () => {
  it('stops the retries of an open invoice, and the subscription stays active', async () => {
    const debtor = await aRenewal(host, () => declines(1));
    const before = await debtor.invoice();
    const { status, body } = await debtor.cancel();
    expect([status, body]).toEqual([
      200,
      { ...before, status: 'canceled', next_retry_at: null, updated_at: body.updated_at },
    ]);
    expect(await debtor.invoice()).toEqual(body);
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    expect((await debtor.payments()).map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
    expect([(await debtor.subscription()).status, await debtor.taken()]).toEqual([
      'active',
      [
        [1, 1_990],
        [0, 0],
        [1, 1_990],
      ],
    ]);
    expect(await debtor.events()).toEqual({
      'subscription.created': 1,
      'invoice.created': 3,
      'payment.created': 3,
      'payment.succeeded': 2,
      'payment.failed': 1,
      'invoice.paid': 2,
      'invoice.canceled': 1,
      'subscription.renewed': 1,
    });
  });

  it('cancels a failed invoice, and the subscription stays paused', async () => {
    const debtor = await aRenewal(host, () => declines(4));
    await throughAllRetries(host, debtor);
    expect(await debtor.cancel()).toMatchObject({
      status: 200,
      body: { status: 'canceled', attempts: 4, next_retry_at: null },
    });
    await advance(host, '40d');
    expect([(await debtor.subscription()).status, await debtor.taken()]).toEqual([
      'paused',
      [
        [1, 1_990],
        [0, 0],
      ],
    ]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 1,
      'payment.failed': 4,
      'invoice.paid': 1,
      'invoice.failed': 1,
      'invoice.canceled': 1,
      'subscription.paused': 1,
    });
  });

  it('cancels an open invoice of a paused subscription', async () => {
    const debtor = await open();
    await changeSubscription(host, debtor, { status: 'paused' }, debtor.how);
    expect((await debtor.cancel()).body.status).toBe('canceled');
    await advance(host, '5d');
    expect([(await debtor.invoice()).status, (await debtor.payment()).attempts.length]).toEqual(['canceled', 1]);
  });

  it('is rejected if the invoice is paid or already canceled', async () => {
    const [paid, canceled] = [await aDebtor(host, 'ok', { interval: 'yearly' }), await open()];
    await refuses(paid, 'invoice_not_cancelable');
    await canceled.cancel();
    await refuses(canceled, 'invoice_not_cancelable');
    expect([await paid.taken(), await canceled.taken()]).toEqual([[[1, 1_990]], [[0, 0]]]);
  });

  it('cancels a payment that waits for the customer, also at the provider', async () => {
    const debtor = await aDebtor(host, 'needs_3ds', { interval: 'yearly' });
    expect(await debtor.cancel()).toMatchObject({
      status: 200,
      body: { status: 'canceled', attempts: 1, next_retry_at: null },
    });
    const payment = await debtor.payment();
    expect([payment.status, payment.next_action, await operationsOf(host, payment.id)]).toEqual([
      'canceled',
      null,
      expect.arrayContaining(['cancel']),
    ]);
    await advance(host, '5d');
    expect([(await debtor.payments()).length, await debtor.taken()]).toEqual([1, [[0, 0]]]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.canceled': 1, 'invoice.canceled': 1 });
  });

  it('is rejected if the customer has paid in the meantime', async () => {
    const debtor = await aDebtor(host, 'needs_3ds', { interval: 'yearly' });
    const { psp_reference } = await debtor.payment();
    const [answer] = await Promise.all([debtor.cancel(), complete(host, psp_reference, 'succeeded')]);
    await drain(host);
    const isPaid = (await debtor.invoice()).status === 'paid';
    expect([answer.status, (await debtor.invoice()).status]).toEqual(isPaid ? [409, 'paid'] : [200, 'canceled']);
    expect((await debtor.taken())[0]?.[1]).toBe(isPaid ? 1_990 : 0);
  });

  it.each(['timeout_after_charge', 'timeout_before_charge'])(
    'is rejected while the outcome of the first attempt is unknown (%s)',
    async (behaviour) => {
      await silence(behaviour);
      const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
      await refuses(debtor, 'outcome_unknown');
      await advance(host, '61s');
      expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
    },
  );

  it('is rejected while a later attempt has no outcome, and succeeds with the same key after it failed', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE, { interval: 'yearly' });
    await silence('timeout_before_charge');
    await toNextRetry(host, debtor);
    await refuses(debtor, 'outcome_unknown');
    const same = { idempotencyKey: randomUUID() };
    expect((await debtor.cancel(same)).status).toBe(409);
    await advance(host, '61s');
    expect(await debtor.cancel(same)).toMatchObject({ status: 200, body: { status: 'canceled', attempts: 2 } });
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.failed': 2, 'invoice.canceled': 1 });
  });

  it('cancels a payment that the provider has accepted and not decided', async () => {
    const debtor = await aDebtor(host, 'pending', { interval: 'yearly' });
    expect((await debtor.payment()).status).toBe('processing');
    expect((await debtor.cancel()).body.status).toBe('canceled');
    expect((await debtor.payment()).status).toBe('canceled');
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['canceled', [[1, 0]]]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.canceled': 1, 'invoice.canceled': 1 });
  });

  it("is rejected if the connection can't cancel, and the attempt continues", async () => {
    const shop = await aShop(host, { a: { capabilities: { cancel: false } } });
    const debtor = await aDebtor(host, 'pending', { interval: 'yearly' }, shop);
    await refuses(debtor, 'payment_not_cancelable');
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
  });

  it('ends the review of its payment too', async () => {
    await silence('http_500');
    const debtor = await aDebtor(host, 'ok', { interval: 'yearly' });
    await advance(host, '8d');
    expect((await debtor.payment()).review.reason).toBe('no_verdict');
    expect(await debtor.cancel()).toMatchObject({ status: 200, body: { status: 'canceled', attempts: 1 } });
    expect(await debtor.payment()).toMatchObject({ status: 'canceled', review: null });
    await advance(host, '5d');
    expect([(await debtor.payments()).length, await debtor.taken()]).toEqual([1, [[0, 0]]]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.canceled': 1, 'invoice.canceled': 1 });
  });

  it('returns the same response when repeated with its idempotency key, and is announced once', async () => {
    const debtor = await open();
    const same = { idempotencyKey: randomUUID() };
    const first = await debtor.cancel(same);
    const again = await debtor.cancel(same);
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect((await debtor.events())['invoice.canceled']).toBe(1);
  });
});

describe('concurrent cancels of an invoice', () => {
  it('take effect once', async () => {
    const debtor = await open();
    const cancel = await debtor.ready('cancel');
    const answers = await Promise.all(Array.from({ length: 5 }, () => cancel()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.failed': 1, 'invoice.canceled': 1 });
  });

  it.each(Array.from({ length: 6 }, (_, n) => [n]))(
    'together with a retry leave a paid invoice or no money kept (round %i)',
    async () => {
      const debtor = await open();
      const [cancel, retry] = [await debtor.ready('cancel'), await debtor.ready('retry')];
      const [canceled, tried] = await Promise.all([cancel(), retry()]);
      await advance(host, '2m');
      const { status } = await debtor.invoice();
      const [[count, kept] = [0, 0]] = await debtor.taken();
      if (status === 'paid') expect([tried.status, canceled.status, count, kept]).toEqual([200, 409, 1, 1_990]);
      else expect([status, canceled.status, kept]).toEqual(['canceled', 200, 0]);
      expect(await debtor.events()).toMatchObject({ [`invoice.${status}`]: 1 });
      expect(Object.keys(await debtor.events())).not.toContain(status === 'paid' ? 'invoice.canceled' : 'invoice.paid');
    },
  );

  it('together with the planned retry leave a paid invoice or no money kept', async () => {
    const debtor = await open();
    const cancel = await debtor.ready('cancel');
    const [canceled] = await Promise.all([cancel(), toNextRetry(host, debtor)]);
    await advance(host, '2m');
    const { status } = await debtor.invoice();
    const [[, kept] = [0, 0]] = await debtor.taken();
    expect([canceled.status, kept]).toEqual(status === 'paid' ? [409, 1_990] : [200, 0]);
  });

  it('are rejected while an attempt is running, which then pays', async () => {
    const debtor = await open();
    await arrange(host, 'slow:200');
    const { answer } = await begin(host, 'create', () => debtor.retry());
    expect(verdict(await debtor.cancel())).toEqual([409, 'outcome_unknown']);
    expect((await answer).body.status).toBe('paid');
    expect(await debtor.taken()).toEqual([[1, 1_990]]);
  });
});

describe('a charge that arrives after the cancel of its invoice', () => {
  it('is refunded once if its attempt had failed, and the invoice stays canceled', async () => {
    const debtor = await aRenewal(host, () => declines(1));
    const canceled = (await debtor.cancel()).body;
    const { id, psp_reference } = await debtor.payment();
    for (let n = 0; n < 2; n += 1) await complete(host, psp_reference, 'succeeded');
    await advance(host, '61s');
    expect([await debtor.invoice(), await debtor.taken()]).toEqual([
      canceled,
      [
        [1, 1_990],
        [1, 0],
      ],
    ]);
    expect(refundsOf(await read(host, id, debtor.how))).toEqual([[1_990, 'after_cancel', 'succeeded']]);
    expect(await debtor.events()).toEqual({
      ...FIRST_RENEWAL_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 2,
      'invoice.paid': 1,
      'invoice.canceled': 1,
    });
  });

  it('is refunded once if the customer pays late, and payment and invoice stay canceled', async () => {
    const debtor = await aDebtor(host, 'needs_3ds', { interval: 'yearly' });
    const canceled = (await debtor.cancel()).body;
    const { id, psp_reference } = await debtor.payment();
    for (let n = 0; n < 2; n += 1) await complete(host, psp_reference, 'succeeded');
    await advance(host, '2h');
    const payment = await read(host, id, debtor.how);
    expect([payment.status, refundsOf(payment)]).toEqual(['canceled', [[1_990, 'after_cancel', 'succeeded']]]);
    expect([await debtor.invoice(), await debtor.taken()]).toEqual([canceled, [[1, 0]]]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.canceled': 1, 'invoice.canceled': 1 });
  });

  it('cannot come from a retry of the payment itself, which is rejected', async () => {
    const debtor = await open();
    const canceled = (await debtor.cancel()).body;
    const refused = await act(host, canceled.payment_id, 'retry', undefined, debtor.how);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'payment_not_retryable', message: 'The invoice of this payment is canceled.' },
    });
    await advance(host, '2h');
    expect([await debtor.invoice(), await debtor.taken()]).toEqual([canceled, [[0, 0]]]);
  });

  it('is refunded too if the invoice had failed before', async () => {
    const debtor = await aDebtor(host, 'decline_lost_card', { interval: 'yearly' });
    await debtor.cancel();
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['canceled', [[1, 0]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 1,
      'invoice.failed': 1,
      'invoice.canceled': 1,
      'subscription.paused': 1,
    });
  });

  it('is refunded again when a person ends the review, if the provider rejected the first refund', async () => {
    const debtor = await open();
    await debtor.cancel();
    await arrange(host, 'decline:card_declined', { match: { operation: 'refund' } });
    const { id, psp_reference } = await debtor.payment();
    await complete(host, psp_reference, 'succeeded');
    await advance(host, '61s');
    expect([(await debtor.payment()).review.reason, await debtor.taken()]).toEqual(['refund_failed', [[1, 1_990]]]);
    await act(host, id, 'cancel', undefined, debtor.how);
    expect([(await debtor.payment()).review, await debtor.taken(), (await debtor.invoice()).status]).toEqual([
      null,
      [[1, 0]],
      'canceled',
    ]);
  });
});
