import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
import {
  aDebtor,
  aRenewal,
  BEGUN,
  between,
  changeMethod,
  type Debtor,
  RENEWED_ONCE,
  SOFT,
  savePolicy,
  toNextTry,
} from '#test/http/invoices/dunning.support.ts';
import { changeSubscription, goTo, moveSubscription } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  aShop,
  askProvider,
  bring,
  complete,
  drain,
  eventText,
} from '#test/support/payment-steps.ts';

/** Patience of the tests: a silent provider is given up after so long. */
const BUDGET_MS = 500;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ pspBudgetMs: BUDGET_MS });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const silence = (behaviour: string, times = 1, more = {}) =>
  arrange(host, behaviour, { webhook: 'none', times, ...more });
const declines = (times = 1) => arrange(host, 'decline:insufficient_funds', { times });
const steps =
  (...all: readonly (() => Promise<unknown>)[]) =>
  async () => {
    for (const step of all) await step();
  };

/** No verdict yet: the invoice waits for it, with nothing planned. */
async function waits(debtor: Debtor, attempts: number): Promise<void> {
  expect((await debtor.payment()).status).toBe('processing');
  expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts, next_retry_at: null });
  expect((await debtor.subscription()).status).toBe('active');
}

const SETTLED = ['timeout_after_charge', 'timeout_before_charge', 'garbage'];

describe.each(SETTLED)('a try that ends in %s', (behaviour) => {
  it('is neither repeated nor failed, and has paid when the provider says so: the first one', async () => {
    const debtor = await aRenewal(host, () => silence(behaviour));
    await waits(debtor, 1);
    // Of what has begun everybody hears at once.
    expect(await debtor.events()).toEqual({ ...RENEWED_ONCE, 'payment.succeeded': 1, 'invoice.paid': 1 });
    await advance(host, '61s');
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 1, next_retry_at: null });
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([
      1,
      [
        [1, 1_990],
        [1, 1_990],
      ],
    ]);
    expect(await debtor.events()).toEqual({
      ...RENEWED_ONCE,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('and so has a later one', async () => {
    const debtor = await aRenewal(
      host,
      steps(declines, () => silence(behaviour)),
    );
    await toNextTry(host, debtor);
    await waits(debtor, 2);
    await advance(host, '61s');
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2, next_retry_at: null });
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([
      2,
      [
        [1, 1_990],
        [1, 1_990],
      ],
    ]);
    expect(await debtor.events()).toEqual({
      ...RENEWED_ONCE,
      'payment.failed': 1,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('has failed when the provider says so, and the next one is counted from that moment', async () => {
    const debtor = await aDebtor(host, 'ok');
    await changeMethod(host, debtor, SOFT);
    await silence(behaviour);
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    await waits(debtor, 1);
    const { started_at } = (await debtor.payment()).attempts[0];
    await advance(host, '61s');
    const [{ attempts, updated_at, next_retry_at }, payment] = [await debtor.invoice(), await debtor.payment()];
    expect([payment.status, payment.failure.code, attempts, between(updated_at, next_retry_at)]).toEqual([
      'failed',
      'insufficient_funds',
      1,
      DAY,
    ]);
    expect([between(started_at, updated_at), (await debtor.taken()).at(-1)]).toEqual([MINUTE, [0, 0]]);
  });
});

describe('a verdict that comes', () => {
  it('by a callback is the invoice’s at once', async () => {
    const debtor = await aDebtor(host, 'ok');
    await arrange(host, 'garbage');
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual([
      'paid',
      [
        [1, 1_990],
        [1, 1_990],
      ],
    ]);
    expect((await debtor.events())['subscription.renewed']).toBe(1);
  });

  it('because somebody looks at the payment counts from that moment', async () => {
    await silence('garbage');
    const debtor = await aDebtor(host, SOFT);
    await advance(host, '11s');
    expect((await debtor.payment()).status).toBe('failed');
    await drain(host);
    const [{ status, attempts, updated_at, next_retry_at }, payment] = [await debtor.invoice(), await debtor.payment()];
    expect([status, attempts, between(updated_at, next_retry_at)]).toEqual(['open', 1, DAY]);
    expect(between(payment.updated_at, updated_at)).toBeLessThan(5_000);
    expect(between(payment.attempts[0].started_at, updated_at)).toBeGreaterThan(11_000);
  });

  it('is a hard decline: the tries are used up at once', async () => {
    await silence('timeout_before_charge');
    const debtor = await aDebtor(host, 'decline_stolen_card');
    await waits(debtor, 1);
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status, await debtor.taken()]).toEqual([
      'failed',
      'paused',
      [[0, 0]],
    ]);
    expect(await debtor.events()).toEqual({
      ...BEGUN,
      'payment.failed': 1,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });
});

describe('news of an earlier try', () => {
  it('that come late, as a relay may bring them, end no later one', async () => {
    const debtor = await aDebtor(host, SOFT);
    const old = await host.deps.payments.byId((await debtor.invoice()).payment_id);
    expect(old?.status).toBe('failed');
    await silence('http_500');
    await toNextTry(host, debtor);
    const before = await debtor.invoice();
    await waits(debtor, 2);
    await settleInvoice(old!, host.deps);
    expect(await debtor.invoice()).toEqual(before);
  });
});

describe('a provider that never says what became of a try', () => {
  const made = async (before: () => Promise<unknown> = async () => undefined): Promise<Debtor> => {
    await before();
    return aDebtor(host, 'ok', { interval: 'yearly' });
  };
  const reviewed = async (): Promise<Debtor> => {
    const debtor = await made(() => silence('http_500'));
    await advance(host, '8d');
    return debtor;
  };

  it('is waited for a week: the invoice stays open, and nothing else is tried', async () => {
    const debtor = await made(() => silence('http_500'));
    for (let day = 0; day < 7; day += 1) {
      await waits(debtor, 1);
      await advance(host, '1d');
    }
    await advance(host, '2h');
    await waits(debtor, 1);
    expect((await debtor.payment()).review).toMatchObject({ reason: 'no_verdict' });
    await advance(host, '60d');
    await waits(debtor, 1);
    expect([(await debtor.payments()).length, (await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([
      1,
      1,
      [[0, 0]],
    ]);
    expect(await debtor.events()).toEqual(BEGUN);
  });

  it('at a later try is waited for as well', async () => {
    const debtor = await made(steps(declines, () => silence('http_500')));
    await toNextTry(host, debtor);
    await advance(host, '8d');
    await waits(debtor, 2);
    expect([(await debtor.payment()).review.reason, (await debtor.payment()).attempts.length]).toEqual([
      'no_verdict',
      2,
    ]);
    expect(await debtor.events()).toEqual({ ...BEGUN, 'payment.failed': 1 });
  });

  it('is given up by a cancel of the payment, and the next try makes another payment', async () => {
    const debtor = await reviewed();
    const first = await debtor.payment();
    expect((await act(host, first.id, 'cancel', undefined, debtor.how)).body).toMatchObject({
      status: 'canceled',
      review: null,
    });
    await drain(host);
    const invoice = await debtor.invoice();
    expect(invoice).toMatchObject({ status: 'open', attempts: 1, payment_id: first.id });
    expect(between(invoice.updated_at, invoice.next_retry_at)).toBe(DAY);
    await toNextTry(host, debtor);
    const second = await debtor.payment();
    expect([second.id === first.id, second.status, second.invoice_id, second.attempts.length]).toEqual([
      false,
      'succeeded',
      invoice.id,
      1,
    ]);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2, payment_id: second.id });
    expect(await debtor.taken()).toEqual([
      [0, 0],
      [1, 1_990],
    ]);
    expect(await debtor.events()).toEqual({
      ...BEGUN,
      'payment.created': 2,
      'payment.canceled': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it('and has taken money after all gives it back: the other payment has paid', async () => {
    const debtor = await made(
      steps(
        () => silence('garbage', 4),
        () => silence('http_500', 50, { match: { operation: 'find' } }),
      ),
    );
    await advance(host, '8d');
    const first = await debtor.payment();
    expect([first.review.reason, await debtor.taken()]).toEqual(['no_verdict', [[1, 1_990]]]);
    await act(host, first.id, 'cancel', undefined, debtor.how);
    await host.control('DELETE', '/psp/scenario');
    await drain(host);
    await toNextTry(host, debtor);
    const paid = await debtor.invoice();
    expect([paid.status, await debtor.taken()]).toEqual([
      'paid',
      [
        [1, 1_990],
        [1, 1_990],
      ],
    ]);
    const { secret_key, webhook_secret } = debtor.shop.credentials.a!;
    const { data } = await askProvider(
      host,
      secret_key,
      'GET',
      `/v1/payment_intents/search?query=metadata['payment_id']:'${first.id}'`,
    );
    for (let n = 0; n < 2; n += 1)
      await bring(host, eventText({ type: 'payment_intent.succeeded', object: data[0] }), webhook_secret);
    await drain(host);
    expect([await debtor.taken(), await debtor.invoice()]).toEqual([
      [
        [1, 0],
        [1, 1_990],
      ],
      paid,
    ]);
    const { status, refunds } = (await host.call('GET', `/v1/payments/${first.id}`, undefined, debtor.how)).body;
    expect([status, refunds.map(({ reason, status }: Body) => [reason, status])]).toEqual([
      'canceled',
      [['after_cancel', 'succeeded']],
    ]);
    expect((await debtor.events())['invoice.paid']).toBe(1);
  });

  it('ends its review itself when it speaks, and has paid the invoice', async () => {
    const debtor = await made(
      steps(
        () => silence('garbage', 4),
        () => silence('http_500', 50, { match: { operation: 'find' } }),
      ),
    );
    await advance(host, '8d');
    await host.control('DELETE', '/psp/scenario');
    const { id } = await debtor.payment();
    const { secret_key, webhook_secret } = debtor.shop.credentials.a!;
    const { data } = await askProvider(
      host,
      secret_key,
      'GET',
      `/v1/payment_intents/search?query=metadata['payment_id']:'${id}'`,
    );
    await bring(host, eventText({ type: 'payment_intent.succeeded', object: data[0] }), webhook_secret);
    await drain(host);
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({ ...BEGUN, 'payment.succeeded': 1, 'invoice.paid': 1 });
  });

  it('stops no later period: it has an invoice and a payment of its own', async () => {
    const debtor = await aRenewal(host, () => silence('http_500'));
    await waits(debtor, 1);
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    expect((await debtor.taken()).map(([count]) => count)).toEqual([1, 0, 1]);
    expect(await debtor.events()).toMatchObject({ 'invoice.created': 3, 'invoice.paid': 2, 'subscription.renewed': 1 });
  });
});

describe('a verdict that comes after the subscription was', () => {
  it('paused: the last try has failed the invoice, and pauses nothing a second time', async () => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, { max_retries: 0 });
    await silence('timeout_before_charge');
    const debtor = await aDebtor(host, SOFT, {}, shop);
    await changeSubscription(host, debtor, { status: 'paused' }, debtor.how);
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status]).toEqual(['failed', 'paused']);
    expect(await debtor.events()).toEqual({
      ...BEGUN,
      'payment.failed': 1,
      'invoice.failed': 1,
      'subscription.paused': 1,
      'subscription.updated': 1,
    });
  });

  it('canceled: a try that failed leaves the invoice canceled', async () => {
    await silence('timeout_before_charge');
    const debtor = await aDebtor(host, SOFT);
    await moveSubscription(host, debtor, 'cancel', undefined, debtor.how);
    expect((await debtor.invoice()).status).toBe('open');
    await advance(host, '61s');
    expect(await debtor.invoice()).toMatchObject({ status: 'canceled', attempts: 1, next_retry_at: null });
    await advance(host, '10d');
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([1, [[0, 0]]]);
    expect(await debtor.events()).toEqual({
      ...BEGUN,
      'payment.failed': 1,
      'invoice.canceled': 1,
      'subscription.canceled': 1,
    });
  });

  it('canceled: a try that was charged has paid what was owed before', async () => {
    await silence('timeout_after_charge');
    const debtor = await aDebtor(host, 'ok');
    await moveSubscription(host, debtor, 'cancel', undefined, debtor.how);
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({
      ...BEGUN,
      'payment.succeeded': 1,
      'invoice.paid': 1,
      'subscription.canceled': 1,
    });
  });
});

describe('a renewal that the provider has accepted, and will decide later', () => {
  const pending = () => aRenewal(host, () => arrange(host, 'pending'));

  it('is paid when its callback says so', async () => {
    const debtor = await pending();
    await waits(debtor, 1);
    await advance(host, '2d');
    await waits(debtor, 1);
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 1, next_retry_at: null });
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([
      1,
      [
        [1, 1_990],
        [1, 1_990],
      ],
    ]);
    expect(await debtor.events()).toEqual({
      ...RENEWED_ONCE,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('has failed when its callback says so, and is tried again from that moment on', async () => {
    const debtor = await pending();
    await advance(host, '2d');
    await complete(host, (await debtor.payment()).psp_reference, 'failed');
    const { status, attempts, updated_at, next_retry_at } = await debtor.invoice();
    expect([status, attempts, between(updated_at, next_retry_at)]).toEqual(['open', 1, DAY]);
    await toNextTry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect(await debtor.taken()).toEqual([
      [1, 1_990],
      [1, 1_990],
    ]);
    expect(await debtor.events()).toMatchObject({ 'payment.failed': 1, 'invoice.paid': 2, 'subscription.renewed': 1 });
  });

  it('is asked about as well: it is paid although no callback comes', async () => {
    const debtor = await aRenewal(host, () => arrange(host, 'pending', { webhook: 'none' }));
    await advance(host, '2d');
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    await waits(debtor, 1);
    await advance(host, '1d');
    expect([(await debtor.invoice()).status, (await debtor.taken())[1]]).toEqual(['paid', [1, 1_990]]);
    expect((await debtor.events())['invoice.paid']).toBe(2);
  });

  it('is a person’s to look at after a week, and waits on', async () => {
    const debtor = await aDebtor(host, 'pending', { interval: 'yearly' });
    await advance(host, '9d');
    expect((await debtor.payment()).review).toMatchObject({ reason: 'no_verdict' });
    await waits(debtor, 1);
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({ ...BEGUN, 'payment.succeeded': 1, 'invoice.paid': 1 });
  });
});

describe('callbacks of a try', () => {
  it.each(['early', 'duplicate', 'reordered', 'late:300', 'none'])('may come %s: it pays once', async (webhook) => {
    const debtor = await aRenewal(
      host,
      steps(
        () => arrange(host, 'decline:insufficient_funds', { webhook }),
        () => arrange(host, 'approve', { webhook }),
      ),
    );
    await toNextTry(host, debtor);
    await new Promise((done) => setTimeout(done, webhook.startsWith('late') ? 400 : 0));
    await drain(host);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect(await debtor.taken()).toEqual([
      [1, 1_990],
      [1, 1_990],
    ]);
    expect(await debtor.events()).toEqual({
      ...RENEWED_ONCE,
      'payment.failed': 1,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });
});
