import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Fault } from '#lib/local/faults.ts';
import type { LocalHostOptions } from '#lib/local/local-host.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import {
  CRASHES,
  callsMade,
  describePoint,
  faultsAt,
  type Kind,
  receiveEvents,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { goTo, invoicesOf, paymentsOf, subscribe, subscriptionOf } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, drain } from '#test/support/payment-steps.ts';

/** Steps of the fault tests of renewals, and their common check: money, invoices and events must agree. */

const SHOP = 'shop';

/** A host whose demo shop receives webhooks of all events. */
export async function startHostWithWebhooks(options: Partial<LocalHostOptions> = {}): Promise<TestHost> {
  const host = await startHost(options);
  await receiveEvents(host, SHOP);
  return host;
}

/** The customer and the saved card: scenarios match the customer, and retry budgets count per card. */
export const savedCardOf = (customer: string, token = 'pm_card_visa') => ({
  type: 'card',
  tokens: { stripe: { payment_method: token, customer } },
});

export function aBuyer(token?: string) {
  const customer_id = `cus_${randomUUID().replaceAll('-', '')}`;
  return { customer_id, payment_method: savedCardOf(customer_id, token) };
}

/** The next `times` charges of this customer are declined. */
export const decline = (host: TestHost, { customer_id }: Body, times = 1, code = 'insufficient_funds') =>
  arrange(host, `decline:${code}`, { times, match: { customer_id } });

/** A subscription whose first charge is declined `times` times. */
export async function aDebt(host: TestHost, more: Body = {}, times = 1): Promise<Body> {
  const buyer = aBuyer();
  await decline(host, buyer, times);
  return subscribe(host, { ...buyer, ...more });
}

export const lastInvoiceOf = async (host: TestHost, subscription: Body): Promise<Body> =>
  (await invoicesOf(host, subscription)).at(-1);

/** Early enough that a slow machine, whose clock keeps running, is ready in time. */
export const before = (time: string, ms = 20_000): string => new Date(Date.parse(time) - ms).toISOString();

/** The webhooks that the shop received, and the charges at the provider. */
type Ledger = {
  readonly eventCounts: (ids: readonly string[]) => Readonly<Record<string, number>>;
  readonly kept: (paymentId: string) => { readonly count: number; readonly kept: number };
};

export async function ledgerOf(host: TestHost): Promise<Ledger> {
  await drain(host);
  const { deliveries } = (await host.control('GET', `/receiver/${SHOP}`)).body;
  const { charges } = (await host.control('GET', '/psp/calls')).body;
  const types = new Map<string, Map<string, string>>();
  for (const { raw_body, status } of deliveries) {
    const { id, type, data } = JSON.parse(raw_body);
    expect(status).toBe(200);
    types.set(data.id, (types.get(data.id) ?? new Map()).set(id, type));
  }
  return {
    eventCounts: (ids) => countByType(ids.flatMap((id) => [...(types.get(id)?.values() ?? [])])),
    kept: (id) => {
      const { amount = 0, refunded = 0, count = 0 } = charges[id] ?? {};
      return { count, kept: amount - refunded };
    },
  };
}

const countByType = (types: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const type of types) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
};

/** A subscription with its invoices and payments, as the API shows them. */
export type BilledSubscription = {
  readonly subscription: Body;
  readonly invoices: readonly Body[];
  readonly payments: readonly Body[];
  readonly eventCounts: Body;
};

/**
 * Invariants: one invoice per period; its amount is kept if it is paid, and nothing otherwise; no payment without an
 * invoice; each event of its state once.
 */
export async function verifyLedger(
  host: TestHost,
  made: Body,
  books: Ledger,
  where: string,
): Promise<BilledSubscription> {
  const [subscription, invoices, payments] = await Promise.all([
    subscriptionOf(host, made),
    invoicesOf(host, made),
    paymentsOf(host, made),
  ]);
  const starts = invoices.map(({ period_start }) => period_start);
  expect(new Set(starts).size, `${where}: ${starts}`).toBe(starts.length);
  const kept = invoices.map((invoice) => {
    const own = payments.filter(({ invoice_id }) => invoice_id === invoice.id).map(({ id }) => books.kept(id));
    return [invoice.status, own.length > 0, own.reduce((sum, each) => sum + each.kept, 0)];
  });
  expect(kept, where).toEqual(invoices.map(({ status, amount }) => [status, true, status === 'paid' ? amount : 0]));
  const ids = new Set(invoices.map(({ id }) => id));
  expect(
    payments.filter(({ invoice_id }) => !ids.has(invoice_id)),
    where,
  ).toEqual([]);
  for (const { id, invoice_id } of payments) {
    // A payment has at most one charge.
    expect(books.kept(id).count, `${where}: ${id} of ${invoice_id}`).toBeLessThanOrEqual(1);
  }
  const told = books.eventCounts([subscription, ...invoices, ...payments].map(({ id }) => id));
  const paid = invoices.filter(({ status }) => status === 'paid');
  expect(told, where).toMatchObject({
    'subscription.created': 1,
    ...(invoices.length > 0 && { 'invoice.created': invoices.length, 'payment.created': payments.length }),
  });
  const [renewals, renewed] = [
    paid.filter(({ period_start }) => period_start !== subscription.start_at).length,
    told['subscription.renewed'] ?? 0,
  ];
  expect(renewed, `${where}: renewed`).toBe(renewals);
  const times = ['invoice.paid', 'payment.succeeded', 'subscription.canceled', 'invoice.canceled'].map(
    (type) => told[type] ?? 0,
  );
  expect(times, `${where}: paid, succeeded, canceled`).toEqual([
    paid.length,
    payments.filter(({ status }) => status === 'succeeded' || status === 'refunded').length,
    subscription.status === 'canceled' ? 1 : 0,
    invoices.filter(({ status }) => status === 'canceled').length,
  ]);
  return { subscription, invoices, payments, eventCounts: told };
}

/** Nothing stays due: half an hour later all scheduled work is done. */
export async function verifyNothingLeft(host: TestHost): Promise<void> {
  await advance(host, '30m');
  await drain(host);
  const { due } = host.deps;
  const left = await Promise.all(due.shards.map((shard) => due.due(shard, host.clock.now(), 1_000)));
  expect(left.flat()).toEqual([]);
  const buried = await Promise.all(QUEUES.map((queue) => host.queue.deadLetters(queue)));
  expect(buried.flat()).toEqual([]);
}

/** The relay fails once and backs off, so that the worker makes the same calls each time. */
export const holdRelay = (host: TestHost) =>
  host.control('POST', '/faults', { point: 'table', nth: 1, kind: 'error', when: 'before', handler: 'relay' });

/** One kind of work, during which each call fails in turn. */
export type Work = {
  /** Creates a subscription that starts then. */
  readonly make: (host: TestHost, start_at: string) => Promise<Body>;
  /** Runs after the first charge. Without it that charge may be the work. */
  readonly prepare?: (host: TestHost, subscription: Body) => Promise<unknown>;
  /** When the work is due. */
  readonly dueAt: (host: TestHost, subscription: Body) => Promise<string>;
  /** Leads up to the work; by default only time passes. */
  readonly approach?: (host: TestHost, subscription: Body) => Promise<unknown>;
};

export type CrashedWork = { readonly made: Body; readonly where: string };

/**
 * Their work is due well over a minute apart, so that the recovery from one crash never counts as the next one's work,
 * and is over before anyone goes to the time just before that.
 */
const APART = 97_000;

/** Creates several subscriptions whose work is due at different times. */
export async function makeAll(
  host: TestHost,
  { make, prepare }: Pick<Work, 'make' | 'prepare'>,
  many: number,
): Promise<readonly Body[]> {
  const now = host.clock.now().getTime();
  const starts = Array.from({ length: many }, (_, n) => new Date(now + (n + 1) * APART).toISOString());
  const made: Body[] = [];
  for (const start_at of starts) made.push(await make(host, start_at));
  if (!prepare) return made;
  for (const [n, start_at] of starts.entries()) {
    await goTo(host, start_at);
    await prepare(host, made[n]);
  }
  return made;
}

/** Only a few points may be missed: the winner of a race makes one call more. */
const MAX_MISSED = 3;

export type CrashOptions = {
  /** The function whose calls fail. */
  readonly group?: string;
  readonly kinds?: readonly Kind[];
  /** For example only those to the table. */
  readonly points?: readonly Fault['point'][];
  /** Further faults. */
  readonly also?: (host: TestHost) => Promise<unknown>;
};

/**
 * Lets each call of the work fail in each of these ways, each time for another subscription. Returns those it happened
 * to.
 */
export async function crashAtEachCall(
  host: TestHost,
  work: Work,
  strikes: CrashOptions = {},
): Promise<readonly CrashedWork[]> {
  const { group = 'renewals', kinds = CRASHES, points, also = holdRelay } = strikes;
  const near = async (subscription: Body) => {
    const due = await work.dueAt(host, subscription);
    await (work.approach ?? (() => goTo(host, before(due))))(host, subscription);
    return () => goTo(host, due);
  };
  // The first one reads what the process then keeps, such as the credentials of a connection: it makes more calls.
  const [first, probe] = await makeAll(host, work, 2);
  await (await near(first))();
  await host.drain();
  const come = await near(probe);
  const found = await callsMade(host, group, async () => {
    await also(host);
    await come();
  });
  const calls = found.filter(({ point }) => points?.includes(point as Fault['point']) ?? true);
  const faults = calls.flatMap((call) => faultsAt(call, kinds));
  const struck: CrashedWork[] = [];
  for (const [n, made] of (await makeAll(host, work, faults.length)).entries()) {
    const { method, ...fault } = faults[n]!;
    await host.control('DELETE', '/faults');
    const now = await near(made);
    await also(host);
    await host.control('POST', '/faults', { ...fault, handler: group });
    await now();
    if (host.faults.waiting.some(({ handler }) => handler === group)) continue;
    struck.push({ made, where: `${fault.kind} ${describePoint({ ...fault, method })}` });
  }
  expect(struck.length).toBeGreaterThanOrEqual(faults.length - MAX_MISSED);
  await runScheduledWork(host);
  return struck;
}
