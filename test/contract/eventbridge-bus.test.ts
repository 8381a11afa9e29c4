import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { eventBridgeBus } from '#shared/adapters/aws/eventbridge-bus.adapter.ts';
import { BusRejected } from '#shared/ports/bus.port.ts';
import { FAKE_ACCOUNT, wireError } from '#test/support/aws-wire.ts';
import { type EventBridgeFake, startEventBridgeFake } from '#test/support/eventbridge-fake.ts';

describe('the bus on EventBridge', () => {
  let fake: EventBridgeFake;
  let client: EventBridgeClient;
  const publish = (count: number) =>
    eventBridgeBus({ client, busName: 'events' }).publish(
      Array.from({ length: count }, (_, n) => ({ id: `evt_${n}`, type: 'payment.created', org_id: 'org_1' })),
    );
  const takenIds = () => fake.taken.map(({ detail }) => detail.id).sort();
  const sizes = () => fake.calls.map(({ body }) => body.Entries.length);

  beforeEach(async () => {
    fake = await startEventBridgeFake();
    client = new EventBridgeClient({ ...RETRYING, ...FAKE_ACCOUNT, endpoint: fake.endpoint });
  });
  afterEach(async () => {
    client.destroy();
    await fake.stop();
  });

  it('publishes an event with its source and type', async () => {
    await publish(1);
    expect(fake.taken).toEqual([
      {
        bus: 'events',
        source: 'payfork',
        type: 'payment.created',
        detail: { id: 'evt_0', type: 'payment.created', org_id: 'org_1' },
      },
    ]);
  });

  it('publishes the connection of a payment', async () => {
    const event = {
      id: 'evt_0',
      type: 'payment.created',
      org_id: 'org_1',
      through: { connection_id: 'conn_1', workflow_id: 'wft_1' },
    };
    await eventBridgeBus({ client, busName: 'events' }).publish([event]);
    expect(fake.taken.map(({ detail }) => detail)).toEqual([event]);
  });

  it('makes no call for no events', async () => {
    await publish(0);
    expect(fake.calls).toEqual([]);
  });

  it('publishes many events in batches of ten', async () => {
    await publish(25);
    expect([sizes(), new Set(takenIds()).size]).toEqual([[10, 10, 5], 25]);
  });

  it('retries the rejected entries of a batch, and only those', async () => {
    let left = 3;
    fake.refuse(({ id }) => (id === 'evt_2' && left-- > 0 ? 'ThrottlingException' : undefined));
    await publish(4);
    expect([sizes(), takenIds()]).toEqual([
      [4, 1, 1, 1],
      ['evt_0', 'evt_1', 'evt_2', 'evt_3'],
    ]);
  });

  it('fails in the end if a single entry is rejected', async () => {
    fake.refuse(({ id }) => (id === 'evt_2' ? 'InternalFailure' : undefined));
    await expect(publish(4)).rejects.toThrow('The bus rejected 1 of 4 entries: InternalFailure.');
    expect(sizes()).toEqual([4, 1, 1, 1]);
  });

  it('does not retry an entry that is permanently rejected', async () => {
    fake.refuse(({ id }) => (id === 'evt_2' ? 'NotAuthorizedForSourceException' : undefined));
    await expect(publish(4)).rejects.toThrow('NotAuthorizedForSourceException');
    expect(sizes()).toEqual([4]);
  });

  it('says which events were not accepted, and sends the others again', async () => {
    const left = new Map([['evt_1', 1]]);
    fake.refuse((detail) => {
      const id = String(detail.id);
      if (id === 'evt_2' || id === 'evt_13') return 'NotAuthorizedForSourceException';
      const times = left.get(id) ?? 0;
      left.set(id, times - 1);
      return times > 0 ? 'ThrottlingException' : undefined;
    });
    const error = await publish(14).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BusRejected);
    expect((error as BusRejected).ids).toEqual(new Set(['evt_2', 'evt_13']));
    expect([sizes(), takenIds().length]).toEqual([[10, 4, 1], 12]);
  });

  it('fails if the response has fewer results than entries', async () => {
    fake.fail(...Array.from({ length: 4 }, () => ({ body: { FailedEntryCount: 0, Entries: [] } })));
    await expect(publish(1)).rejects.toThrow('no result');
  });

  it.each([
    ['throttling', wireError('ThrottlingException')],
    ['an internal error', wireError('InternalException', 'internal', 500)],
    ['a broken connection', 'drop' as const],
  ])('retries a call after %s', async (_, reply) => {
    fake.fail(reply);
    await publish(2);
    expect(takenIds()).toEqual(['evt_0', 'evt_1']);
  });

  it('fails without permission', async () => {
    fake.fail(wireError('AccessDeniedException'));
    await expect(publish(1)).rejects.toThrow('AccessDeniedException');
  });
});
