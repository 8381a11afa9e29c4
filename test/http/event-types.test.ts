import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES, type EventType } from '#shared/domain/reference/events.catalog.ts';
import { plus, SECOND } from '#shared/kernel/clock.ts';
import { KINDS_WITH_EVENTS } from '#shared/ports/changes.port.ts';
import { mayHaveEvents } from '#shared/store/feed-filters.ts';
import type { Json, Key, TablePort } from '#shared/store/table/table.port.ts';
import { doEverything, type Happened, OPERATIONS, typesOf, withoutReport } from '#test/support/every-event.ts';
import { type RecordedEvent, recordEvent } from '#test/support/examples/record-example.ts';
import {
  aConnection,
  anOrganization,
  type Body,
  startHost,
  type TestHost,
  type TestOrganization,
} from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';
import { act, advance, drain, pay } from '#test/support/payment-steps.ts';
import { relayGate } from '#test/support/relay-gate.ts';
import { componentCheck } from '#test/support/response-check.ts';
import { sentAt, verified } from '#test/support/standard-webhooks.ts';

type Delivery = {
  readonly headers: Readonly<Record<string, string>>;
  readonly raw_body: string;
  readonly status: number;
};

/**
 * An event may be delivered twice, with the same id, as the API says: so it is here where the relay, which was held,
 * finds two changes of one resource in different batches.
 */
const onceEach = (all: readonly Delivery[]): readonly Delivery[] => [
  ...new Map(all.map((delivery) => [JSON.parse(delivery.raw_body).id, delivery])).values(),
];

type Written = Readonly<Record<string, Json>>;

/** The records that were written with events in their outbox: their kinds, and the keys that the relay would not get. */
const withEvents = new Set<Json | undefined>();
const unheard: Key[] = [];

function note({ pk, sk }: Key, { item_type, outbox }: Written): void {
  if (!Array.isArray(outbox) || outbox.length === 0) return;
  withEvents.add(item_type);
  if (!mayHaveEvents({ key: { pk, sk } })) unheard.push({ pk, sk });
}

const noting = (table: TablePort): TablePort =>
  changed(table, {
    put: (item, condition) => {
      note(item, item);
      return table.put(item, condition);
    },
    update: (key, change, condition) => {
      note(key, change.set ?? {});
      return table.update(key, change, condition);
    },
    transact: (writes, token) => {
      for (const write of writes) {
        if ('put' in write) note(write.put, write.put);
        if ('update' in write) note(write.update, write.change.set ?? {});
      }
      return table.transact(writes, token);
    },
  });

let host: TestHost;
let secret: string;
let expected: Happened;
let deliveries: readonly Delivery[];
let bodies: readonly Body[];

async function receive(name: string, events: readonly string[], key?: string): Promise<string> {
  const url = `${host.controlUrl}/receiver/${name}/hook`;
  const { status, body } = await host.call(
    'POST',
    '/v1/webhooks/config',
    { url, events },
    key === undefined ? {} : { key },
  );
  expect(status).toBe(200);
  return body.signing_secret;
}
const receivedBy = async (name: string): Promise<readonly Delivery[]> =>
  (await host.control('GET', `/receiver/${name}`)).body.deliveries;
const bodiesOf = (sent: readonly Delivery[]): readonly Body[] => sent.map(({ raw_body }) => JSON.parse(raw_body));

beforeAll(async () => {
  host = await startHost({ wrapTable: noting });
  secret = await receive('shop', ['*']);
  const relay = relayGate(host);
  relay.set('holds');
  // Events are published only after all of it is done, so that their snapshots must show the past.
  expected = await doEverything(host);
  relay.set('works');
  await drain(host);
  deliveries = onceEach(await receivedBy('shop'));
  bodies = bodiesOf(deliveries);
  for (const body of bodies) recordEvent(body as RecordedEvent);
}, 90_000);
afterAll(() => host?.close());

const ofType = (wanted: EventType): readonly Body[] => bodies.filter(({ type }) => type === wanted);

describe('the events of a shop', () => {
  it('include every event type', () => {
    expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(EVENT_TYPES));
    expect(Object.keys(OPERATIONS).toSorted()).toEqual(EVENT_TYPES.toSorted());
  });

  it('stand in records whose changes the relay gets, and no other records have any', () => {
    expect(unheard).toEqual([]);
    expect([...withEvents].toSorted()).toEqual(KINDS_WITH_EVENTS.toSorted());
  });

  it('are those of what happened, and no others', () => {
    expect(bodies.map(({ type }) => type).toSorted()).toEqual(typesOf(expected));
  });

  it.each(EVENT_TYPES)('of type %s show the state of their moment', (type) => {
    const told = ofType(type).map(({ data }) => withoutReport(data));
    expect(expected[type].data.length).toBeGreaterThan(0);
    for (const data of expected[type].data) expect(told).toContainEqual(data);
  });

  it('have one form: id, type, organization, time, data and the time of the attempt', () => {
    for (const body of bodies) {
      expect(Object.keys(body)).toEqual(['id', 'type', 'org_id', 'created_at', 'data', 'timestamp']);
      expect(body).toMatchObject({
        id: expect.stringMatching(/^evt_/),
        org_id: host.info.org_id,
        created_at: expect.stringMatching(/Z$/),
      });
    }
  });

  it('are those of the document, with no other field', async () => {
    const faultsOf = await componentCheck('EventPayload');
    for (const body of bodies) expect(faultsOf(body), body.type).toEqual([]);
    const [first] = bodies;
    expect(faultsOf({ ...first, secret: 1 })).not.toEqual([]);
    expect(faultsOf({ ...first, data: { ...first.data, secret: 1 } })).not.toEqual([]);
  });

  it('are listed as they were sent', async () => {
    const { events } = (await host.call('GET', '/v1/webhooks/events?limit=200')).body;
    const sent = new Map(bodies.map((body) => [body.id, body]));
    expect(events).toHaveLength(bodies.length);
    for (const { id, type, data, created_at, status, attempts } of events) {
      expect({ id, type, data, created_at }).toEqual({
        id,
        type: sent.get(id)?.type,
        data: sent.get(id)?.data,
        created_at: sent.get(id)?.created_at,
      });
      const good = expect.objectContaining({ status_code: 200, error: null });
      expect(attempts.length).toBeGreaterThan(0);
      expect([status, attempts]).toEqual(['delivered', attempts.map(() => good)]);
    }
  });
});

describe('a webhook request', () => {
  const taken = ({ headers, raw_body }: Delivery, seconds = 0, key = secret): unknown =>
    verified(key, raw_body, headers, plus(sentAt(headers), seconds * SECOND));

  it('is signed as Standard Webhooks specifies, as its own library confirms', () => {
    for (const [n, delivery] of deliveries.entries()) {
      expect(taken(delivery)).toEqual(bodies[n]);
      expect([delivery.headers['webhook-id'], Number(delivery.headers['webhook-timestamp'])]).toEqual([
        bodies[n].id,
        bodies[n].timestamp,
      ]);
    }
  });

  it('is also signed in the Service-Signature header', () => {
    for (const [n, { headers, raw_body }] of deliveries.entries()) {
      expect(headers['x-service-signature']).toBe(
        `sha256=${createHmac('sha256', secret).update(raw_body).digest('hex')}`,
      );
      expect(headers['x-service-event-id']).toBe(bodies[n].id);
    }
  });

  it('does not verify with another body, id, secret or time', async () => {
    const [first, second] = deliveries as [Delivery, Delivery];
    expect(() => taken({ ...first, raw_body: first.raw_body.replace('"amount"', '"amount" ') })).toThrow(
      'No matching signature',
    );
    expect(() =>
      taken({ ...first, headers: { ...first.headers, 'webhook-id': second.headers['webhook-id']! } }),
    ).toThrow('No matching signature');
    expect(() => taken(first, 301)).toThrow('timestamp too old');
    expect(() => taken(first, -301)).toThrow('timestamp too new');
    const other = await anOrganization(host);
    expect(() => taken(first, 0, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toThrow('No matching signature');
    const others = await receive('other', ['*'], other.key);
    expect(() => taken(first, 0, others)).toThrow('No matching signature');
  });

  it('is the same at each attempt, except for its time and signature', async () => {
    await host.control('PUT', '/receiver/late', { sequence: [500, 503, 200] });
    const org = await anOrganization(host);
    const key = await receive('late', ['payment.succeeded'], org.key);
    await aConnection(host, org);
    const payment = await pay(host, 'ok', {}, { key: org.key });
    await drain(host);
    await act(host, payment.id, 'refund', undefined, { key: org.key });
    await advance(host, '5m');
    const tries = await receivedBy('late');
    expect(tries.map(({ status }) => status)).toEqual([500, 503, 200]);
    for (const each of tries) taken(each, 0, key);
    const [first, second, third] = bodiesOf(tries);
    expect([second.timestamp > first.timestamp, third.timestamp > second.timestamp]).toEqual([true, true]);
    const apart = [second, third].map(({ timestamp: _, ...rest }) => rest);
    expect(apart.map((rest) => ({ ...rest, timestamp: first.timestamp }))).toEqual([first, first]);
    expect([first.data.status, first.created_at]).toEqual(['succeeded', expect.stringMatching(/Z$/)]);
  });
});

describe('a subscription to a few types', () => {
  let org: TestOrganization;
  beforeAll(async () => {
    org = await anOrganization(host);
    await receive('narrow', ['payment.refunded', 'payment_link.paid'], org.key);
    await aConnection(host, org);
    const { id } = await pay(host, 'ok', {}, org);
    await act(host, id, 'refund', undefined, org);
    await pay(host, 'decline_insufficient_funds', {}, org);
    await drain(host);
  });

  it('receives those, and no others', async () => {
    expect(bodiesOf(await receivedBy('narrow')).map(({ type }) => type)).toEqual(['payment.refunded']);
  });

  it('lists the others as skipped, without attempts', async () => {
    await advance(host, '1d');
    const { events } = (await host.call('GET', '/v1/webhooks/events', undefined, org)).body;
    const seen = events.map(({ type, status, attempts, next_attempt_at }: Body) => [
      type,
      status,
      attempts.length,
      next_attempt_at,
    ]);
    expect(seen.toSorted()).toEqual([
      ['payment.created', 'skipped', 0, null],
      ['payment.created', 'skipped', 0, null],
      ['payment.failed', 'skipped', 0, null],
      ['payment.refunded', 'delivered', 1, null],
      ['payment.succeeded', 'skipped', 0, null],
    ]);
    expect(await receivedBy('narrow')).toHaveLength(1);
  });
});
