import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect } from 'vitest';
import { Fault } from '#lib/local/faults.ts';
import { MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import {
  CRASHES,
  callsMade,
  describePoint,
  faultsAt,
  type Kind,
  runScheduledWork,
} from '#test/faults/crash-sweep.support.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';
import { type RelayMode, relayGate } from '#test/support/relay-gate.ts';

/**
 * Steps of the fault tests of events, and their common check: the stored events, the sent events and what happened
 * agree.
 */

type ReceivedRequest = { readonly id: string; readonly body: string; readonly status: number };

type CarefulShop = { readonly url: string; readonly got: readonly ReceivedRequest[]; readonly close: () => void };

/** A shop's own server, which accepts each event once by its id after failing it a number of times. */
async function aCarefulShop(refusals = 0): Promise<CarefulShop> {
  const got: ReceivedRequest[] = [];
  const server = createServer(async (message, response) => {
    const body = Buffer.concat(await message.toArray()).toString();
    const id = String(message.headers['webhook-id']);
    const status = got.filter((each) => each.id === id).length < refusals ? 500 : 200;
    got.push({ id, body, status });
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/hook`, got, close };
}

type Events = Readonly<Record<string, number>>;

/** Work that causes several events. Every call that publishes or delivers them fails in turn. */
export type Case = {
  /** The function whose calls fail. */
  readonly group: string;
  readonly relay?: RelayMode;
  /** How often the shop fails each event before it accepts it. */
  readonly refusals?: number;
  readonly kinds?: readonly Kind[];
  /** Whether each receive of a message fails until it reaches the dead-letter queue, rather than only the first. */
  readonly eachReceive?: boolean;
  /** The minimum number of calls in one run. */
  readonly calls: number;
  /** Steps before the work. */
  readonly prepare?: (host: TestHost, customer: string) => Promise<Body>;
  /** Everything happens for this customer. */
  readonly work: (host: TestHost, customer: string, prepared: Body) => Promise<unknown>;
  readonly afterwards?: (host: TestHost, prepared: Body) => Promise<unknown>;
  /** All events of that customer, including those of `prepare`. */
  readonly told: Events;
};

const ALL: readonly Kind[] = [...CRASHES, { kind: 'error', when: 'before' }, { kind: 'error', when: 'after' }];

/**
 * A batch of the relay may be larger or smaller than when the calls were counted, so that the last points of a count
 * may not exist.
 */
const MAX_MISSED = 0.15;

/**
 * Lets each call fail in each way, each time for another customer; afterwards every event must have been delivered.
 * Returns the number of runs in which the fault happened.
 */
export async function sweepDeliveries(line: Case): Promise<number> {
  const shop = await aCarefulShop(line.refusals);
  const host = await startHost();
  const relay = relayGate(host);
  try {
    expect((await host.call('POST', '/v1/webhooks/config', { url: shop.url, events: ['*'] })).status).toBe(200);
    relay.set(line.relay ?? 'works');
    const customers = await runWithEachFault(host, line);
    relay.set('works');
    await runScheduledWork(host);
    await verifyAllDelivered(host, shop, customers, line.told);
    const buried = (await Promise.all(QUEUES.map((queue) => host.queue.deadLetters(queue)))).flat();
    expect(buried.length > 0, 'something is buried').toBe(line.eachReceive === true);
    return customers.length;
  } finally {
    relay.set('works');
    await host.close();
    shop.close();
  }
}

/** The customer of the run, and where the fault happened. */
type FaultHit = { readonly customer: string; readonly where: string };

async function runWithEachFault(host: TestHost, line: Case): Promise<readonly FaultHit[]> {
  let customers = 0;
  async function begin() {
    customers += 1;
    const customer = `customer-${customers}`;
    const prepared = await line.prepare?.(host, customer);
    await drain(host);
    const come = async () => {
      await line.work(host, customer, prepared);
      await drain(host);
    };
    return { customer, come, leave: async () => line.afterwards?.(host, prepared) };
  }

  const probe = await begin();
  const calls = await callsMade(host, line.group, probe.come);
  await probe.leave();
  expect(calls.length).toBeGreaterThanOrEqual(line.calls);
  const hits: FaultHit[] = [{ customer: probe.customer, where: 'without any fault' }];
  let missed = 0;
  for (const { method, ...fault } of calls.flatMap((call) => faultsAt(call, line.kinds ?? ALL))) {
    const { customer, come, leave } = await begin();
    const isReached = await repeatFault(
      host,
      Fault.parse({ ...fault, handler: line.group }),
      line.eachReceive ? MAX_RECEIVES : 1,
      come,
    );
    missed += isReached ? 0 : 1;
    await leave();
    hits.push({ customer, where: `${fault.kind} ${describePoint({ ...fault, method })}` });
  }
  expect(missed, 'never reached').toBeLessThanOrEqual(MAX_MISSED * hits.length);
  return hits;
}

/**
 * Repeats the fault that many times, because a message rests before it is received again. Returns whether it happened
 * at all.
 */
async function repeatFault(host: TestHost, fault: Fault, times: number, come: () => Promise<void>): Promise<boolean> {
  let left = times - 1;
  host.faults.add(fault);
  const watch = setInterval(() => {
    if (left === 0 || host.faults.waiting.length > 0) return;
    left -= 1;
    // A message that is received again first records a failure of its event.
    host.faults.add({ ...fault, nth: fault.nth + (fault.point === 'table' ? 1 : 0) });
  }, 2);
  await come();
  clearInterval(watch);
  const isReached = left < times - 1 || host.faults.waiting.length === 0;
  host.faults.clear();
  return isReached;
}

/** The customer of the event's payment, subscription or invoice. */
const customerOf = ({ data }: Body): string => data.customer_id;

/** No event is lost or invented; one body per event, apart from the time of sending; each stored as it was sent. */
async function verifyAllDelivered(
  host: TestHost,
  { got }: CarefulShop,
  struck: readonly FaultHit[],
  told: Events,
): Promise<void> {
  const [sent, taken] = [new Map<string, Body>(), new Map<string, Body>()];
  for (const { id, body, status } of got) {
    const { timestamp: _, ...event } = JSON.parse(body);
    expect(event.id).toBe(id);
    expect(event, `${id} is the same each time`).toEqual(sent.get(id) ?? event);
    sent.set(id, event);
    if (status === 200) taken.set(id, event);
  }
  expect(taken, 'each is taken in the end').toEqual(sent);
  const known = Map.groupBy(taken.values(), customerOf);
  for (const { customer, where } of struck) expect(counted(known.get(customer) ?? []), where).toEqual(told);
  expect(known.size).toBe(struck.length);

  const stored = await allEvents(host);
  const asSent = ({ id, type, org_id, created_at, data }: Body) =>
    [id, { id, type, org_id, created_at, data }] as const;
  expect(new Map(stored.map(asSent))).toEqual(taken);
  expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(['delivered']));
  expect(stored).toHaveLength(taken.size);
}

const counted = (events: readonly Body[]): Events => {
  const counts: Record<string, number> = {};
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
};

async function allEvents(host: TestHost): Promise<readonly Body[]> {
  const found: Body[] = [];
  for (let more = true; more; ) {
    const { body } = await host.call('GET', `/v1/webhooks/events?limit=200&offset=${found.length}`);
    found.push(...body.events);
    more = body.pagination.has_more;
  }
  return found;
}
