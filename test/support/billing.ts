import { randomUUID } from 'node:crypto';
import type { ApiResponse, Body, CallOptions, TestHost } from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';

/** Requests of a shop with subscriptions, for tests of renewals and dunning, all over HTTP. */

type More = Readonly<Record<string, unknown>>;

/** A card that is saved at the provider under this token. */
export const savedCard = (token = 'pm_card_visa', provider = 'stripe') => ({
  type: 'card',
  tokens: { [provider]: token },
});

/** EUR 19.90 a month from its own customer, so that the customer's payments are those of the subscription. */
export const aSubscriptionBody = (more: More = {}) => ({
  customer_id: `customer-${randomUUID()}`,
  plan_id: 'basic',
  amount: 1_990,
  currency: 'EUR',
  interval: 'monthly',
  payment_method: savedCard(),
  ...more,
});

/**
 * Creates a subscription and waits for the immediate effects: it is charged, unless it starts later. Returns the
 * response of its creation.
 */
export async function subscribe(host: TestHost, more: More = {}, how: CallOptions = {}): Promise<Body> {
  const { status, body } = await host.call('POST', '/v1/subscriptions', aSubscriptionBody(more), how);
  if (status !== 201) throw new Error(`No subscription: ${status} ${JSON.stringify(body)}`);
  await drain(host);
  return body;
}

export const subscriptionOf = async (host: TestHost, { id }: Body, how: CallOptions = {}): Promise<Body> =>
  (await host.call('GET', `/v1/subscriptions/${id}`, undefined, how)).body;

export const changeSubscription = (
  host: TestHost,
  { id }: Body,
  changes: Body,
  how: CallOptions = {},
): Promise<ApiResponse> => host.call('PATCH', `/v1/subscriptions/${id}`, changes, how);

/** Cancels or resumes a subscription, and waits for the immediate effects. */
export async function moveSubscription(
  host: TestHost,
  { id }: Body,
  move: 'cancel' | 'resume',
  body?: Body,
  how: CallOptions = {},
): Promise<ApiResponse> {
  const answer = await host.call('POST', `/v1/subscriptions/${id}/${move}`, body, how);
  await drain(host);
  return answer;
}

/** Cancels active subscriptions, so that they do not renew in later tests that move the clock. */
export async function endSubscriptions(host: TestHost, how: CallOptions = {}): Promise<void> {
  for (const subscription of await all(host, '/v1/subscriptions?status=active', undefined, how))
    await moveSubscription(host, subscription, 'cancel', undefined, how);
}

/** Its invoices, the first period's first. */
export async function invoicesOf(host: TestHost, { id }: Body, how: CallOptions = {}): Promise<Body[]> {
  const invoices = await all(host, `/v1/invoices?subscription_id=${id}`, 'invoices', how);
  return invoices.sort((a, b) => a.period_start.localeCompare(b.period_start));
}

/** Its customer's payments, oldest first: one per invoice, in the order of the invoices. */
export async function paymentsOf(host: TestHost, { customer_id }: Body, how: CallOptions = {}): Promise<Body[]> {
  const payments = await all(host, `/v1/payments?customer_id=${customer_id}`, 'payments', how);
  return payments.sort((a, b) => a.created_at.localeCompare(b.created_at));
}

/**
 * All events about the subscription, its invoices and its payments, oldest first; those of the same time by type.
 */
export async function billingEvents(host: TestHost, subscription: Body, how: CallOptions = {}): Promise<Body[]> {
  await drain(host);
  const about = [
    subscription,
    ...(await invoicesOf(host, subscription, how)),
    ...(await paymentsOf(host, subscription, how)),
  ];
  const ids = new Set(about.map(({ id }) => id));
  const events = await all(host, '/v1/webhooks/events?', 'events', how);
  return events
    .filter(({ data }) => ids.has(data.id))
    .sort((a, b) => a.created_at.localeCompare(b.created_at) || a.type.localeCompare(b.type));
}

export const billingEventTypes = async (host: TestHost, subscription: Body, how: CallOptions = {}): Promise<string[]> =>
  (await billingEvents(host, subscription, how)).map(({ type }) => type);

/**
 * Moves the clock to this time, and stops whenever something is due. On a busy machine that time may have come already:
 * then only what is due now is done.
 */
export async function goTo(host: TestHost, time: string): Promise<ApiResponse> {
  const target = new Date(time);
  await host.moveClock((now) => (now < target ? target : now));
  return host.control('GET', '/clock');
}

/**
 * Lets time pass without a sweep: the first sweep comes at the end, and finds everything due at once.
 */
export async function stopUntil(host: TestHost, time: string): Promise<void> {
  await host.clock.stand(new Date(time));
  await host.clock.run();
  await host.control('POST', '/clock', { advance: '0s' });
}

/** Every page of a list. */
async function all(host: TestHost, path: string, field: string | undefined, how: CallOptions): Promise<Body[]> {
  const found: Body[] = [];
  for (let next: string | undefined = `${path}&limit=200`; next !== undefined; ) {
    const { body, headers } = await host.call('GET', next, undefined, how);
    found.push(...(field === undefined ? body : body[field]));
    const url = /^<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    next = url && new URL(url).pathname + new URL(url).search;
  }
  return found;
}
