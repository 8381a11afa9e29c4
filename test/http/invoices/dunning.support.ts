import { onTestFinished } from 'vitest';
import {
  billingEventTypes,
  goTo,
  invoicesOf,
  moveSubscription,
  paymentsOf,
  savedCard,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import type { ApiResponse, Body, CallOptions, TestHost } from '#test/support/host.ts';
import { aShop, moneyOf, type Shop } from '#test/support/payment-steps.ts';

type More = Readonly<Record<string, unknown>>;

type InvoiceAction = (more?: CallOptions) => Promise<ApiResponse>;

/**
 * A customer with an unpaid invoice, as the shop sees it. `invoice` is the newest one, and `payment` is its payment.
 */
export type Debtor = {
  readonly shop: Shop;
  readonly how: CallOptions;
  readonly id: string;
  readonly customer_id: string;
  readonly subscription: () => Promise<Body>;
  readonly invoice: () => Promise<Body>;
  readonly payment: () => Promise<Body>;
  readonly payments: () => Promise<Body[]>;
  /** For each payment of the customer: the number of charges, and the amount after refunds. */
  readonly taken: () => Promise<readonly (readonly [count: number, kept: number])[]>;
  /** The number of events of each type about the subscription, its invoices and its payments. */
  readonly events: () => Promise<Readonly<Record<string, number>>>;
  readonly retry: InvoiceAction;
  readonly cancel: InvoiceAction;
  /** Prepares the request for the currently newest invoice, so that sending it reads nothing first. */
  readonly ready: (action: 'retry' | 'cancel') => Promise<InvoiceAction>;
};

/** A soft decline: a retry may succeed. */
export const SOFT_DECLINE = 'decline_insufficient_funds';

/** The events of a first charge, without those of its outcome. */
export const FIRST_CHARGE_EVENTS = { 'subscription.created': 1, 'invoice.created': 1, 'payment.created': 1 } as const;

/** The same after one renewal. */
export const FIRST_RENEWAL_EVENTS = { 'subscription.created': 1, 'invoice.created': 2, 'payment.created': 2 } as const;

/**
 * A subscription whose token decides the first charge. It is canceled after the test, so that nothing falls due in a
 * later one.
 */
export async function aDebtor(host: TestHost, token = SOFT_DECLINE, more: More = {}, given?: Shop): Promise<Debtor> {
  const shop = given ?? (await aShop(host, { a: {} }));
  const how = { key: shop.key };
  const made = await subscribe(host, { payment_method: savedCard(token), ...more }, how);
  onTestFinished(async () => {
    await host.control('DELETE', '/psp/scenario');
    await moveSubscription(host, made, 'cancel', undefined, how);
  });
  const invoice = async () => (await invoicesOf(host, made, how)).at(-1);
  const ready = async (action: 'retry' | 'cancel'): Promise<InvoiceAction> => {
    const path = `/v1/invoices/${(await invoice()).id}/${action}`;
    return (more = {}) => host.call('POST', path, undefined, { ...how, ...more });
  };
  return {
    shop,
    how,
    id: made.id,
    customer_id: made.customer_id,
    subscription: () => subscriptionOf(host, made, how),
    invoice,
    payment: async () => (await host.call('GET', `/v1/payments/${(await invoice()).payment_id}`, undefined, how)).body,
    payments: () => paymentsOf(host, made, how),
    taken: async () =>
      Promise.all((await paymentsOf(host, made, how)).map(async ({ id }) => kept(await moneyOf(host, id)))),
    events: async () => countByType(await billingEventTypes(host, made, how)),
    retry: async (more) => (await ready('retry'))(more),
    cancel: async (more) => (await ready('cancel'))(more),
    ready,
  };
}

/** The same with a paid first period, followed by a renewal for which `prepare` sets up the provider. */
export async function aRenewal(host: TestHost, prepare: () => Promise<unknown>, more: More = {}): Promise<Debtor> {
  const debtor = await aDebtor(host, 'ok', more);
  await prepare();
  await goTo(host, (await debtor.subscription()).next_renewal_at);
  return debtor;
}

/** Moves the clock to the next planned retry. */
export const toNextRetry = async (host: TestHost, { invoice }: Debtor): Promise<ApiResponse> =>
  goTo(host, (await invoice()).next_retry_at);

/** Moves the clock through all planned retries. */
export async function throughAllRetries(host: TestHost, debtor: Debtor): Promise<void> {
  while ((await debtor.invoice()).next_retry_at !== null) await toNextRetry(host, debtor);
}

export const changeMethod = (host: TestHost, { id, how }: Debtor, token: string): Promise<ApiResponse> =>
  host.call('PATCH', `/v1/subscriptions/${id}`, { payment_method: savedCard(token) }, how);

export const savePolicy = (host: TestHost, { key }: Pick<Shop, 'key'>, policy: Body): Promise<ApiResponse> =>
  host.call('POST', '/v1/policies/retry', policy, { key });

const kept = ({
  count,
  amount,
  refunded,
}: {
  readonly count: number;
  readonly amount: number;
  readonly refunded: number;
}) => [count, amount - refunded] as const;

const countByType = (types: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, all]) => [type, all.length]));

/** Milliseconds between two times. */
export const millisecondsBetween = (from: string, to: string): number => Date.parse(to) - Date.parse(from);
