import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Call } from '#lib/local/invocation.ts';
import { type Answer, type Body, callsOf, type TestHost } from '#test/support/host.ts';

export type CrashPoint = { readonly point: Call['point']; readonly nth: number; readonly when: 'before' | 'after'; readonly method: string };

/**
 * Every outgoing call that the group makes while `work` runs, each with a crash before and after it. What went before is
 * passed on first: a relay that takes an event out of the payment just then makes `work` write twice, which no later run does.
 */
export async function crashPointsOf(host: TestHost, group: string, work: () => Promise<unknown>): Promise<readonly CrashPoint[]> {
  await host.control('DELETE', '/faults');
  await host.control('POST', '/drain');
  const seen = new Map<string, number>();
  const points: CrashPoint[] = [];
  for (const { point, method } of await callsOf(host, work, group)) {
    if (point === 'receiver') continue;
    const nth = (seen.get(point) ?? 0) + 1;
    seen.set(point, nth);
    points.push({ point, nth, method, when: 'before' }, { point, nth, method, when: 'after' });
  }
  return points;
}

/** So many points of a file's sweeps may turn out to be none. */
const MOST_MISSED = 8;
const missed = new WeakMap<TestHost, number>();

/**
 * Whether the process that is to die at the point has died. The relay may have taken an event out of a record just while the
 * points were counted, so that this one write was made twice: of such a count the last points are never reached.
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

export const sentence = ({ point, nth, when, method }: CrashPoint): string => `${when} ${point} call ${nth} (${method})`;

/** Longer than a claim is leased: whoever died with it is out of the way. */
export const pastTheLease = (host: TestHost) => host.control('POST', '/clock', { advance: '40s' });

/** All that time does by itself after a crash: reconciliation, redelivery, retries. */
export async function letTimePass(host: TestHost): Promise<void> {
  await host.control('DELETE', '/faults');
  await host.control('POST', '/clock', { advance: '40m' });
  await host.control('POST', '/drain');
}

export type Events = Readonly<Record<string, number>>;

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
  const answer = await host.call('POST', '/v1/webhooks/config', { url: `${host.controlUrl}/receiver/${name}/hook`, events: ['*'] });
  expect(answer.status).toBe(200);
}

export const moneyOf = async (host: TestHost, paymentId: string): Promise<Body> =>
  (await host.control('GET', `/psp/calls?payment_id=${paymentId}`)).body.charges[paymentId] ?? { amount: 0, refunded: 0, count: 0 };

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
