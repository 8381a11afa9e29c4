import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Fault } from '#lib/local/faults.ts';
import type { Call } from '#lib/local/invocation.ts';
import type { ApiResponse, Body, TestHost } from '#test/support/host.ts';

type When = 'before' | 'after';
export type CrashPoint = {
  readonly point: Call['point'];
  readonly nth: number;
  readonly when: When;
  readonly method: string;
};

/**
 * One call of a dependency; `crashes`: whether a crash before or after it leaves a state that no earlier crash
 * leaves.
 */
type CallMade = Omit<CrashPoint, 'when'> & { readonly crashes: readonly When[] };

export type Kind = Pick<Fault, 'kind' | 'when'>;
export const CRASHES: readonly Kind[] = [
  { kind: 'crash', when: 'before' },
  { kind: 'crash', when: 'after' },
];

/** The faults that make the call go wrong in each of these ways. */
export const faultsAt = ({ crashes, ...call }: CallMade, kinds: readonly Kind[]) =>
  kinds.filter(({ kind, when }) => kind !== 'crash' || crashes.includes(when)).map((way) => ({ ...call, ...way }));

/** The method that was called; `beside`: two calls that change something overlapped. */
type Seen = { readonly call: Call; beside: boolean };

/**
 * Every outgoing call that the group makes while `work` runs. Earlier events are published first: if the relay took
 * one from the payment meanwhile, `work` would write twice, which later runs do not.
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

/** The calls at which a crash of the group's process leaves different states. */
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
/** Faults of the control server cannot hit these. */
const isHarmlessPoint = ({ point }: Call): boolean => point === 'receiver' || point === 'mail';

/**
 * Crashes are tried once for each state they can leave: before the first change and after each change. Before a
 * change is the same state as after the previous one, unless the two overlap.
 */
function withCrashes(all: readonly Seen[]): readonly CallMade[] {
  const counts = new Map<string, number>();
  const points: CallMade[] = [];
  let isTried = false;
  for (const { call, beside } of all) {
    const { point, method } = call;
    const crashesOfChange: readonly When[] = beside || !isTried ? ['before', 'after'] : ['after'];
    const crashes = changes(call) ? crashesOfChange : [];
    if (changes(call)) isTried = !beside && !isHarmlessPoint(call);
    if (isHarmlessPoint(call)) continue;
    const nth = (counts.get(point) ?? 0) + 1;
    counts.set(point, nth);
    points.push({ point, nth, method, crashes });
  }
  return points;
}

/** The share of points of a file that may never be reached. */
const MAX_MISSED = 8;
const missed = new WeakMap<TestHost, number>();

/**
 * Whether the process crashed at the point. If the relay took an event from the record while the points were counted,
 * one write was made twice, and the last points of that count are never reached.
 */
export async function crashesAt(host: TestHost, send: () => Promise<ApiResponse>, where: string): Promise<boolean> {
  const { status } = await send();
  if (status === 503) return true;
  expect([status < 500, host.faults.waiting.length], where).toEqual([true, 1]);
  await host.control('DELETE', '/faults');
  missed.set(host, (missed.get(host) ?? 0) + 1);
  expect(missed.get(host), `${where}, as so many others, was never reached`).toBeLessThanOrEqual(MAX_MISSED);
  return false;
}

/** The process of this group will crash there. A sweep that strikes nothing would prove nothing. */
export async function armCrash(host: TestHost, { point, nth, when }: CrashPoint, group: string): Promise<void> {
  await host.control('POST', '/faults', { point, nth, when, kind: 'crash', handler: group });
  expect(host.faults.waiting.length, 'crashes that are armed').toBe(1);
}

/** Lets the process of this group die there while `work` runs. Returns whether it did: it may not come so far again. */
export async function strike(
  host: TestHost,
  point: CrashPoint,
  group: string,
  work: () => Promise<unknown>,
): Promise<boolean> {
  await armCrash(host, point, group);
  await work();
  await host.control('POST', '/drain');
  const isStruck = host.faults.waiting.length === 0;
  await host.control('DELETE', '/faults');
  await expireLease(host);
  return isStruck;
}

export const describePoint = ({ point, nth, when, method }: CrashPoint): string =>
  `${when} ${point} call ${nth} (${method})`;

/** Longer than the lease of a claim, so that the claim of a crashed process has expired. */
export const expireLease = (host: TestHost) => host.control('POST', '/clock', { advance: '40s' });

/** Everything that happens on its own after a crash: reconciliation, redelivery, retries. */
export async function runScheduledWork(host: TestHost): Promise<void> {
  await host.control('DELETE', '/faults');
  await host.control('POST', '/clock', { advance: '40m' });
  await host.control('POST', '/drain');
}

type Events = Readonly<Record<string, number>>;

/** The number of different events of each type that the endpoint received about this payment. */
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

/** Sends every event to an endpoint of the control server. */
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

/** The payments of one customer, here those of one idempotency key. */
export const paymentsOf = async (host: TestHost, customer: string): Promise<Body[]> =>
  (await host.call('GET', `/v1/payments?customer_id=${customer}`)).body.payments;

/** Repeats the request until its response is final, as a careful client does. */
export async function retryUntilDone(host: TestHost, send: () => Promise<ApiResponse>): Promise<ApiResponse> {
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await send();
    if (answer.status < 500 && answer.status !== 409) return answer;
    await expireLease(host);
  }
  throw new Error('The request was never answered.');
}
