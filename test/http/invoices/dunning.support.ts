import { onTestFinished } from 'vitest';
import {
  billingEventTypes,
  goTo,
  invoicesOf,
  moveSubscription,
  paymentsOf,
  saved,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import type { Answer, Body, CallOptions, TestHost } from '#test/support/host.ts';
import { aShop, moneyOf, type Shop } from '#test/support/payment-steps.ts';

type More = Readonly<Record<string, unknown>>;

type Act = (more?: CallOptions) => Promise<Answer>;

/** A customer who owes, as the shop sees it. `invoice` is the newest one, and `payment` the one that it names. */
export type Debtor = {
  readonly shop: Shop;
  readonly how: CallOptions;
  readonly id: string;
  readonly customer_id: string;
  readonly subscription: () => Promise<Body>;
  readonly invoice: () => Promise<Body>;
  readonly payment: () => Promise<Body>;
  readonly payments: () => Promise<Body[]>;
  /** How many charges took money for each of the customer's payments, and how much of it is kept. */
  readonly taken: () => Promise<readonly (readonly [count: number, kept: number])[]>;
  /** How often each type of event was told of the subscription, its invoices and its payments. */
  readonly events: () => Promise<Readonly<Record<string, number>>>;
  readonly retry: Act;
  readonly cancel: Act;
  /** The same of the invoice as it is newest now: nothing is read before the request. */
  readonly ready: (action: 'retry' | 'cancel') => Promise<Act>;
};

/** Declined, and worth another try. */
export const SOFT = 'decline_insufficient_funds';

/** What a customer has caused whose first charge was made, and how it ended. */
export const BEGUN = { 'subscription.created': 1, 'invoice.created': 1, 'payment.created': 1 } as const;

/** The same with one renewal. */
export const RENEWED_ONCE = { 'subscription.created': 1, 'invoice.created': 2, 'payment.created': 2 } as const;

/**
 * A subscription whose first charge goes as the token says. It ends with the test, so that nothing of it falls due in a
 * later one.
 */
export async function aDebtor(host: TestHost, token = SOFT, more: More = {}, given?: Shop): Promise<Debtor> {
  const shop = given ?? (await aShop(host, { a: {} }));
  const how = { key: shop.key };
  const made = await subscribe(host, { payment_method: saved(token), ...more }, how);
  onTestFinished(async () => {
    await host.control('DELETE', '/psp/scenario');
    await moveSubscription(host, made, 'cancel', undefined, how);
  });
  const invoice = async () => (await invoicesOf(host, made, how)).at(-1);
  const ready = async (action: 'retry' | 'cancel'): Promise<Act> => {
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
    events: async () => counted(await billingEventTypes(host, made, how)),
    retry: async (more) => (await ready('retry'))(more),
    cancel: async (more) => (await ready('cancel'))(more),
    ready,
  };
}

/** As above, with a first period that was paid: what comes then is a renewal, for which `prepare` sets the provider. */
export async function aRenewal(host: TestHost, prepare: () => Promise<unknown>, more: More = {}): Promise<Debtor> {
  const debtor = await aDebtor(host, 'ok', more);
  await prepare();
  await goTo(host, (await debtor.subscription()).next_renewal_at);
  return debtor;
}

/** To the next try that is planned. */
export const toNextTry = async (host: TestHost, { invoice }: Debtor): Promise<Answer> =>
  goTo(host, (await invoice()).next_retry_at);

/** Through all tries that are planned. */
export async function toTheEnd(host: TestHost, debtor: Debtor): Promise<void> {
  while ((await debtor.invoice()).next_retry_at !== null) await toNextTry(host, debtor);
}

export const changeMethod = (host: TestHost, { id, how }: Debtor, token: string): Promise<Answer> =>
  host.call('PATCH', `/v1/subscriptions/${id}`, { payment_method: saved(token) }, how);

export const savePolicy = (host: TestHost, { key }: Pick<Shop, 'key'>, policy: Body): Promise<Answer> =>
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

const counted = (types: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...Map.groupBy(types, (type) => type)].map(([type, all]) => [type, all.length]));

/** Milliseconds between two times. */
export const between = (from: string, to: string): number => Date.parse(to) - Date.parse(from);
