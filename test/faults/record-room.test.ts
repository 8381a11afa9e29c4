import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withEvent } from '#shared/domain/payments/outbox.rules.ts';
import { announce } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { tagOnce } from '#shared/domain/payments/payment-tags.rules.ts';
import { MAX_RECORD_BYTES } from '#shared/store/item-size-guard.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import { TableError } from '#shared/store/table/table.port.ts';
import { namingWork } from '#shared/store/versioned-repo.ts';
import { aBuyer, decline } from '#test/faults/renewals.support.ts';
import {
  aSubscriptionBody,
  changeSubscription,
  invoicesOf,
  paymentsOf,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import { aGuest, aLink, getLink, providerUrl } from '#test/support/guest-browser.ts';
import { type ApiResponse, type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  complete,
  create,
  drain,
  eventsOf,
  eventTypesOf,
  moneyOf,
  operationsOf,
  pay,
  read,
} from '#test/support/payment-steps.ts';
import { type RelayGate, relayGate } from '#test/support/relay-gate.ts';
import { shortened } from '#test/support/whole-run.ts';
import { aTemplate, EXECUTIONS } from '#test/support/workflows.ts';

/**
 * A record is one item of the store, which is limited to 400 KB, and it holds its events until the relay has
 * published them.
 */

let host: TestHost;
let relay: RelayGate;
beforeAll(async () => {
  host = await startHost();
  relay = relayGate(host);
});
afterAll(async () => {
  relay.set('works');
  await host.close();
});
beforeEach(() => relay.set('works'));

const KB = 1_000;
/**
 * Up to 75 KB fit into as many metadata values of as many characters as are allowed: each of these characters takes
 * three bytes.
 */
const metadata = (kb: number, mark: string | number = '') =>
  Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, `${mark}`.padEnd((kb * KB) / 150, '€')]));
/** A card with large tokens for providers that are not called; a different payment method each time. */
const withBulk = (token: string | Body, kb: number) => {
  const other = () => randomUUID().padEnd((kb * KB) / 3, 'x');
  return { type: 'card', tokens: { stripe: token, adyen: other(), mollie: other(), paypal: other() } };
};

const WAITING = {
  status: 503,
  body: { error: 'unavailable', code: 'events_waiting', retry_after: expect.any(Number) },
};
const codeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.code ?? ''}`.trim();

/** Not those that an emulator has lost by a closed connection, as it does when the machine is busy. */
const responsesTooLarge = () =>
  host.logged.filter(
    ({ event, fields }) =>
      event === 'response_not_stored' && !(fields.error instanceof TableError && fields.error.kind === 'unavailable'),
  );

async function relayGoesOn(): Promise<void> {
  relay.set('works');
  await drain(host);
}

/** Repeats the request until its code is not `good`. Returns the number of good responses and the last response. */
async function askUntilNot(good: number, ask: (n: number, idempotencyKey: string) => Promise<ApiResponse>, most = 60) {
  for (let times = 0; times < most; times += 1) {
    const key = randomUUID();
    const answer = await ask(times, key);
    if (answer.status !== good) return { times, answer, again: () => ask(times, key) };
  }
  throw new Error(`Nothing but ${good}, ${most} times.`);
}

/** The same step that a workflow takes: a pending event keeps its snapshot, so that it grows with each event. */
async function tag(id: string, kb: number): Promise<void> {
  const payment = (await host.deps.payments.byId(id))!;
  await host.deps.payments.change(payment, (p) => tagOnce(p, metadata(kb, 'tagged'), randomUUID(), host.clock.now()));
}

/** Adds pending events until the item of the payment has that size. */
async function fillWithEvents(id: string, bytes: number): Promise<void> {
  const filled = (p: Payment, note: string) => announce(p, 'payment.created', host.clock.now(), { note });
  const payment = (await host.deps.payments.byId(id))!;
  const room = bytes - itemSize(paymentEntity.toItem(namingWork(payment, filled(payment, '')), host.clock.now()));
  await host.deps.payments.change(payment, (p) => filled(p, 'x'.repeat(room)));
}

/** The number of charges at the provider. */
const chargesOf = async (id: string): Promise<number> =>
  (await operationsOf(host, id)).filter((operation) => operation === 'create').length;

describe('a subscription that changes while no event is published', () => {
  it('accepts changes as long as there is room, then refuses them for now, and announces each accepted one', async () => {
    const start_at = new Date(host.clock.now().getTime() + 40 * 86_400_000).toISOString();
    const made = await subscribe(host, { start_at, metadata: metadata(50) });
    relay.set('holds');
    const patch = (n: number, idempotencyKey: string) =>
      changeSubscription(host, made, { amount: 2_000 + n, metadata: metadata(50, n) }, { idempotencyKey });
    const { times, answer, again } = await askUntilNot(200, patch);
    expect(answer).toMatchObject(WAITING);
    expect([times > 2, answer.headers.get('retry-after')]).toEqual([true, String(answer.body.retry_after)]);
    expect(await subscriptionOf(host, made)).toMatchObject({
      amount: 1_999 + times,
      metadata: metadata(50, times - 1),
    });
    const cancel = await host.call('POST', `/v1/subscriptions/${made.id}/cancel`);
    expect(cancel).toMatchObject(WAITING);

    await relayGoesOn();
    expect((await again()).body).toMatchObject({ amount: 2_000 + times });
    expect((await host.call('POST', `/v1/subscriptions/${made.id}/cancel`)).status).toBe(200);
    const told = (await eventsAbout(made.id)).map(({ type, data }) => `${type} ${data.amount}`);
    const changes = Array.from({ length: times + 1 }, (_, n) => `subscription.updated ${2_000 + n}`);
    expect(told.toSorted()).toEqual(
      ['subscription.created 1990', ...changes, `subscription.canceled ${2_000 + times}`].toSorted(),
    );
  });

  async function eventsAbout(id: string): Promise<readonly Body[]> {
    await drain(host);
    return (await host.call('GET', '/v1/webhooks/events?limit=200')).body.events.filter(
      ({ data }: Body) => data.id === id,
    );
  }

  it('is still charged once for its next period', async () => {
    const made = await subscribe(host, { metadata: metadata(50) });
    relay.set('holds');
    const { answer } = await askUntilNot(200, (n, idempotencyKey) =>
      changeSubscription(host, made, { metadata: metadata(50, n) }, { idempotencyKey }),
    );
    expect(answer).toMatchObject(WAITING);
    relay.set('loses');
    await advance(host, '31d');
    await relayGoesOn();
    const [invoices, payments] = await Promise.all([invoicesOf(host, made), paymentsOf(host, made)]);
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid']);
    expect(await Promise.all(payments.map(async ({ id }) => (await moneyOf(host, id)).count))).toEqual([1, 1]);
  });
});

describe('a payment that is refunded while no event is published', () => {
  it('accepts refunds as long as there is room, then refuses them for now, and accepts the refused one later', async () => {
    const { id } = await pay(host, 'ok', { metadata: metadata(75) });
    await drain(host);
    relay.set('holds');
    await fillWithEvents(id, 290_000);
    const refund = (n: number, idempotencyKey: string) =>
      act(host, id, 'refund', { amount: 10, reason: `${'€'.repeat(190)} ${n}` }, { idempotencyKey });
    const { times, answer, again } = await askUntilNot(200, refund);
    expect(answer).toMatchObject(WAITING);
    expect(await moneyOf(host, id)).toMatchObject({ refunded: 10 * times });

    await relayGoesOn();
    expect(codeOf(await again())).toBe('200');
    expect(codeOf(await again())).toBe('200');
    const refunded = 10 * (times + 1);
    expect([(await moneyOf(host, id)).refunded, (await read(host, id)).amount_refunded]).toEqual([refunded, refunded]);
    expect((await eventTypesOf(host, id)).filter((type) => type === 'refunded')).toHaveLength(times + 1);
  });

  it('permanently refuses a refund that never fits, without refunding anything', async () => {
    const { id } = await pay(host, 'ok', { metadata: metadata(75) });
    const { times, answer } = await askUntilNot(200, (_, idempotencyKey) =>
      act(host, id, 'refund', { amount: 10, metadata: metadata(75) }, { idempotencyKey }),
    );
    // All refunds together, as a response shows them, may take 1.4 MB.
    expect([times > 15, codeOf(answer)]).toEqual([true, '409 record_full']);
    expect((await moneyOf(host, id)).refunded).toBe(10 * times);
    expect(codeOf(await act(host, id, 'refund', { amount: 10 }))).toBe('200');
  }, 120_000);
});

/** Fifty values of the maximum length. */
const textsOf = (char: string) =>
  Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, char.repeat(500 / char.length)]));

describe('a record whose characters take more bytes as JSON than in the store', () => {
  const CHARS = [
    ['control characters', '\u0001'],
    ['line breaks', '\n'],
    ['quotes and backslashes', '"\\'],
    ['Chinese characters', '漢'],
    ['letters', 'a'],
  ] as const;

  // One that takes six bytes of JSON in place of one, and one that takes three in both.
  it.each(shortened(CHARS, 0, 3))(
    'of %s refunds what it can announce, each once, and refuses the rest before any money moves',
    async (_, char) => {
      const { id } = await pay(host, 'ok', { metadata: textsOf(char) });
      const refund = async (_n: number, idempotencyKey: string) => {
        await drain(host);
        return act(host, id, 'refund', { amount: 10, metadata: textsOf(char) }, { idempotencyKey });
      };
      const { times, answer, again } = await askUntilNot(200, async (n, key) => {
        const first = await refund(n, key);
        if (first.status === 200) expect((await refund(n, key)).text).toBe(first.text);
        return first;
      });
      expect(codeOf(answer)).toBe('409 record_full');
      expect(codeOf(await again())).toBe('409 record_full');
      expect(await moneyOf(host, id)).toMatchObject({ refunded: 10 * times });
      expect(await read(host, id)).toMatchObject({ amount_refunded: 10 * times });
      expect(codeOf(await act(host, id, 'refund', { amount: 10 }))).toBe('200');
      expect(responsesTooLarge()).toEqual([]);
    },
    120_000,
  );

  it.each(CHARS)('of %s can be created, confirmed and changed', async (_, char) => {
    const intent = (
      await host.call('POST', '/v1/payments/intents', { amount: 5_000, currency: 'EUR', metadata: textsOf(char) })
    ).body;
    expect(codeOf(await act(host, intent.id, 'confirm', { payment_method: { type: 'card', token: 'ok' } }))).toBe(
      '200',
    );
    const made = await subscribe(host, { metadata: textsOf(char) });
    const idempotencyKey = randomUUID();
    const changed = await changeSubscription(host, made, { amount: 2_001 }, { idempotencyKey });
    expect(codeOf(changed)).toBe('200');
    expect((await changeSubscription(host, made, { amount: 2_001 }, { idempotencyKey })).text).toBe(changed.text);
    expect(responsesTooLarge()).toEqual([]);
  });
});

describe('a payment that is retried again and again while no event is published', () => {
  it('calls no provider while there is no room for the result, and does later', async () => {
    relay.set('holds');
    const payment = (
      await create(host, {
        amount: 5_000,
        currency: 'EUR',
        metadata: metadata(75),
        payment_method: withBulk('insufficient_funds', 54),
      })
    ).body;
    await tag(payment.id, 75);
    const others = Array.from({ length: 8 }, () => withBulk('insufficient_funds', 54));
    const retry = (n: number, idempotencyKey: string) =>
      act(host, payment.id, 'retry', { payment_method: others[n] }, { idempotencyKey });
    const { times, answer, again } = await askUntilNot(200, retry);
    expect(answer).toMatchObject(WAITING);
    expect(await chargesOf(payment.id)).toBe(1 + times);
    expect(await read(host, payment.id)).toMatchObject({ status: 'failed', attempts: { length: 1 + times } });

    await relayGoesOn();
    expect(codeOf(await again())).toBe('200');
    expect(await chargesOf(payment.id)).toBe(2 + times);
  });
});

describe('a charge whose outcome arrives while the record is full', () => {
  it('is not lost: the callback gets an error and the timer settles the charge once', async () => {
    relay.set('loses');
    const { id } = await pay(host, 'pending');
    await fillWithEvents(id, MAX_RECORD_BYTES);
    await complete(host, id, 'failed');
    expect(await read(host, id)).toMatchObject({ status: 'processing', attempts: [{ status: 'processing' }] });
    expect(host.logged.filter(({ event }) => event === 'callback_refused').map(({ fields }) => fields.code)).toContain(
      'events_waiting',
    );

    await advance(host, '2m');
    await drain(host);
    expect(await read(host, id)).toMatchObject({ status: 'failed' });
    await advance(host, '6m');
    expect((await eventTypesOf(host, id)).filter((type) => type === 'failed')).toHaveLength(1);
  });
});

describe('a workflow step on a payment whose record is full', () => {
  it('runs on its own once there is room', async () => {
    const who = { key: host.info.keys.service };
    const { id } = await pay(host);
    const [event] = await eventsOf(host, id);
    const template = await aTemplate(host, who, { steps: [{ id: 'back', type: 'refund_payment', amount: 100 }] });
    relay.set('loses');
    await fillWithEvents(id, 300 * KB);
    const execution = (await host.call('POST', EXECUTIONS, { template_id: template.id, event_id: event.id })).body;
    await drain(host);
    const refunded = async () => [
      (await host.call('GET', `${EXECUTIONS}/${execution.id}`)).body.status,
      (await moneyOf(host, id)).refunded,
    ];
    expect(await refunded()).toEqual(['waiting', 0]);
    await advance(host, '10m');
    expect(await refunded()).toEqual(['succeeded', 100]);
  });
});

describe('an invoice whose payment has a full record', () => {
  it('is charged later, and not while the record is full', async () => {
    const { customer_id } = aBuyer();
    await decline(host, { customer_id }, 8);
    const stripe = { payment_method: 'pm_card_visa', customer: customer_id };
    const made = await subscribe(host, { customer_id, metadata: metadata(75), payment_method: withBulk(stripe, 53) });
    const [{ id, payment_id }] = await invoicesOf(host, made);
    relay.set('holds');
    const retry = (_: number, idempotencyKey: string) =>
      host.call('POST', `/v1/invoices/${id}/retry`, undefined, { idempotencyKey });
    for (let n = 0; n < 2; n += 1) expect((await retry(n, randomUUID())).status).toBe(200);
    await tag(payment_id, 75);
    const { times, answer, again } = await askUntilNot(200, retry);
    expect(answer).toMatchObject(WAITING);
    expect(await chargesOf(payment_id)).toBe(3 + times);
    expect((await host.call('GET', `/v1/invoices/${id}`)).body).toMatchObject({ status: 'open', attempts: 3 + times });

    await relayGoesOn();
    expect(await again()).toMatchObject({ status: 200, body: { attempts: 4 + times } });
    expect(await chargesOf(payment_id)).toBe(4 + times);
  });
});

describe('a payment link with many pending events', () => {
  it('sends its customer to no provider for now, and does later', async () => {
    relay.set('loses');
    const made = await aLink(host);
    const link = (await host.deps.paymentLinks.byId(made.id))!;
    const note = 'x'.repeat(300 * KB);
    await host.deps.paymentLinks.change(link, (l) => withEvent(l, 'payment_link.paid', host.clock.now(), { note }));
    const visitor = aGuest(host);
    const form = await visitor.open(made.url);
    const page = await visitor.submit(form, 'start');
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await getLink(host, made.id)).toMatchObject({ status: 'active', payments_made: 0 });
    await advance(host, '6m');
    expect(providerUrl(await visitor.submit(form, 'start'))).toContain('http');
  });
});

describe('a request that is too large from the start', () => {
  it.each([
    ['a payment', '/v1/payments', { amount: 5_000, currency: 'EUR' }],
    ['an intent', '/v1/payments/intents', { amount: 5_000, currency: 'EUR' }],
    ['a subscription', '/v1/subscriptions', aSubscriptionBody()],
  ])('is rejected: %s', async (_, path, body) => {
    const tokens = Object.fromEntries(['stripe', 'adyen', 'mollie'].map((name) => [name, '€'.repeat(19_900)]));
    const answer = await host.call('POST', path, {
      ...body,
      metadata: metadata(70),
      payment_method: { type: 'card', tokens },
    });
    expect(codeOf(answer)).toBe('413 body_too_large');
  });
});
