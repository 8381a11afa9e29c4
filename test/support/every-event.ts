import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_TYPES, type EventType } from '#shared/domain/reference/events.catalog.ts';
import {
  aSubscriptionBody,
  changeSubscription,
  invoicesOf,
  paymentsOf,
  subscriptionOf,
} from '#test/support/billing.ts';
import { aGuest, aLink, getLink, providerUrl } from '#test/support/guest-browser.ts';
import type { ApiResponse, Body, TestHost } from '#test/support/host.ts';
import { act, anIntent, arrange, pay, read } from '#test/support/payment-steps.ts';

/** The events that a shop must receive, each with its resource as the API showed it at that moment. */
type Told = {
  readonly data: readonly Body[];
  /** All other events that the operation and its preparation cause. */
  readonly others: readonly EventType[];
};

/**
 * None of them drains, because they also run while the relay is stopped. Each continues after its event, so that the
 * resource looks different then.
 */
type Operation = (host: TestHost) => Promise<Told>;

const PATIENCE_MS = 20_000;

/** Waits for what the host does on its own. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 10) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    await sleep(10);
  }
  throw new Error(`It never came: ${what}.`);
}

function done({ status, body }: ApiResponse): Body {
  if (status >= 400) throw new Error(`Refused: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The clock jumps there, without waiting for anything. */
async function jump(host: TestHost, time: string): Promise<void> {
  await host.clock.stand(new Date(time));
  await host.clock.run();
}

const ofPayment = ({ id, amount, currency, status, provider, customer_id, metadata }: Body): Body => {
  return { id, amount, currency, status, provider, customer_id, metadata };
};
const ofManual = (payment: Body): Body => {
  const { authorized_amount, captured_amount, released_amount, capturable_until } = payment;
  return { ...ofPayment(payment), authorized_amount, captured_amount, released_amount, capturable_until };
};
/** Without what the network says of the attempt, which has tests of its own. */
export const withoutReport = ({ attempt: _, ...data }: Body): Body => data;

const authorize = (host: TestHost, token = 'ok'): Promise<Body> => pay(host, token, { capture: 'manual', metadata });
const AUTHORIZED = ['payment.created', 'payment.authorized'] as const;

const ofFailed = (payment: Body): Body => ({ ...ofPayment(payment), failure: payment.failure });
const ofRefunded = (payment: Body, nth: number): Body => ({
  ...ofPayment(payment),
  amount_refunded: payment.amount_refunded,
  refund: payment.refunds[nth],
});

const metadata = { order: 'A-1' };

/** A subscription that is not charged until long after all tests. */
async function aFutureSubscription(host: TestHost): Promise<Body> {
  const start_at = new Date(host.clock.now().getTime() + 4 * 365 * 86_400_000).toISOString();
  return done(await host.call('POST', '/v1/subscriptions', aSubscriptionBody({ start_at })));
}

/**
 * A subscription whose first charge, or renewal, is running; each has its own customer and card, so that a scenario
 * matches it alone.
 */
async function aChargedSubscription(host: TestHost, behaviour = 'approve', times = 1, more: Body = {}): Promise<Body> {
  const customer_id = `cus_${randomUUID().replaceAll('-', '')}`;
  const payment_method = {
    type: 'card',
    tokens: { stripe: { payment_method: 'pm_card_visa', customer: customer_id } },
  };
  await arrange(host, behaviour, { times, match: { customer_id } });
  return done(
    await host.call('POST', '/v1/subscriptions', aSubscriptionBody({ customer_id, payment_method, ...more })),
  );
}

const change = async (host: TestHost, subscription: Body, changes: Body): Promise<Body> =>
  done(await changeSubscription(host, subscription, changes));
const move = async (host: TestHost, { id }: Body, to: 'cancel' | 'resume'): Promise<Body> =>
  done(await host.call('POST', `/v1/subscriptions/${id}/${to}`));

/** Its newest invoice, once it has this state. */
const invoiceThat = (host: TestHost, subscription: Body, isSo: (invoice: Body) => boolean, nth = 1): Promise<Body> =>
  until(`invoice ${nth} of ${subscription.id}`, async () => {
    const invoice = (await invoicesOf(host, subscription))[nth - 1];
    return invoice && isSo(invoice) && invoice;
  });

const isPaid = ({ status }: Body): boolean => status === 'paid';
const CHARGED = ['invoice.created', 'payment.created'] as const;
const PAID = ['payment.succeeded', 'invoice.paid'] as const;

const DISPUTED = ['payment.created', 'payment.succeeded'] as const;
const ofDispute = ({ answer_options: _, ...dispute }: Body): Body => dispute;

const disputeThat = (host: TestHost, { payment_id }: Body, isSo: (dispute: Body) => boolean): Promise<Body> =>
  until(`the dispute of ${payment_id}`, async () => {
    const [dispute] = done(await host.call('GET', `/v1/disputes?payment_id=${payment_id}`)).disputes;
    return dispute && isSo(dispute) && dispute;
  });

/** Its provider has reported it. */
async function aDispute(host: TestHost): Promise<{ readonly created: Body }> {
  const { id: payment_id } = await pay(host);
  done(await host.control('POST', '/psp/disputes', { provider: 'stripe', payment_id }));
  return { created: await disputeThat(host, { payment_id }, () => true) };
}

async function answerDispute(host: TestHost, { id }: Body, how: 'accept' | 'evidence'): Promise<Body> {
  const body = how === 'evidence' ? { explanation: 'It was delivered.' } : undefined;
  return done(await host.call('POST', `/v1/disputes/${id}/${how}`, body));
}

/**
 * An operation for each event type, done as the shop, its customers and its provider do it. A new event type is a
 * line here.
 */
export const OPERATIONS: Readonly<Record<EventType, Operation>> = {
  'payment.created': async (host) => {
    const intent = await anIntent(host, 'ok', { metadata });
    const created = await read(host, intent.id);
    done(await act(host, intent.id, 'confirm'));
    return { data: [ofPayment(created)], others: ['payment.succeeded'] };
  },
  'payment.authorized': async (host) => {
    const authorized = await authorize(host);
    done(await act(host, authorized.id, 'cancel'));
    return { data: [ofManual(authorized)], others: ['payment.created', 'payment.canceled'] };
  },
  'payment.authorization_expiring': async (host) => {
    const authorized = await authorize(host);
    await jump(host, new Date(Date.parse(authorized.capturable_until) - 23 * 3_600_000).toISOString());
    done(await act(host, authorized.id, 'cancel'));
    return { data: [ofManual(authorized)], others: [...AUTHORIZED, 'payment.canceled'] };
  },
  'payment.captured': async (host) => {
    const { id } = await authorize(host);
    const captured = done(await act(host, id, 'capture', { amount: 2_000, final: false }));
    done(await act(host, id, 'cancel'));
    const [capture] = captured.captures;
    return { data: [{ ...ofManual(captured), capture }], others: [...AUTHORIZED, 'payment.succeeded'] };
  },
  'payment.capture_failed': async (host) => {
    const { id } = await authorize(host);
    await arrange(host, 'decline:card_declined', { match: { operation: 'capture' } });
    const failed = done(await act(host, id, 'capture'));
    done(await act(host, id, 'cancel'));
    const [capture] = failed.captures;
    return { data: [{ ...ofManual(failed), capture }], others: [...AUTHORIZED, 'payment.canceled'] };
  },
  'payment.succeeded': async (host) => {
    const payment = await pay(host, 'ok', { metadata, customer_id: 'buyer' });
    done(await act(host, payment.id, 'refund'));
    return { data: [ofPayment(payment)], others: ['payment.created', 'payment.refunded'] };
  },
  'payment.failed': async (host) => {
    const payment = await pay(host, 'decline_insufficient_funds');
    done(await act(host, payment.id, 'retry', { payment_method: { type: 'card', token: 'ok' } }));
    return { data: [ofFailed(payment)], others: ['payment.created', 'payment.succeeded'] };
  },
  'payment.canceled': async (host) => {
    const intent = await anIntent(host);
    return { data: [ofPayment(done(await act(host, intent.id, 'cancel')))], others: ['payment.created'] };
  },
  'payment.refunded': async (host) => {
    const { id } = await pay(host);
    const first = done(await act(host, id, 'refund', { amount: 1_000 }));
    const second = done(await act(host, id, 'refund', { amount: 4_000 }));
    return { data: [ofRefunded(first, 0), ofRefunded(second, 1)], others: ['payment.created', 'payment.succeeded'] };
  },
  'subscription.created': async (host) => {
    const created = await aFutureSubscription(host);
    await change(host, created, { amount: 2_490 });
    return { data: [created], others: ['subscription.updated'] };
  },
  'subscription.updated': async (host) => {
    const subscription = await aFutureSubscription(host);
    const data = [
      await change(host, subscription, { amount: 2_490 }),
      await change(host, subscription, { metadata, plan_id: 'large' }),
    ];
    return { data, others: ['subscription.created'] };
  },
  'subscription.canceled': async (host) => {
    const subscription = await aFutureSubscription(host);
    return { data: [await move(host, subscription, 'cancel')], others: ['subscription.created'] };
  },
  'subscription.paused': async (host) => {
    const subscription = await aFutureSubscription(host);
    const paused = await change(host, subscription, { status: 'paused' });
    await move(host, subscription, 'resume');
    return { data: [paused], others: ['subscription.created', 'subscription.updated', 'subscription.resumed'] };
  },
  'subscription.resumed': async (host) => {
    const subscription = await aFutureSubscription(host);
    await change(host, subscription, { status: 'paused' });
    const resumed = await move(host, subscription, 'resume');
    await move(host, subscription, 'cancel');
    return {
      data: [resumed],
      others: ['subscription.created', 'subscription.updated', 'subscription.paused', 'subscription.canceled'],
    };
  },
  'subscription.renewed': async (host) => {
    const made = await aChargedSubscription(host);
    await invoiceThat(host, made, isPaid);
    await jump(host, (await subscriptionOf(host, made)).next_renewal_at);
    await invoiceThat(host, made, isPaid, 2);
    const renewed = await subscriptionOf(host, made);
    await change(host, made, { amount: 2_490 });
    await move(host, made, 'cancel');
    const periods = [...CHARGED, ...PAID, ...CHARGED, ...PAID];
    return {
      data: [renewed],
      others: ['subscription.created', ...periods, 'subscription.updated', 'subscription.canceled'],
    };
  },
  'invoice.created': async (host) => {
    // The relay settles it, and would refund the money if it were canceled by then.
    const made = await aChargedSubscription(host, 'pending', 1, { interval: 'yearly' });
    const invoice = await invoiceThat(host, made, ({ payment_id }) => payment_id !== null);
    await until('the charge', async () => (await paymentsOf(host, made))[0]?.psp_reference ?? undefined);
    done(
      await host.control('POST', '/psp/complete', {
        provider: 'stripe',
        reference: invoice.payment_id,
        outcome: 'succeeded',
      }),
    );
    await until('the money', async () => (await paymentsOf(host, made))[0]?.status === 'succeeded');
    return { data: [invoice], others: ['subscription.created', 'payment.created', ...PAID] };
  },
  'invoice.paid': async (host) => {
    const made = await aChargedSubscription(host);
    const paid = await invoiceThat(host, made, isPaid);
    await move(host, made, 'cancel');
    return { data: [paid], others: ['subscription.created', ...CHARGED, 'payment.succeeded', 'subscription.canceled'] };
  },
  'invoice.failed': async (host) => {
    done(await host.call('POST', '/v1/policies/retry', { plan_id: 'once', delays: ['6h'], max_retries: 1 }));
    const made = await aChargedSubscription(host, 'decline:insufficient_funds', 2, { plan_id: 'once' });
    const { next_retry_at } = await invoiceThat(host, made, (invoice) => invoice.next_retry_at !== null);
    await jump(host, next_retry_at);
    const failed = await invoiceThat(host, made, ({ status }) => status === 'failed');
    done(await host.call('POST', `/v1/invoices/${failed.id}/retry`));
    const others = [
      'subscription.created',
      ...CHARGED,
      'payment.failed',
      'payment.failed',
      'subscription.paused',
      ...PAID,
    ] as const;
    return { data: [failed], others };
  },
  'invoice.canceled': async (host) => {
    const made = await aChargedSubscription(host, 'decline:insufficient_funds');
    const { id } = await invoiceThat(host, made, (invoice) => invoice.next_retry_at !== null);
    const canceled = done(await host.call('POST', `/v1/invoices/${id}/cancel`));
    await move(host, made, 'cancel');
    return {
      data: [canceled],
      others: ['subscription.created', ...CHARGED, 'payment.failed', 'subscription.canceled'],
    };
  },
  'payment_link.paid': async (host) => {
    const { id, url } = await aLink(host, { max_payments: 2, metadata });
    const visitor = aGuest(host);
    const page = providerUrl(await visitor.submit(await visitor.open(url), 'start'));
    const reply = await fetch(page, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' });
    await visitor.open(reply.headers.get('location') ?? '');
    const paid = await until('the payment of the link', async () => {
      const link = await getLink(host, id);
      return link.payments_made === 1 && link;
    });
    const { payments } = done(await host.call('GET', '/v1/payments?limit=20'));
    done(await host.call('POST', `/v1/payment-links/${id}/deactivate`));
    const payment_id = payments.find(({ payment_link_id }: Body) => payment_link_id === id).id;
    return { data: [{ ...paid, payment_id }], others: ['payment.created', 'payment.succeeded'] };
  },
  'dispute.created': async (host) => {
    const { created } = await aDispute(host);
    await answerDispute(host, created, 'evidence');
    return { data: [ofDispute(created)], others: [...DISPUTED, 'dispute.updated'] };
  },
  'dispute.updated': async (host) => {
    const { created } = await aDispute(host);
    const updated = await answerDispute(host, created, 'evidence');
    done(
      await host.control('POST', '/psp/disputes/move', {
        provider: 'stripe',
        reference: created.psp_reference,
        step: 'won',
      }),
    );
    await disputeThat(host, created, ({ status }) => status === 'won');
    return { data: [ofDispute(updated)], others: [...DISPUTED, 'dispute.created', 'dispute.closed'] };
  },
  'dispute.response_due': async (host) => {
    const { created } = await aDispute(host);
    await jump(host, new Date(Date.parse(created.respond_by) - 20 * 3_600_000).toISOString());
    await until('the warning', async () => (await host.deps.disputes.byId(created.id))?.warned_for);
    await answerDispute(host, created, 'accept');
    return { data: [ofDispute(created)], others: [...DISPUTED, 'dispute.created', 'dispute.closed'] };
  },
  'dispute.closed': async (host) => {
    const { created } = await aDispute(host);
    const closed = await answerDispute(host, created, 'accept');
    return { data: [ofDispute(closed)], others: [...DISPUTED, 'dispute.created'] };
  },
  'service.webhook.test': async (host) => {
    const { data } = done(await host.call('POST', '/v1/webhooks/test'));
    return { data: [data], others: [] };
  },
};

export type Happened = Readonly<Record<EventType, Told>>;

/** Does all of them, one after the other. */
export async function doEverything(
  host: TestHost,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Happened> {
  const happened = {} as Record<EventType, Told>;
  for (const type of EVENT_TYPES) {
    happened[type] = await OPERATIONS[type](host);
    await between();
  }
  return happened;
}

/** The types of all required events, in alphabetical order. */
export const typesOf = (happened: Happened): readonly EventType[] =>
  EVENT_TYPES.flatMap((type) => [...happened[type].data.map(() => type), ...happened[type].others]).toSorted();
