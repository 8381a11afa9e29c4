import { randomUUID } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { markOutcomeUnknown } from '#shared/domain/payments/attempt.machine.ts';
import { callsMade, crashesAt, describePoint, expireLease, retryUntilDone } from '#test/faults/crash-sweep.support.ts';
import {
  aDebtor,
  type Debtor,
  FIRST_CHARGE_EVENTS,
  savePolicy,
  toNextRetry,
} from '#test/http/invoices/dunning.support.ts';
import { aLiveShop, startLiveHost } from '#test/http/live-host.support.ts';
import {
  changeSubscription,
  goTo,
  invoicesOf,
  paymentsOf,
  savedCard,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';
import { act, advance, arrange, aShop, complete, drain, read } from '#test/support/payment-steps.ts';

/**
 * Events outside of an invoice's attempts count for them: nobody is charged in vain or twice, and no refund exceeds
 * its charge.
 */
let host: TestHost;
let beforeWrite: (() => Promise<unknown>) | undefined;
beforeAll(async () => {
  host = await startHost({
    pspBudgetMs: 500,
    wrapTable: (table) =>
      changed(table, {
        transact: async (writes, token) => {
          const meanwhile = beforeWrite;
          beforeWrite = undefined;
          await meanwhile?.();
          return table.transact(writes, token);
        },
      }),
  });
});
afterEach(async () => {
  beforeWrite = undefined;
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
});
afterAll(() => host.close());

const YEARLY = { interval: 'yearly' };
const HOUR = 3_600_000;
const declines = (times: number, code = 'insufficient_funds') => arrange(host, `decline:${code}`, { times });
const attemptsOf = ({ attempts }: Body) => attempts.map(({ status, failure }: Body) => [status, failure?.code ?? null]);
const refundsOf = ({ refunds }: Body) => refunds.map(({ amount, reason, status }: Body) => [amount, reason, status]);

/** An invoice whose first attempt failed, and whose card would be accepted now. */
const open = async (): Promise<Debtor> => {
  await declines(1);
  return aDebtor(host, 'ok', YEARLY);
};

/** A host whose provider forbids retries of a card that it declined without a reason. */
async function startAdvisedHost(): Promise<TestHost> {
  let simulators = '';
  const tap = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = method === 'GET' ? undefined : Buffer.concat(await request.toArray());
    const { authorization = '', 'content-type': type = '', 'idempotency-key': key } = headers;
    const sent = { authorization, 'content-type': type, ...(key && { 'idempotency-key': String(key) }) };
    const reply = await fetch(simulators + url, { method, headers: sent, ...(body && { body }) });
    const text = (await reply.text()).replaceAll(
      '"decline_code": "do_not_honor"',
      '$&, "advice_code": "do_not_try_again"',
    );
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((ready) => tap.listen(0, '127.0.0.1', ready));
  const host = await startHost({
    pspUrls: { stripe: `http://127.0.0.1:${(tap.address() as AddressInfo).port}/stripe` },
  });
  simulators = host.info.simulators;
  return {
    ...host,
    close: async () => {
      await host.close();
      tap.closeAllConnections();
      tap.close();
    },
  };
}

describe('a hard-declined card', () => {
  const ENDED = { ...FIRST_CHARGE_EVENTS, 'invoice.failed': 1, 'subscription.paused': 1 };

  it('is not retried, even if the decline code alone would allow it', async () => {
    const advised = await startAdvisedHost();
    onTestFinished(() => advised.close());
    const how = { key: (await aShop(advised, { a: {} })).key };
    const made = await subscribe(advised, { ...YEARLY, payment_method: savedCard('decline_do_not_honor') }, how);
    const failure = { code: 'do_not_honor', category: 'soft_decline', retryable: false };
    expect(await paymentsOf(advised, made, how)).toMatchObject([{ status: 'failed', failure }]);
    expect(await invoicesOf(advised, made, how)).toMatchObject([
      { status: 'failed', attempts: 1, next_retry_at: null },
    ]);
    expect((await subscriptionOf(advised, made, how)).status).toBe('paused');
    await advance(advised, '30d');
    expect((await paymentsOf(advised, made, how)).map(attemptsOf)).toEqual([[['failed', 'do_not_honor']]]);
  });

  it("ends dunning at the next retry if the merchant's own payment retry got the hard decline", async () => {
    const debtor = await open();
    await declines(1, 'lost_card');
    expect((await act(host, (await debtor.payment()).id, 'retry', undefined, debtor.how)).body.failure.code).toBe(
      'lost_card',
    );
    expect((await debtor.invoice()).status).toBe('open');
    await toNextRetry(host, debtor);
    expect([await debtor.invoice(), (await debtor.subscription()).status]).toEqual([
      expect.objectContaining({ status: 'failed', attempts: 1, next_retry_at: null }),
      'paused',
    ]);
    await advance(host, '30d');
    expect([(await debtor.payments()).map(attemptsOf), await debtor.taken()]).toEqual([
      [
        [
          ['failed', 'insufficient_funds'],
          ['failed', 'lost_card'],
        ],
      ],
      [[0, 0]],
    ]);
    expect(await debtor.events()).toEqual({ ...ENDED, 'payment.failed': 2 });
  });
});

describe('an automatic refund', () => {
  /** The invoice is canceled, but its payment is charged anyway. */
  const unwanted = async (): Promise<Debtor> => {
    const debtor = await open();
    await debtor.cancel();
    await complete(host, (await debtor.payment()).psp_reference, 'succeeded');
    await drain(host);
    return debtor;
  };
  const refund = async (debtor: Debtor, amount?: number) =>
    act(host, (await debtor.payment()).id, 'refund', amount ? { amount } : {}, debtor.how);

  it.each([undefined, 1_000])('prevents a second refund by the merchant (%s)', async (amount) => {
    const debtor = await unwanted();
    expect(refundsOf(await debtor.payment())).toEqual([[1_990, 'after_cancel', 'pending']]);
    expect(await refund(debtor, amount)).toMatchObject({
      status: 400,
      body: { code: 'refund_exceeds_remaining', details: { remaining: 0 } },
    });
    await advance(host, '2m');
    expect([refundsOf(await debtor.payment()), await debtor.taken()]).toEqual([
      [[1_990, 'after_cancel', 'succeeded']],
      [[1, 0]],
    ]);
    expect(await refund(debtor, amount)).toMatchObject({ status: 400, body: { code: 'refund_exceeds_remaining' } });
    expect((await debtor.payment()).review).toBeNull();
  });

  it('is retried with the remaining amount after it failed and a partial refund followed', async () => {
    const debtor = await unwanted();
    await arrange(host, 'decline:card_declined', { match: { operation: 'refund' }, times: 1 });
    await advance(host, '2m');
    expect([(await debtor.payment()).review.reason, await debtor.taken()]).toEqual(['refund_failed', [[1, 1_990]]]);
    expect((await refund(debtor, 1_000)).status).toBe(200);
    expect((await act(host, (await debtor.payment()).id, 'cancel', undefined, debtor.how)).status).toBe(200);
    await advance(host, '2m');
    expect(refundsOf(await debtor.payment())).toEqual([
      [1_990, 'after_cancel', 'failed'],
      [1_000, null, 'succeeded'],
      [990, 'after_cancel', 'succeeded'],
    ]);
    expect([(await debtor.payment()).review, await debtor.taken()]).toEqual([null, [[1, 0]]]);
  });
});

describe('a failed payment whose outcome became unknown again', () => {
  it('is not charged by the planned retry', async () => {
    const debtor = await open();
    const { next_retry_at, payment_id } = await debtor.invoice();
    await arrange(host, 'http_500', { times: 10_000, match: { operation: 'fetch' } });
    await goTo(host, new Date(Date.parse(next_retry_at) - 20_000).toISOString());
    // The state after a call from elsewhere whose response could not be read.
    const payment = (await host.deps.payments.byId(payment_id))!;
    await host.deps.payments.change(payment, (p) => markOutcomeUnknown(p, p.attempts[0]!.id, host.clock.now()));
    await goTo(host, next_retry_at);
    expect([(await read(host, payment_id, debtor.how)).status, attemptsOf(await debtor.payment())]).toEqual([
      'failed',
      [['failed', 'insufficient_funds']],
    ]);
    const putOff = await debtor.invoice();
    expect(putOff).toMatchObject({ status: 'open', attempts: 1 });
    expect(Date.parse(putOff.next_retry_at) - Date.parse(next_retry_at)).toBe(HOUR);
    expect(await debtor.retry()).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
    await host.control('DELETE', '/psp/scenario');
    await advance(host, '3h');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
  });
});

describe('a cancel of the invoice that crashes during the last attempt', () => {
  it('does not pause the subscription, whoever settles the invoice first', async () => {
    const shop = await aShop(host, { a: {} });
    await savePolicy(host, shop, { max_retries: 0 });
    const asked = () => aDebtor(host, 'needs_3ds', YEARLY, shop);
    const writes = (await callsMade(host, 'invoices', await (await asked()).ready('cancel'))).filter(
      ({ method }) => method === 'put',
    );
    expect(writes.length).toBeGreaterThanOrEqual(3);
    for (const { point: at, nth, method } of writes) {
      const point = { point: at, nth, method, when: 'before' } as const;
      const [debtor, same, where] = [await asked(), { idempotencyKey: randomUUID() }, describePoint(point)];
      const cancel = await debtor.ready('cancel');
      await host.control('POST', '/faults', { ...point, method: undefined, kind: 'crash', handler: 'invoices' });
      if (!(await crashesAt(host, () => cancel(same), where))) continue;
      await drain(host);
      expect((await debtor.subscription()).status, where).toBe('active');
      await expireLease(host);
      expect((await retryUntilDone(host, () => cancel(same))).body, where).toMatchObject({
        status: 'canceled',
        attempts: 1,
        next_retry_at: null,
      });
      expect([(await debtor.subscription()).status, await debtor.taken()], where).toEqual(['active', [[0, 0]]]);
      expect(await debtor.events(), where).toEqual({
        ...FIRST_CHARGE_EVENTS,
        'payment.canceled': 1,
        'invoice.canceled': 1,
      });
    }
  });
});

describe('a requested retry of an invoice', () => {
  it('reads again if the subscription changes meanwhile, and charges once', async () => {
    const debtor = await open();
    const retry = await debtor.ready('retry');
    beforeWrite = () => changeSubscription(host, debtor, { metadata: { note: 'meanwhile' } }, debtor.how);
    expect(await retry()).toMatchObject({ status: 200, body: { status: 'paid', attempts: 2 } });
    expect([beforeWrite, (await debtor.subscription()).metadata, await debtor.taken()]).toEqual([
      undefined,
      { note: 'meanwhile' },
      [[1, 1_990]],
    ]);
  });

  it('is rejected if it needs a new payment and the plan has no payments left', async () => {
    const live = await startLiveHost();
    try {
      const how = await aLiveShop(live, { plan: 'free', kyc: 'approved' });
      const made = await subscribe(live, { payment_method: savedCard('decline_lost_card') }, how);
      const [before] = await invoicesOf(live, made, how);
      expect(before.status).toBe('failed');
      await changeSubscription(live, made, { payment_method: savedCard('ok') }, how);
      await live.spend(how.org_id, 'payments', 99);
      const retry = () => live.call('POST', `/v1/invoices/${before.id}/retry`, undefined, how);
      expect(await retry()).toMatchObject({ status: 402, body: { code: 'plan_limit_reached' } });
      expect([await invoicesOf(live, made, how), (await paymentsOf(live, made, how)).length]).toEqual([[before], 1]);
      await live.decide(how.org_id, { plan: 'growth' });
      expect(await retry()).toMatchObject({ status: 200, body: { status: 'paid', attempts: 2 } });
      expect((await paymentsOf(live, made, how)).length).toBe(2);
    } finally {
      await live.close();
    }
  });
});

describe('an issuer that requires authentication', () => {
  it('asks the customer even if only the timer sees that it is required', async () => {
    await arrange(host, 'timeout_before_charge', { webhook: 'none', times: 1 });
    const debtor = await aDebtor(host, 'needs_3ds', YEARLY);
    expect([(await debtor.payment()).status, (await debtor.payment()).attempts.length]).toEqual(['processing', 1]);
    await advance(host, '2m');
    const payment = await debtor.payment();
    expect([payment.status, payment.next_action?.type, attemptsOf(payment)]).toEqual([
      'requires_action',
      'redirect',
      [
        ['failed', 'authentication_required'],
        ['requires_action', null],
      ],
    ]);
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 1, next_retry_at: null });
    await complete(host, payment.psp_reference, 'succeeded');
    expect([(await debtor.invoice()).status, await debtor.taken()]).toEqual(['paid', [[1, 1_990]]]);
    expect(await debtor.events()).toEqual({ ...FIRST_CHARGE_EVENTS, 'payment.succeeded': 1, 'invoice.paid': 1 });
  });
});

describe('a hard-declined card that was sent with a single payment retry', () => {
  const stolen = { type: 'card', tokens: { stripe: 'decline_stolen_card' } };
  const refused = async (): Promise<Debtor> => {
    const debtor = await open();
    const { body } = await act(host, (await debtor.payment()).id, 'retry', { payment_method: stolen }, debtor.how);
    expect([body.status, body.failure.code]).toEqual(['failed', 'stolen_card']);
    return debtor;
  };

  it("does not count against the subscription's card, which is charged when the retry is due", async () => {
    const debtor = await refused();
    await toNextRetry(host, debtor);
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status]).toEqual(['paid', 'active']);
  });

  it('still lets the merchant retry the invoice at once', async () => {
    const debtor = await refused();
    const { status, body } = await debtor.retry();
    expect([status, body.status]).toEqual([200, 'paid']);
  });

  it("no longer allows retries after the subscription's own card was hard-declined too", async () => {
    const debtor = await refused();
    await declines(1, 'lost_card');
    await toNextRetry(host, debtor);
    expect([(await debtor.invoice()).status, (await debtor.subscription()).status]).toEqual(['failed', 'paused']);
    expect((await debtor.retry()).body.code).toBe('invoice_not_retryable');
  });
});
