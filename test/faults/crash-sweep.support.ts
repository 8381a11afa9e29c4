import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Fault } from '#lib/local/faults.ts';
import type { Call } from '#lib/local/invocation.ts';
import type { Answer, Body, TestHost } from '#test/support/host.ts';

type When = 'before' | 'after';
export type CrashPoint = {
  readonly point: Call['point'];
  readonly nth: number;
  readonly when: When;
  readonly method: string;
};

/** One call of a point; `crashes`: where around it a process leaves something behind that it leaves nowhere earlier. */
type CallMade = Omit<CrashPoint, 'when'> & { readonly crashes: readonly When[] };

export type Kind = Pick<Fault, 'kind' | 'when'>;
export const CRASHES: readonly Kind[] = [
  { kind: 'crash', when: 'before' },
  { kind: 'crash', when: 'after' },
];

/** What to arm so that the call goes wrong in each of these ways. */
export const faultsAt = ({ crashes, ...call }: CallMade, kinds: readonly Kind[]) =>
  kinds.filter(({ kind, when }) => kind !== 'crash' || crashes.includes(when)).map((way) => ({ ...call, ...way }));

/** What was called; `beside`: two calls that change something were under way at once. */
type Seen = { readonly call: Call; beside: boolean };

/**
 * Every outgoing call that the group makes while `work` runs. What went before is passed on first: a relay that takes
 * an event out of the payment just then makes `work` write twice, which no later run does.
 */
export async function callsMade(
  host: TestHost,
  group: string,
  work: () => Promise<unknown>,
): Promise<readonly CallMade[]> {
  await host.control('DELETE', '/faults');
  await host.control('POST', '/drain');
  return withCrashes(await callsSeen(host, group, work));
}

/** Those at which the group's process may die, each leaving something else behind. */
export async function crashPointsOf(
  host: TestHost,
  group: string,
  work: () => Promise<unknown>,
): Promise<readonly CrashPoint[]> {
  const calls = await callsMade(host, group, work);
  return calls.flatMap(({ crashes, ...call }) => crashes.map((when) => ({ ...call, when })));
}

async function callsSeen(host: TestHost, group: string, work: () => Promise<unknown>): Promise<readonly Seen[]> {
  const all: Seen[] = [];
  const changing = new Set<Seen>();
  const stop = host.onCall((call, ended) => {
    if (call.group !== group) return;
    const seen = { call, beside: changes(call) && changing.size > 0 };
    all.push(seen);
    if (!changes(call)) return;
    for (const other of changing) other.beside = true;
    changing.add(seen);
    void ended.then(() => changing.delete(seen));
  });
  await work();
  stop();
  return all;
}

const READS = ['get', 'getMany', 'query', 'entries', 'count'];
const changes = ({ point, method }: Call): boolean =>
  point !== 'vault' && !(point === 'table' && READS.includes(method));
/** The control server strikes none of these. */
const isSpared = ({ point }: Call): boolean => point === 'receiver' || point === 'mail';

/**
 * A crash is worth a try once for each state that it can leave: before the first change and after each. Before a change
 * is the same place as after the one before it, unless the two overlap.
 */
function withCrashes(all: readonly Seen[]): readonly CallMade[] {
  const counts = new Map<string, number>();
  const points: CallMade[] = [];
  let isTried = false;
  for (const { call, beside } of all) {
    const { point, method } = call;
    const crashesOfChange: readonly When[] = beside || !isTried ? ['before', 'after'] : ['after'];
    const crashes = changes(call) ? crashesOfChange : [];
    if (changes(call)) isTried = !beside && !isSpared(call);
    if (isSpared(call)) continue;
    const nth = (counts.get(point) ?? 0) + 1;
    counts.set(point, nth);
    points.push({ point, nth, method, crashes });
  }
  return points;
}

/** So many points of a file's sweeps may turn out to be none. */
const MOST_MISSED = 8;
const missed = new WeakMap<TestHost, number>();

/**
 * Whether the process that is to die at the point has died. The relay may have taken an event out of a record just
 * while the points were counted, so that this one write was made twice: of such a count the last points are never
 * reached.
 */
export async function diesThere(host: TestHost, send: () => Promise<Answer>, where: string): Promise<boolean> {
  const { status } = await send();
  if (status === 503) return true;
  expect([status < 500, host.faults.waiting.length], where).toEqual([true, 1]);
  await host.control('DELETE', '/faults');
  missed.set(host, (missed.get(host) ?? 0) + 1);
  expect(missed.get(host), `${where}, as so many others, was never reached`).toBeLessThanOrEqual(MOST_MISSED);
  return false;
}

export const sentence = ({ point, nth, when, method }: CrashPoint): string =>
  `${when} ${point} call ${nth} (${method})`;

/** Longer than a claim is leased: whoever died with it is out of the way. */
export const pastTheLease = (host: TestHost) => host.control('POST', '/clock', { advance: '40s' });

/** All that time does by itself after a crash: reconciliation, redelivery, retries. */
export async function letTimePass(host: TestHost): Promise<void> {
  await host.control('DELETE', '/faults');
  await host.control('POST', '/clock', { advance: '40m' });
  await host.control('POST', '/drain');
}

type Events = Readonly<Record<string, number>>;

/** How many different events of each type the receiver got about this payment. */
export async function eventsAbout(host: TestHost, receiver: string, paymentId: string): Promise<Events> {
  const { deliveries } = (await host.control('GET', `/receiver/${receiver}`)).body;
  const ids = new Map<string, string>();
  for (const { raw_body, status } of deliveries) {
    const event = JSON.parse(raw_body);
    if (event.data.id === paymentId && status === 200) ids.set(event.id, event.type);
  }
  const counts: Record<string, number> = {};
  for (const type of ids.values()) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

/** Sends every event to a receiver of the control server's. */
export async function receiveEvents(host: TestHost, name: string): Promise<void> {
  await host.control('PUT', `/receiver/${name}`, {});
  const answer = await host.call('POST', '/v1/webhooks/config', {
    url: `${host.controlUrl}/receiver/${name}/hook`,
    events: ['*'],
  });
  expect(answer.status).toBe(200);
}

export const moneyOf = async (host: TestHost, paymentId: string): Promise<Body> =>
  (await host.control('GET', `/psp/calls?payment_id=${paymentId}`)).body.charges[paymentId] ?? {
    amount: 0,
    refunded: 0,
    count: 0,
  };

export const aCustomer = (): string => `cus_${randomUUID()}`;

/** The payments of one customer: what one idempotency key has made. */
export const paymentsOf = async (host: TestHost, customer: string): Promise<Body[]> =>
  (await host.call('GET', `/v1/payments?customer_id=${customer}`)).body.payments;

/** The same request until it is answered for good: what a careful client does. */
export async function insist(host: TestHost, send: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await send();
    if (answer.status < 500 && answer.status !== 409) return answer;
    await pastTheLease(host);
  }
  throw new Error('The request was never answered.');
}
