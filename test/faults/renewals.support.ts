import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Fault } from '#lib/local/faults.ts';
import type { LocalHostOptions } from '#lib/local/local-host.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import {
  CRASHES,
  callsMade,
  faultsAt,
  type Kind,
  letTimePass,
  receiveEvents,
  sentence,
} from '#test/faults/crash-sweep.support.ts';
import { goTo, invoicesOf, paymentsOf, subscribe, subscriptionOf } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, drain } from '#test/support/payment-steps.ts';

/** What fault tests of renewals do, and the truth they all end with: money, invoices and events tell the same. */

const SHOP = 'shop';

/** A host whose demo shop is told of everything, and accepts it. */
export async function startToldHost(options: Partial<LocalHostOptions> = {}): Promise<TestHost> {
  const host = await startHost(options);
  await receiveEvents(host, SHOP);
  return host;
}

/** The customer and her card at the provider: a scenario names her, and the limits on declines count for each card. */
export const cardOf = (customer: string, token = 'pm_card_visa') => ({
  type: 'card',
  tokens: { stripe: { payment_method: token, customer } },
});

export function aBuyer(token?: string) {
  const customer_id = `cus_${randomUUID().replaceAll('-', '')}`;
  return { customer_id, payment_method: cardOf(customer_id, token) };
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

/** Long enough before it that a slow machine, whose clock runs on meanwhile, is ready when it comes. */
export const before = (time: string, ms = 20_000): string => new Date(Date.parse(time) - ms).toISOString();

/** What the shop was told so far, and what the provider took. */
type Books = {
  readonly told: (ids: readonly string[]) => Readonly<Record<string, number>>;
  readonly kept: (paymentId: string) => { readonly count: number; readonly kept: number };
};

export async function booksOf(host: TestHost): Promise<Books> {
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
    told: (ids) => counted(ids.flatMap((id) => [...(types.get(id)?.values() ?? [])])),
    kept: (id) => {
      const { amount = 0, refunded = 0, count = 0 } = charges[id] ?? {};
      return { count, kept: amount - refunded };
    },
  };
}

const counted = (types: readonly string[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const type of types) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
};

/** A subscription with all that belongs to it, as the interface shows it. */
export type Billed = {
  readonly subscription: Body;
  readonly invoices: readonly Body[];
  readonly payments: readonly Body[];
  readonly told: Body;
};

/**
 * What holds whatever happened: an invoice for each period, one after the other; kept of it what it is over if it is
 * paid, and nothing otherwise; no payment without an invoice; each event that its state stands for once.
 */
export async function verifyBooks(host: TestHost, made: Body, books: Books, where: string): Promise<Billed> {
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
    // More than one charge may have been made only where money went back.
    expect(books.kept(id).count, `${where}: ${id} of ${invoice_id}`).toBeLessThanOrEqual(1);
  }
  const told = books.told([subscription, ...invoices, ...payments].map(({ id }) => id));
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
  return { subscription, invoices, payments, told };
}

/** Nothing stays due for ever: half an hour later all that time asks for has been done. */
export async function verifyNothingLeft(host: TestHost): Promise<void> {
  await advance(host, '30m');
  await drain(host);
  const { due } = host.deps;
  const left = await Promise.all(due.shards.map((shard) => due.due(shard, host.clock.now(), 1_000)));
  expect(left.flat()).toEqual([]);
  const buried = await Promise.all(QUEUES.map((queue) => host.queue.deadLetters(queue)));
  expect(buried.flat()).toEqual([]);
}

/** The relay fails once and rests a while, so that a worker does all of its work itself, the same calls each time. */
export const holdRelay = (host: TestHost) =>
  host.control('POST', '/faults', { point: 'table', nth: 1, kind: 'error', when: 'before', handler: 'relay' });

/** One kind of work, of which every call is made to fail in turn. */
export type Work = {
  /** A subscription that begins then. */
  readonly make: (host: TestHost, start_at: string) => Promise<Body>;
  /** What is done about it when its first charge has been made; without this that charge may be the work. */
  readonly prepare?: (host: TestHost, subscription: Body) => Promise<unknown>;
  /** When the work comes. */
  readonly dueAt: (host: TestHost, subscription: Body) => Promise<string>;
  /** What leads up to it; else nothing but time. */
  readonly approach?: (host: TestHost, subscription: Body) => Promise<unknown>;
};

export type Struck = { readonly made: Body; readonly where: string };

/**
 * Their work comes a minute and more apart: what time does after a crash comes between, and never counts as the next
 * one's.
 */
const APART = 67_000;

/** So many of them, whose work comes apart. */
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

/** So few points may turn out to be none: who wins a race makes a call more. */
const MOST_MISSED = 3;

export type Strikes = {
  /** Whose calls are struck. */
  readonly group?: string;
  readonly kinds?: readonly Kind[];
  /** Those of the table alone, say. */
  readonly points?: readonly Fault['point'][];
  /** What is armed besides. */
  readonly also?: (host: TestHost) => Promise<unknown>;
};

/**
 * Lets each call that the work takes fail in each of these ways, for a subscription of its own each; answers those it
 * happened to.
 */
export async function strike(host: TestHost, work: Work, strikes: Strikes = {}): Promise<readonly Struck[]> {
  const { group = 'renewals', kinds = CRASHES, points, also = holdRelay } = strikes;
  const near = async (subscription: Body) => {
    const due = await work.dueAt(host, subscription);
    await (work.approach ?? (() => goTo(host, before(due))))(host, subscription);
    return () => goTo(host, due);
  };
  const [probe] = await makeAll(host, work, 1);
  const come = await near(probe);
  const found = await callsMade(host, group, async () => {
    await also(host);
    await come();
  });
  const calls = found.filter(({ point }) => points?.includes(point as Fault['point']) ?? true);
  const faults = calls.flatMap((call) => faultsAt(call, kinds));
  const struck: Struck[] = [];
  for (const [n, made] of (await makeAll(host, work, faults.length)).entries()) {
    const { method, ...fault } = faults[n]!;
    await host.control('DELETE', '/faults');
    const now = await near(made);
    await also(host);
    await host.control('POST', '/faults', { ...fault, handler: group });
    await now();
    if (host.faults.waiting.some(({ handler }) => handler === group)) continue;
    struck.push({ made, where: `${fault.kind} ${sentence({ ...fault, method })}` });
  }
  expect(struck.length).toBeGreaterThanOrEqual(faults.length - MOST_MISSED);
  await letTimePass(host);
  return struck;
}
