import { expect } from 'vitest';
import type { Tracked } from '#test/model/model.ts';
import type { Round } from '#test/model/round.ts';
import { isAutomatic, isPaid } from '#test/model/watch.ts';
import type { Body } from '#test/support/host.ts';

type About = { readonly payment: Body; readonly tracked: Tracked };

/** Each change of the run's payments has one event, and each event was delivered. */
export async function verifyEvents(about: readonly About[], round: Round): Promise<readonly Body[]> {
  const ids = new Set(about.map(({ payment }) => payment.id));
  const isOfRun: IsOfRun = ({ data }) => data.customer_id === round.customer || ids.has(data.payment_id);
  const all = await eventsOf(isOfRun, round);
  verifyDelivered(all, isOfRun, round);
  const events = all.filter(({ type }) => type.startsWith('payment.'));
  for (const { payment, tracked } of about) {
    const own = events.filter(({ data }) => data.id === payment.id);
    verifyOwn(payment, tracked, own);
  }
  const strangers = events.filter(({ data }) => !about.some(({ payment }) => payment.id === data.id));
  expect(strangers, 'events of payments that are not listed').toEqual([]);
  return all.filter(({ type }) => type.startsWith('dispute.'));
}

type IsOfRun = (event: Body) => boolean;

function verifyDelivered(events: readonly Body[], isOfRun: IsOfRun, round: Round): void {
  const ids = events.map(({ id }) => id);
  expect(new Set(ids).size, 'ids of events').toBe(ids.length);
  expect(events.filter(({ status }) => status !== 'delivered').map(({ type, status }) => `${type} ${status}`)).toEqual(
    [],
  );
  expect(deliveredIn(isOfRun, round), 'delivered events').toEqual(new Set(ids));
}

async function eventsOf(isOfRun: IsOfRun, { get, since }: Round): Promise<Body[]> {
  const answer = await get(
    `/v1/webhooks/events?limit=200&created_after=${new Date(since.getTime() - 1).toISOString()}`,
  );
  expect([answer.status, answer.body.pagination?.has_more], answer.text).toEqual([200, false]);
  return answer.body.events.filter(isOfRun);
}

function deliveredIn(isOfRun: IsOfRun, { host, shop, received }: Round): Set<string> {
  const taken = host.receivers
    .deliveries(shop.org_id)
    .slice(received)
    .filter(({ status }) => status === 200);
  const events = taken.map(({ raw_body }) => JSON.parse(raw_body)).filter(isOfRun);
  return new Set(events.map(({ id }) => id));
}

const STATUS_OF: Readonly<Record<string, readonly string[]>> = {
  created: ['created', 'processing'],
  authorized: ['authorized'],
  captured: ['processing', 'requires_action', 'authorized', 'succeeded', 'refunded', 'canceled', 'failed'],
  capture_failed: ['processing', 'requires_action', 'authorized', 'succeeded', 'refunded', 'canceled', 'failed'],
  authorization_expiring: ['authorized'],
  succeeded: ['succeeded'],
  failed: ['failed'],
  canceled: ['canceled'],
  refunded: ['succeeded', 'refunded'],
};

function verifyOwn(payment: Body, tracked: Tracked, events: readonly Body[]): void {
  const by = (type: string) => events.filter((event) => event.type === `payment.${type}`);
  const count = (type: string) => by(type).length;
  const undone = undoneSuccesses(payment, by);
  const succeeded = count('succeeded') - (isPaid(payment) ? 1 : 0);
  expect(
    [count('created'), succeeded >= 0 && succeeded <= undone, count('canceled')],
    `created, succeeded, canceled events of a ${payment.status} payment`,
  ).toEqual([1, true, payment.status === 'canceled' ? 1 : 0]);
  verifyFailures(payment, tracked, count('failed'), count('authorized'));
  if (payment.capture === 'manual') verifyCaptures(payment, by);
  verifyRefunds(payment, tracked, by('refunded'));
  for (const { type, created_at, data } of events) {
    expect(created_at >= by('created')[0]?.created_at, `${type} after payment.created`).toBe(true);
    expect(STATUS_OF[type.replace('payment.', '')], `the status in ${type}`).toContain(data.status);
  }
}

/** A payment has succeeded in vain once for each capture, at most, that the provider took back afterwards. */
function undoneSuccesses({ captures = [] }: Body, by: (type: string) => readonly Body[]): number {
  const told = by('captured').map(({ data }) => data.capture.id);
  return captures.filter(({ id, status }: Body) => status === 'failed' && told.includes(id)).length;
}

/** Each capture that took money has one event, and each one that failed. */
function verifyCaptures({ captures, authorized_amount: held }: Body, by: (type: string) => readonly Body[]): void {
  const idsOf = (type: string) => by(type).map(({ data }) => data.capture.id);
  const [told, failed] = [idsOf('captured'), idsOf('capture_failed')];
  expect(new Set(told).size, 'payment.captured events, one a capture').toBe(told.length);
  for (const { id, status } of captures) {
    if (status === 'succeeded') expect(told, 'captures without their event').toContain(id);
    if (status === 'failed') expect(failed, 'failed captures without their event').toContain(id);
  }
  expect(by('authorized').length > 0, 'payment.authorized').toBe(held !== null);
  const ends = by('authorization_expiring').map(({ data }) => data.capturable_until);
  expect(new Set(ends).size, 'payment.authorization_expiring, once for each end').toBe(ends.length);
}

/**
 * A payment fails once on its own, and once more after each retry; late money may have undone the last failure. Each
 * authorization may end unused, which is one more.
 */
function verifyFailures({ status, late_success }: Body, { retries }: Tracked, count: number, holds: number): void {
  const last = status === 'failed' ? 1 : 0;
  expect(count, 'payment.failed events').toBeGreaterThanOrEqual(retries.sure + last);
  expect(count, 'payment.failed events').toBeLessThanOrEqual(
    retries.sure + retries.unsure + (last || late_success ? 1 : 0) + holds,
  );
}

function verifyRefunds({ refunds }: Body, { refunded }: Tracked, events: readonly Body[]): void {
  const told = events.map(({ data }) => data.refund.id);
  expect(new Set(told).size, 'payment.refunded events, one a refund').toBe(told.length);
  const asked = refunds.filter((r: Body) => !isAutomatic(r)).map(({ id }: Body) => id);
  expect(
    told.filter((id) => !asked.includes(id)),
    'payment.refunded events of other refunds',
  ).toEqual([]);
  const done = asked.filter((id: string) => refunded.has(id));
  expect(
    done.filter((id: string) => !told.includes(id)),
    'refunds without their event',
  ).toEqual([]);
}
