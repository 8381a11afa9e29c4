import { afterEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { receiveEvents } from '#test/faults/crash-sweep.support.ts';
import { aSubscriptionBody, changeSubscription, stopUntil } from '#test/support/billing.ts';
import { doEverything, type Happened, typesOf, until, withoutReport } from '#test/support/every-event.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  create,
  drain,
  eventTypesOf,
  pay,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';
import { type RelayGate, type RelayMode, relayGate } from '#test/support/relay-gate.ts';

const PATIENCE = 120_000;
const [MINUTE, DAY] = [60_000, 86_400_000];

let host: TestHost;
let relay: RelayGate;
async function startWithout(mode: RelayMode, options: Parameters<typeof startHost>[0] = {}): Promise<void> {
  host = await startHost(options);
  await receiveEvents(host, 'shop');
  relay = relayGate(host);
  relay.set(mode);
}
afterEach(async () => {
  relay?.set('works');
  await host?.close();
});

const inTime = (ms: number): string => new Date(host.clock.now().getTime() + ms).toISOString();

type Sent = { readonly status: number; readonly raw_body: string };
const sent = async (): Promise<readonly Sent[]> => (await host.control('GET', '/receiver/shop')).body.deliveries;

/** The events that the shop received, by id. A repeated delivery must be identical. */
async function known(): Promise<ReadonlyMap<string, Body>> {
  const events = new Map<string, Body>();
  for (const { status, raw_body } of await sent()) {
    const { timestamp: _, ...event } = JSON.parse(raw_body);
    expect(status).toBe(200);
    expect(event).toEqual(events.get(event.id) ?? event);
    events.set(event.id, event);
  }
  return events;
}

async function listed(): Promise<readonly Body[]> {
  const { events, pagination } = (await host.call('GET', '/v1/webhooks/events?limit=200')).body;
  expect(pagination.has_more).toBe(false);
  return events;
}

/** The outboxes of all resources with events are empty. */
async function verifyNothingWaits(events: Iterable<Body>): Promise<void> {
  const { payments, subscriptions, invoices, paymentLinks, disputes } = host.deps;
  const ids = new Set([...events].flatMap(({ data }) => (data.id === undefined ? [] : [data.id as string])));
  const found = [...ids].map(async (id) => {
    const resource =
      (await payments.byId(id)) ??
      (await subscriptions.byId(id)) ??
      (await invoices.byId(id)) ??
      (await paymentLinks.byId(id)) ??
      (await disputes.byId(id));
    return { id, outbox: resource?.outbox };
  });
  expect(ids.size).toBeGreaterThan(20);
  for (const { id, outbox } of await Promise.all(found)) expect(outbox, id).toEqual([]);
}

/** Every event once: stored, delivered, and with a snapshot of that moment. */
async function verifyAllDelivered(happened: Happened): Promise<void> {
  const events = await known();
  expect([...events.values()].map(({ type }) => type).toSorted()).toEqual(typesOf(happened));
  for (const type of EVENT_TYPES) {
    const told = [...events.values()].filter((event) => event.type === type).map(({ data }) => withoutReport(data));
    for (const data of happened[type].data) expect(told, type).toContainEqual(data);
  }
  const stored = await listed();
  expect(new Set(stored.map(({ id }) => id))).toEqual(new Set(events.keys()));
  expect(new Set(stored.map(({ status }) => status))).toEqual(new Set(['delivered']));
  await verifyNothingWaits(events.values());
}

describe('a relay that is stopped for two days', () => {
  it(
    'loses no event if it resumes afterwards, and publishes none twice',
    async () => {
      await startWithout('fails');
      const end = inTime(2 * DAY);
      const happened = await doEverything(host, () => advance(host, '3h'));
      expect(host.clock.now().toISOString() > end).toBe(true);
      await verifyAllDelivered(happened);
      expect(relay.begun()).toBeGreaterThan(0);

      const before = (await sent()).length;
      relay.set('works');
      const begun = relay.begun();
      await until('the relay', async () => relay.begun() > begun);
      await drain(host);
      await verifyAllDelivered(happened);
      expect(await sent()).toHaveLength(before);
    },
    PATIENCE,
  );

  it(
    'loses no event if the change feed has dropped all of its changes',
    async () => {
      await startWithout('loses');
      const happened = await doEverything(host);
      await stopUntil(host, inTime(2 * DAY));
      await verifyAllDelivered(happened);
    },
    PATIENCE,
  );

  it(
    'loses no event if the sweeps stopped too and the webhook endpoint was down',
    async () => {
      await startWithout('loses');
      await host.control('PUT', '/receiver/shop', { status: 503 });
      const { id } = await pay(host);
      await act(host, id, 'refund', { amount: 1_000 });
      await stopUntil(host, inTime(2 * DAY));
      const mine = async () =>
        (await listed()).filter(({ data }) => data.id === id).map(({ type, status }) => `${type} ${status}`);
      expect((await mine()).toSorted()).toEqual([
        'payment.created pending',
        'payment.refunded pending',
        'payment.succeeded pending',
      ]);
      await host.control('PUT', '/receiver/shop', { status: 200 });
      await advance(host, '2m');
      expect((await mine()).toSorted()).toEqual([
        'payment.created delivered',
        'payment.refunded delivered',
        'payment.succeeded delivered',
      ]);
    },
    PATIENCE,
  );

  it(
    'loses no event of payments that end on their own in those days',
    async () => {
      await startWithout('loses', { hangUpAfterMs: HANG_UP_AFTER_MS });
      const abandoned = await payOnPage(host);
      await arrange(host, 'timeout_after_charge', { webhook: 'none' });
      const unknown = (await create(host)).body;
      const pending = await pay(host, 'pending');
      const declined = await pay(host, 'pending');
      for (const [{ id }, outcome] of [[pending, 'succeeded'] as const, [declined, 'failed'] as const]) {
        await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome });
      }
      await stopUntil(host, inTime(2 * DAY));
      // The newest outcomes are published a while later.
      await advance(host, '6m');
      const ended = [abandoned, unknown, pending, declined].map(async ({ id }) => [
        (await read(host, id)).status,
        ...(await eventTypesOf(host, id)),
      ]);
      expect(await Promise.all(ended)).toEqual([
        ['failed', 'created', 'failed'],
        ['succeeded', 'created', 'succeeded'],
        ['succeeded', 'created', 'succeeded'],
        ['failed', 'created', 'failed'],
      ]);
      expect((await listed()).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'delivered'));
      expect((await known()).size).toBe(8);
    },
    PATIENCE,
  );
});

describe('resources that keep changing while nothing is published', () => {
  it(
    'still have each event published within ten minutes',
    async () => {
      await startWithout('loses');
      const { body: subscription } = await host.call(
        'POST',
        '/v1/subscriptions',
        aSubscriptionBody({ start_at: inTime(400 * DAY) }),
      );
      const payment = await pay(host);
      for (let n = 1; n <= 8; n += 1) {
        await changeSubscription(host, subscription, { amount: 2_000 + n });
        await act(host, payment.id, 'refund', { amount: n });
        await stopUntil(host, inTime(4 * MINUTE));
        const late = inTime(-10 * MINUTE);
        const known = new Set((await listed()).map(({ data, created_at }) => `${data.id} ${created_at < late}`));
        if (n > 2)
          expect([...known], `after ${4 * n} minutes`).toEqual(
            expect.arrayContaining([`${subscription.id} true`, `${payment.id} true`]),
          );
      }
    },
    PATIENCE,
  );
});
