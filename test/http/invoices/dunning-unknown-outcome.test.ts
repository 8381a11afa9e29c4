import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { settleInvoice } from '#shared/services/billing/settle-invoice.service.ts';
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
  toNextRetry,
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

/** The deadline for PSP calls in these tests. */
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

/** No outcome yet: the invoice waits for it, with no planned retry. */
async function waits(debtor: Debtor, attempts: number): Promise<void> {
  expect((await debtor.payment()).status).toBe('processing');
  expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts, next_retry_at: null });
  expect((await debtor.subscription()).status).toBe('active');
}

const SETTLED = ['timeout_after_charge', 'timeout_before_charge', 'garbage'];

describe.each(SETTLED)('a try that ends in %s', (behaviour) => {
  it('is neither repeated nor failed, and pays when the provider says so, if it is the first one', async () => {
    const debtor = await aRenewal(host, () => silence(behaviour));
    await waits(debtor, 1);
    // Started resources are announced at once.
    expect(await debtor.events()).toEqual({ ...FIRST_RENEWAL_EVENTS, 'payment.succeeded': 1, 'invoice.paid': 1 });
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
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('is neither repeated nor failed, and pays when the provider says so, if it is a later one', async () => {
    const debtor = await aRenewal(
      host,
      steps(declines, () => silence(behaviour)),
    );
    await toNextRetry(host, debtor);
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
      ...FIRST_RENEWAL_EVENTS,
      'payment.failed': 1,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('fails when the provider says so, and the next retry is planned from that moment', async () => {
    const debtor = await aDebtor(host, 'ok');
    await changeMethod(host, debtor, SOFT_DECLINE);
    await silence(behaviour);
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    await waits(debtor, 1);
    const { started_at } = (await debtor.payment()).attempts[0];
    await advance(host, '61s');
    const [{ attempts, updated_at, next_retry_at }, payment] = [await debtor.invoice(), await debtor.payment()];
    expect([payment.status, payment.failure.code, attempts, millisecondsBetween(updated_at, next_retry_at)]).toEqual([
      'failed',
      'insufficient_funds',
      1,
      DAY,
    ]);
    expect([millisecondsBetween(started_at, updated_at), (await debtor.taken()).at(-1)]).toEqual([MINUTE, [0, 0]]);
  });
});

describe('an outcome that comes late', () => {
  it('settles the invoice at once if a callback reports it', async () => {
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

  it('counts from the moment at which somebody reads the payment', async () => {
    await silence('garbage');
    const debtor = await aDebtor(host, SOFT_DECLINE);
    await advance(host, '11s');
    expect((await debtor.payment()).status).toBe('failed');
    await drain(host);
    const [{ status, attempts, updated_at, next_retry_at }, payment] = [await debtor.invoice(), await debtor.payment()];
    expect([status, attempts, millisecondsBetween(updated_at, next_retry_at)]).toEqual(['open', 1, DAY]);
    expect(millisecondsBetween(payment.updated_at, updated_at)).toBeLessThan(5_000);
    expect(millisecondsBetween(payment.attempts[0].started_at, updated_at)).toBeGreaterThan(11_000);
  });

  it('uses up all retries at once if it is a hard decline', async () => {
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
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'invoice.failed': 1,
      'subscription.paused': 1,
    });
  });
});

describe('a late report of an earlier attempt', () => {
  it('does not end a later attempt', async () => {
    const debtor = await aDebtor(host, SOFT_DECLINE);
    const old = await host.deps.payments.byId((await debtor.invoice()).payment_id);
    expect(old?.status).toBe('failed');
    await silence('http_500');
    await toNextRetry(host, debtor);
    const before = await debtor.invoice();
    await waits(debtor, 2);
    await settleInvoice(old!, host.deps);
    expect(await debtor.invoice()).toEqual(before);
  });
});

describe('a provider that never reports the outcome of an attempt', () => {
  const made = async (before: () => Promise<unknown> = async () => undefined): Promise<Debtor> => {
    await before();
    return aDebtor(host, 'ok', { interval: 'yearly' });
  };
  const reviewed = async (): Promise<Debtor> => {
    const debtor = await made(() => silence('http_500'));
    await advance(host, '8d');
    return debtor;
  };

  it('is waited for a week while the invoice stays open and nothing else is charged', async () => {
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
    expect(await debtor.events()).toEqual(FIRST_CHARGE_EVENTS);
  });

  it('is waited for at a later attempt too', async () => {
    const debtor = await made(steps(declines, () => silence('http_500')));
    await toNextRetry(host, debtor);
    await advance(host, '8d');
    await waits(debtor, 2);
    expect([(await debtor.payment()).review.reason, (await debtor.payment()).attempts.length]).toEqual([
      'no_verdict',
      2,
    ]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.failed': 1 });
  });

  it('is given up by a cancel of the payment, and the next attempt makes another payment', async () => {
    const debtor = await reviewed();
    const first = await debtor.payment();
    expect((await act(host, first.id, 'cancel', undefined, debtor.how)).body).toMatchObject({
      status: 'canceled',
      review: null,
    });
    await drain(host);
    const invoice = await debtor.invoice();
    expect(invoice).toMatchObject({ status: 'open', attempts: 1, payment_id: first.id });
    expect(millisecondsBetween(invoice.updated_at, invoice.next_retry_at)).toBe(DAY);
    await toNextRetry(host, debtor);
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
      ...FIRST_CHARGE_EVENTS,
      'payment.created': 2,
      'payment.canceled': 1,
      'payment.succeeded': 1,
      'invoice.paid': 1,
    });
  });

  it('has its late charge refunded if the other payment has paid', async () => {
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
    await toNextRetry(host, debtor);
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

  it('ends the review itself when it reports the charge, which pays the invoice', async () => {
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
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.succeeded': 1, 'invoice.paid': 1 });
  });

  it('does not stop a later period, which has its own invoice and payment', async () => {
    const debtor = await aRenewal(host, () => silence('http_500'));
    await waits(debtor, 1);
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    expect((await debtor.taken()).map(([count]) => count)).toEqual([1, 0, 1]);
    expect(await debtor.events()).toMatchObject({ 'invoice.created': 3, 'invoice.paid': 2, 'subscription.renewed': 1 });
  });
});

describe('an outcome that comes after the subscription was', () => {
  it('paused fails the invoice, and does not pause it a second time', async () => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, { max_retries: 0 });
    await silence('timeout_before_charge');
    const debtor = await aDebtor(host, SOFT_DECLINE, {}, shop);
    await changeSubscription(host, debtor, { status: 'paused' }, debtor.how);
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status]).toEqual(['failed', 'paused']);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'invoice.failed': 1,
      'subscription.paused': 1,
      'subscription.updated': 1,
    });
  });

  it('canceled leaves the invoice canceled if the attempt failed', async () => {
    await silence('timeout_before_charge');
    const debtor = await aDebtor(host, SOFT_DECLINE);
    await moveSubscription(host, debtor, 'cancel', undefined, debtor.how);
    expect((await debtor.invoice()).status).toBe('open');
    await advance(host, '61s');
    expect(await debtor.invoice()).toMatchObject({ status: 'canceled', attempts: 1, next_retry_at: null });
    await advance(host, '10d');
    expect([(await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([1, [[0, 0]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.failed': 1,
      'invoice.canceled': 1,
      'subscription.canceled': 1,
    });
  });

  it('canceled pays the invoice if the attempt was charged', async () => {
    await silence('timeout_after_charge');
    const debtor = await aDebtor(host, 'ok');
    await moveSubscription(host, debtor, 'cancel', undefined, debtor.how);
    await advance(host, '61s');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({
      ...FIRST_CHARGE_EVENTS,
      'payment.succeeded': 1,
      'invoice.paid': 1,
      'subscription.canceled': 1,
    });
  });
});

describe('a renewal that the provider has accepted and not decided', () => {
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
      ...FIRST_RENEWAL_EVENTS,
      'payment.succeeded': 2,
      'invoice.paid': 2,
      'subscription.renewed': 1,
    });
  });

  it('fails when its callback says so, and is retried from that moment on', async () => {
    const debtor = await pending();
    await advance(host, '2d');
    await complete(host, (await debtor.payment()).psp_reference, 'failed');
    const { status, attempts, updated_at, next_retry_at } = await debtor.invoice();
    expect([status, attempts, millisecondsBetween(updated_at, next_retry_at)]).toEqual(['open', 1, DAY]);
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
    expect(await debtor.taken()).toEqual([
      [1, 1_990],
      [1, 1_990],
    ]);
    expect(await debtor.events()).toMatchObject({ 'payment.failed': 1, 'invoice.paid': 2, 'subscription.renewed': 1 });
  });

  it('is looked up too, and is paid although no callback comes', async () => {
    const debtor = await aRenewal(host, () => arrange(host, 'pending', { webhook: 'none' }));
    await advance(host, '2d');
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    await waits(debtor, 1);
    await advance(host, '1d');
    expect([(await debtor.invoice()).status, (await debtor.taken())[1]]).toEqual(['paid', [1, 1_990]]);
    expect((await debtor.events())['invoice.paid']).toBe(2);
  });

  it('goes to manual review after a week, and keeps waiting', async () => {
    const debtor = await aDebtor(host, 'pending', { interval: 'yearly' });
    await advance(host, '9d');
    expect((await debtor.payment()).review).toMatchObject({ reason: 'no_verdict' });
    await waits(debtor, 1);
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.succeeded': 1, 'invoice.paid': 1 });
  });
});

describe('callbacks of an attempt', () => {
  it.each(['early', 'duplicate', 'reordered', 'late:300', 'none'])(
    'may come %s, and pay the invoice once',
    async (webhook) => {
      const debtor = await aRenewal(
        host,
        steps(
          () => arrange(host, 'decline:insufficient_funds', { webhook }),
          () => arrange(host, 'approve', { webhook }),
        ),
      );
      await toNextRetry(host, debtor);
      await new Promise((done) => setTimeout(done, webhook.startsWith('late') ? 400 : 0));
      await drain(host);
      expect(await debtor.invoice()).toMatchObject({ status: 'paid', attempts: 2 });
      expect(await debtor.taken()).toEqual([
        [1, 1_990],
        [1, 1_990],
      ]);
      expect(await debtor.events()).toEqual({
        ...FIRST_RENEWAL_EVENTS,
        'payment.failed': 1,
        'payment.succeeded': 2,
        'invoice.paid': 2,
        'subscription.renewed': 1,
      });
    },
  );
});
